"""How far evaluators agree, and how well a judge does where people judged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import Any, Literal

from evalcontract.catalog import Catalogue
from evalcontract.checking import Progress, RunResult
from evalcontract.errors import UsageError
from evalcontract.scoring.files import Files
from evalcontract.scoring.join import Spool
from evalcontract.values import listed, shown

THRESHOLD = 0.5
MOST_CATEGORIES = 10
"""Ratings of more different kinds are no categories: Cohen's kappa says nothing about them."""
OURS = "evalcontract"
"""The evaluator of scores that name none."""

Level = Literal["nominal", "interval"]
Unit = tuple[str, str | None, int | None]
"""What was rated: an item, of a run, in a repetition."""
Rating = str | float
Score = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two evaluators on the `n` units that both rated.

    `same` is the share on which they say the same, `kappa` Cohen's kappa, None where it isn't defined: no unit in
    common, one category only, or ratings that are no categories.
    """

    first: str
    second: str
    n: int
    same: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class JudgeQuality:
    """A judge against the reference, on the `n` units to which both gave a value: positive is `threshold` or more.

    `precision` is None where the judge finds nothing positive, `recall` where the reference does.
    """

    judge: str
    reference: str
    n: int
    precision: float | None
    recall: float | None
    threshold: float


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """The evaluators of one metric. `alpha` is Krippendorff's, nominal for labels and interval for values.

    It is computed on the `units` with two ratings at least, and None without any, or where all ratings are the same.
    """

    metric: str
    level: Level
    evaluators: tuple[str, ...]
    units: int
    alpha: float | None
    pairs: tuple[PairAgreement, ...]
    judges: tuple[JudgeQuality, ...] = ()


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The agreement in files of score records. `alone` are metrics with one evaluator, which are not compared."""

    files: tuple[str, ...]
    metrics: tuple[MetricAgreement, ...]
    alone: tuple[str, ...]


def agreement_in(
    files: Sequence[str],
    reference: str | None = None,
    threshold: float = THRESHOLD,
    *,
    catalogue: Catalogue | None = None,
    progress: Progress | None = None,
) -> AgreementReport | RunResult:
    """The agreement of evaluators in files of score records; what `validate` would say, where one breaks its contract.

    Raises UsageError as `agreement` does, and where no metric has two evaluators; UnreadableInput.
    """
    read = Files(progress, catalogue)
    records: list[dict[str, Any]] = []
    with Spool() as spool:
        for file in files:
            read.records(file, "scores", spool, lambda record, _: records.append(record))
    if not read.sound:
        return read.result()
    metrics = agreement(records, reference, threshold)
    named = dict.fromkeys(metric for record in records for metric in record["scores"])
    alone = tuple(named.keys() - {found.metric for found in metrics})
    if not metrics:
        raise UsageError(
            "no metric has two evaluators",
            hint="name the files of all of them; evaluator says in each score who gave it",
        )
    return AgreementReport(tuple(files), metrics, tuple(sorted(alone)))


def agreement(
    records: Iterable[Mapping[str, Any]], reference: str | None = None, threshold: float = THRESHOLD
) -> tuple[MetricAgreement, ...]:
    """Agreement by metric, of score records that keep their contract; metrics of one evaluator are left out.

    Ratings are labels where each has one, else values; a score without either is no rating. With a `reference`, an
    evaluator such as a person, each other one is held against it. Sources: Cohen (1960), A coefficient of agreement
    for nominal scales; Krippendorff (2011), Computing Krippendorff's alpha-reliability. Raises UsageError for a
    reference that rated nothing, and for two ratings of one unit by one evaluator.
    """
    ratings = _ratings(records)
    evaluators = sorted({name for rated in ratings.values() for by in rated.values() for name in by})
    if reference is not None and reference not in evaluators:
        hint = f"there are {listed(evaluators, 10)}" if evaluators else None
        raise UsageError(f"{shown(reference, 60)} rated nothing", hint=hint)
    found = (_of_metric(metric, rated.values(), reference, threshold) for metric, rated in ratings.items())
    return tuple(result for result in found if len(result.evaluators) > 1)


