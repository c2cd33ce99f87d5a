"""Answers of RAG providers as contract data. They are plain JSON: no provider's SDK is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalcontract.errors import UsageError
from evalcontract.responses.adapters.adapted import AdaptedResponse
from evalcontract.responses.adapters.recognise import recognised, resembled
from evalcontract.responses.adapters.table import PROVIDERS, Provider
from evalcontract.responses.shapes import Node, plain

__all__ = ["PROVIDERS", "AdaptedResponse", "Provider", "adapt", "provider_named", "recognised", "resembled"]


def adapt(response: Any, provider: str, *, documents: Sequence[str] = ()) -> AdaptedResponse:
    """An answer of `provider` (a name in PROVIDERS) as contract data.

    `response` is the parsed JSON of the answer or an object with `model_dump`; for Azure also the list of
    chunks or the text of an event stream. `documents` are the texts of the request's documents, in order:
    with them, providers that cite by offsets into documents are checked.

    Raises UsageError for an unknown provider, UnexpectedShape when the answer is not as documented,
    OffsetMismatch when its offsets do not lead to the text that it repeats, and ContractViolation when it
    holds what the contract does not allow, such as page 0. What was derived, or can't be known, is in
    `notices` of the result.
    """
    return provider_named(provider).adapt(Node(plain(response)), documents)


def provider_named(name: str) -> Provider:
    """The row of PROVIDERS; UsageError lists the known names."""
    for provider in PROVIDERS:
        if provider.name == name:
            return provider
    known = ", ".join(each.name for each in PROVIDERS)
    raise UsageError(f"there is no provider {name[:60]!r}", hint=f"known: {known}")
