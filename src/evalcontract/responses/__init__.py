"""Live responses of retrieval-augmented services: do they carry citations as the contract says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.lazy import lazily
from evalcontract.responses.errors import InvalidCitations, MissingPart, NoChoices
from evalcontract.responses.live import iter_rag_response_errors, validate_rag_response

if TYPE_CHECKING:
    from evalcontract.responses.identities import Identities as Identities
    from evalcontract.responses.shapes import JsonNode as JsonNode
    from evalcontract.responses.shapes import inside as inside
    from evalcontract.responses.shapes import misshapen as misshapen
    from evalcontract.responses.shapes import plain as plain

__all__ = [
    "InvalidCitations",
    "MissingPart",
    "NoChoices",
    "iter_rag_response_errors",
    "validate_rag_response",
]

__getattr__ = lazily(
    __name__,
    {
        "identities": "Identities",
        "shapes": "JsonNode inside misshapen plain",
    },
)
