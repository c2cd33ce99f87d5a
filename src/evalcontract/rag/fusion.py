"""Merging rankings that have nothing in common but their ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isfinite
from typing import NamedTuple

from evalcontract.errors import RagTypeError, RagValueError


class FusedDocument(NamedTuple):
    """A document of a fused ranking with its fusion score."""

    document_id: str
    score: float


def reciprocal_rank_fusion(
    *rankings: Iterable[str], k: float = 60, weights: Sequence[float] | None = None
) -> list[FusedDocument]:
    """Fuse any number of rankings of ids: a document's score is the sum of weight / (k + rank) over the
    rankings.

    Ranks begin at 1 and are counted after duplicates within a ranking are dropped (the first place counts).
    Equal scores are ordered by id. Source: Cormack, Clarke and Büttcher, 2009.

    Raises RagTypeError (a TypeError) for an id that isn't a string, so that 4 and "4" are never two
    documents, and RagValueError (a ValueError) for an empty id, k that isn't positive, or weights that don't
    fit the rankings.
    """
    if not _is_finite_number(k) or k <= 0:
        raise RagValueError(f"k must be a positive number, not {k!r}")
    if weights is None:
        weights = [1.0] * len(rankings)
    if len(weights) != len(rankings):
        raise RagValueError(f"{len(rankings)} rankings were given with {len(weights)} weights")
    if not all(_is_finite_number(weight) and weight >= 0 for weight in weights):
        raise RagValueError("weights must be finite numbers of at least 0")
    terms: defaultdict[str, list[float]] = defaultdict(list)
    for number, (ranking, weight) in enumerate(zip(rankings, weights, strict=True)):
        for rank, id_ in enumerate(dict.fromkeys(_checked_ids(ranking, number)), 1):
            terms[id_].append(weight / (k + rank))
    fused = [FusedDocument(id_, fsum(parts)) for id_, parts in terms.items()]
    return sorted(fused, key=lambda document: (-document.score, document.document_id))


def _checked_ids(ranking: Iterable[str], number: int) -> list[str]:
    if isinstance(ranking, str | bytes | Mapping):
        raise RagTypeError(f"ranking {number + 1} must be a list of ids, not {type(ranking).__name__}")
    ids = list(ranking)
    for position, id_ in enumerate(ids):
        if not isinstance(id_, str):
            found = type(id_).__name__
            raise RagTypeError(
                f"ranking {number + 1} has an id at place {position + 1} that is a {found}, not a string",
                hint="turn ids into strings the same way in every ranking",
            )
        if not id_:
            raise RagValueError(f"ranking {number + 1} has an empty id at place {position + 1}")
    return ids


def _is_finite_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
