"""A schema with its references put in place. Looking references up is most of what jsonschema's errors cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urldefrag, urljoin

from evalcontract.catalog import Schema, rewritten
from evalcontract.values import follow, pointer_tokens

_ANNOTATIONS = frozenset({"$ref", "description", "default", "title", "examples", "$comment", "deprecated"})
_DROPPED = frozenset({"$id", "$schema", "$defs"})
_MAX_NODES = 20_000


class _GivenUp(Exception):
    """The schema can't be written without references: it is recursive, too large, or uses other kinds of them."""


def dereferenced(schema: Schema, documents: Mapping[str, Schema]) -> Schema | None:
    """An equivalent schema without references, with the same paths in its errors; None when there is none.

    `documents` are those that the schema can refer to, by URI.
    """
    try:
        inlined: Schema = _Inliner({**documents, str(schema.get("$id", "")): schema}).inline(
            schema, str(schema.get("$id", "")), ()
        )
    except (_GivenUp, RecursionError):
        return None
    return inlined


class _Inliner:
    def __init__(self, documents: Mapping[str, Schema]) -> None:
        self._documents = documents
        self._nodes = 0

    def inline(self, node: Any, base: str, within: tuple[str, ...]) -> Any:
        self._nodes += 1
        if self._nodes > _MAX_NODES:
            raise _GivenUp
        if isinstance(node, list):
            return [self.inline(element, base, within) for element in node]
        if not isinstance(node, dict):
            return node
        if "$dynamicRef" in node or "$anchor" in node or (within and "$id" in node and node["$id"] != base):
            raise _GivenUp
        if isinstance(node.get("$ref"), str):
            return self._target(node, base, within)
        return rewritten(node, lambda element: self.inline(element, base, within), _DROPPED)

    def _target(self, node: Schema, base: str, within: tuple[str, ...]) -> Any:
        if not node.keys() <= _ANNOTATIONS:
            raise _GivenUp
        uri = urljoin(base, node["$ref"])
        if uri in within:
            raise _GivenUp
        document, pointer = urldefrag(uri)
        if "%" in pointer:
            raise _GivenUp
        try:
            _, found = follow(self._documents.get(document), pointer_tokens(pointer))
        except (LookupError, ValueError):  # an anchor
            raise _GivenUp from None
        if not isinstance(found, dict):
            raise _GivenUp
        return self.inline(found, document, (*within, uri))
