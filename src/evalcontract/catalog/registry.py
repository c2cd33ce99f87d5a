"""Catalogue documents as a `referencing` registry: every `$id` is known, nothing else can be reached."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from referencing import Registry
from referencing.jsonschema import DRAFT202012

from evalcontract.catalog.catalogue import Catalogue


@lru_cache(maxsize=16)
def registry_of(catalogue: Catalogue) -> Registry[Any]:
    """A registry of every document of a catalogue."""
    resources = ((uri, DRAFT202012.create_resource(document)) for uri, document in catalogue.documents())
    registry: Registry[Any] = Registry().with_resources(resources)
    return registry.crawl()