def _ratings(records: Iterable[Mapping[str, Any]]) -> dict[str, dict[Unit, dict[str, Score]]]:
    ratings: dict[str, dict[Unit, dict[str, Score]]] = defaultdict(lambda: defaultdict(dict))
    for record in records:
        unit = (record["item_id"], record.get("run_id"), record.get("repetition"))
        for metric, score in record["scores"].items():
            if score.get("label") is None and score.get("value") is None:
                continue
            evaluator = score.get("evaluator") or OURS
            if evaluator in ratings[metric][unit]:
                raise UsageError(
                    f"{shown(evaluator, 60)} rated {shown(metric, 60)} of item {shown(record['item_id'], 60)} twice",
                    hint="keep one of them, or number them with repetition",
                )
            ratings[metric][unit][evaluator] = score
    return ratings


def _of_metric(
    metric: str, rated: Iterable[Mapping[str, Score]], reference: str | None, threshold: float
) -> MetricAgreement:
    rated = list(rated)
    by_label = all(score.get("label") is not None for by in rated for score in by.values())
    labels = [_by_evaluator(by, "label") for by in rated]
    values = [_by_evaluator(by, "value") for by in rated]
    units = labels if by_label else values
    evaluators = tuple(sorted({name for unit in units for name in unit}))
    several = [list(unit.values()) for unit in units if len(unit) > 1]
    categorical = len({rating for unit in units for rating in unit.values()}) <= MOST_CATEGORIES
    others = [name for name in evaluators if reference in evaluators and name != reference]
    return MetricAgreement(
        metric,
        "nominal" if by_label else "interval",
        evaluators,
        len(several),
        _nominal_alpha(several) if by_label else _interval_alpha(several),
        tuple(_pair(*names, units, categorical) for names in combinations(evaluators, 2)),
        tuple(_quality(name, str(reference), values, threshold) for name in others),
    )


def _by_evaluator(scores: Mapping[str, Score], key: str) -> dict[str, Any]:
    return {name: score[key] for name, score in scores.items() if score.get(key) is not None}


def _pair(first: str, second: str, units: Sequence[Mapping[str, Rating]], categorical: bool) -> PairAgreement:
    both = [(unit[first], unit[second]) for unit in units if first in unit and second in unit]
    if not both:
        return PairAgreement(first, second, 0, None, None)
    n = len(both)
    same = sum(one == other for one, other in both) / n
    ones, others = Counter(one for one, _ in both), Counter(other for _, other in both)
    by_chance = sum(count * others[rating] for rating, count in ones.items()) / n**2
    kappa = (same - by_chance) / (1 - by_chance) if categorical and by_chance < 1 else None
    return PairAgreement(first, second, n, same, kappa)


def _nominal_alpha(units: Sequence[Sequence[Rating]]) -> float | None:
    """From the ratings that differ within units, and those that would differ by chance."""
    totals = Counter(rating for unit in units for rating in unit)
    n = sum(totals.values())
    by_chance = n**2 - sum(count**2 for count in totals.values())
    if not by_chance:
        return None
    observed = fsum(
        (len(unit) ** 2 - sum(count**2 for count in Counter(unit).values())) / (len(unit) - 1)
        for unit in units
    )
    return 1 - (n - 1) * observed / by_chance


def _interval_alpha(units: Sequence[Sequence[Any]]) -> float | None:
    """The same with squared distances."""
    everything = [rating for unit in units for rating in unit]
    if len(set(everything)) < 2:
        return None
    n = len(everything)
    by_chance = n * _squares(everything)
    observed = fsum(len(unit) * _squares(unit) / (len(unit) - 1) for unit in units)
    return 1 - (n - 1) * observed / by_chance


def _squares(numbers: Sequence[float]) -> float:
    """The sum of squared distances from the mean: over n, half that of all pairs of them from each other."""
    mean = fsum(numbers) / len(numbers)
    return fsum((number - mean) ** 2 for number in numbers)


def _quality(
    judge: str, reference: str, units: Sequence[Mapping[str, float]], threshold: float
) -> JudgeQuality:
    both = [
        (unit[judge] >= threshold, unit[reference] >= threshold)
        for unit in units
        if judge in unit and reference in unit
    ]
    hits = sum(found and wanted for found, wanted in both)
    found, wanted = (sum(pair[side] for pair in both) for side in (0, 1))
    precision, recall = (hits / count if count else None for count in (found, wanted))
    return JudgeQuality(judge, reference, len(both), precision, recall, threshold)
