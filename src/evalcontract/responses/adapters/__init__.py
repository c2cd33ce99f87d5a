"""Answers of RAG providers as contract data. They are plain JSON: no provider's SDK is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalcontract.errors import UsageError
from evalcontract.responses.adapters.adapted import AdaptedResponse, CollectedCitations, described
from evalcontract.responses.adapters.identity import identity_of
from evalcontract.responses.adapters.recognise import recognised, resembled
from evalcontract.responses.adapters.state_table import MEANINGS, STATES, Meaning, StateField
from evalcontract.responses.adapters.states import judge, meaning_of, refuse_any_error
from evalcontract.responses.adapters.streams import is_stream, stream_of
from evalcontract.responses.adapters.table import PROVIDERS, Provider
from evalcontract.responses.adapters.usage import usage_of
from evalcontract.responses.shapes import JsonNode, plain

__all__ = [
    "MEANINGS",
    "PROVIDERS",
    "STATES",
    "AdaptedResponse",
    "Meaning",
    "Provider",
    "StateField",
    "adapt",
    "described",
    "meaning_of",
    "provider_named",
    "recognised",
    "refuse_failure",
    "resembled",
]


def adapt(response: Any, provider: str, *, documents: Sequence[str] = ()) -> AdaptedResponse:
    """An answer of `provider` (a name in PROVIDERS) as contract data.

    `response` is the parsed JSON of the answer or an object with `model_dump`; of a stream the list of its chunks or
    the text of its events. `documents` are the texts of the request's documents, in order: with them, providers
    that cite by offsets into documents are checked.

    Raises UsageError for an unknown provider, NoAnswer when the provider says that there is none (failed,
    cancelled, still running, an error) or a stream ends early, UnexpectedShape when the answer is not as documented,
    OffsetMismatch when its offsets do not lead to the text that it repeats, and ContractViolation when it
    holds what the contract does not allow, such as page 0. What was derived, or can't be known, is in
    `notices` of the result; so is an answer that was cut off, filtered or refused.
    """
    row = provider_named(provider)
    found = CollectedCitations(row.name, documents)
    answer = JsonNode(plain(response))
    if isinstance(answer.value, list):
        answer = JsonNode([plain(chunk) for chunk in answer.value])
    if is_stream(answer):
        stream = stream_of(answer)
        parts = [frame.data for frame in stream.frames]
        answer = row.assemble(stream, found)
    else:
        parts = [answer]
    found.measurements, found.metadata = usage_of(row.name, parts), identity_of(row.name, parts)
    judge(answer, found)
    return row.adapt(answer, found)


def refuse_failure(response: Any) -> None:
    """Raise NoAnswer, with the provider's own message, when what came is an error of whichever provider."""
    refuse_any_error(JsonNode(plain(response)))


def provider_named(name: str) -> Provider:
    """The row of PROVIDERS; UsageError lists the known names."""
    for provider in PROVIDERS:
        if provider.name == name:
            return provider
    known = ", ".join(provider.name for provider in PROVIDERS)
    raise UsageError(f"there is no provider {name[:60]!r}", hint=f"known: {known}")
