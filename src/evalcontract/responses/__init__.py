"""Live responses of retrieval-augmented services: do they carry citations as the contract says."""

from evalcontract.responses.errors import InvalidCitations, MissingPart, NoChoices
from evalcontract.responses.live import iter_rag_response_errors, validate_rag_response

__all__ = [
    "InvalidCitations",
    "MissingPart",
    "NoChoices",
    "iter_rag_response_errors",
    "validate_rag_response",
]
