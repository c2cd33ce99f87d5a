"""What a scoring run is asked for, and whether it can be meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalcontract.catalog import Catalogue
from evalcontract.errors import UsageError
from evalcontract.scoring.gating import check_ceilings, check_names, check_shares
from evalcontract.scoring.settings import Measure
from evalcontract.scoring.slices import Slicer

WORST = 5
MOST_REPETITIONS = 1000


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What a run is asked for beside the scores.

    `scores` are files of score records by others, whose measures join those of the run. `compare` is a file of
    predictions or of score records; `across_versions` allows one that was scored on another version of the dataset.
    `bounds` demands means by measure, of all items that the dataset can judge or of the share that `min_scored` gives
    by measure. `margins` says by measure how much worse than `compare` the run may be, `ceilings` what statistics such
    as `latency_ms.p95` must not exceed. `by` are JSON pointers to values of an item by which everything is broken down;
    names such as `recall_at_5[language=de]` gate one slice. `worst` is the number of items to name, ranked by the
    measure `worst_by` or by the mean over their measures. `repetitions` is how often each item was asked; by default as
    often as the item with the most records has them. `schema_type`, `own_types` and
    `catalogue` are as for `validate`; an own type is measured as the built-in one that it extends.
    """

    scores: tuple[str, ...] = ()
    compare: str | None = None
    across_versions: bool = False
    bounds: Mapping[str, float] | None = None
    min_scored: Mapping[str, float] | None = None
    margins: Mapping[str, float] | None = None
    ceilings: Mapping[str, float] | None = None
    by: tuple[str, ...] = ()
    worst: int = WORST
    worst_by: str | None = None
    repetitions: int | None = None
    schema_type: str | None = None
    own_types: tuple[str, ...] = ()
    catalogue: Catalogue | None = None


def check_request(wanted: ScoreRequest, measures: tuple[Measure, ...]) -> None:
    """Raise UsageError for gates on what isn't measured or can't be."""
    if wanted.repetitions is not None and not 1 <= wanted.repetitions <= MOST_REPETITIONS:
        raise UsageError(f"an item is asked 1 to {MOST_REPETITIONS:,} times, not {wanted.repetitions:,}")
    keys = Slicer(wanted.by).keys
    bounds, margins, ceilings = wanted.bounds or {}, wanted.margins or {}, wanted.ceilings or {}
    check_names([*bounds, *margins], measures, keys)
    check_names([wanted.worst_by] if wanted.worst_by else [], measures)
    check_ceilings(ceilings, keys)
    check_shares(bounds, bounds, "bound")
    check_shares(margins, margins, "margin")
    check_shares(wanted.min_scored or {}, [*bounds, *margins, *ceilings], "share of items")
    if margins and wanted.compare is None:
        raise UsageError("there is no run to be worse than", hint="name it with --compare")
