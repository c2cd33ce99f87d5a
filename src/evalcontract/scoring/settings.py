"""What a scoring run measures and how: the caller's words, checked once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from evalcontract.errors import UsageError
from evalcontract.metrics import (
    GROUNDEDNESS_FORMULA,
    METRICS,
    Metric,
    MetricOptions,
    check_k,
    check_options,
    metric,
)
from evalcontract.scoring.judged import judged_metric
from evalcontract.scoring.own import own_metric

DEFAULT_KS = (1, 5, 10)
_CUT = re.compile(r"(.+_at_)([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric as it is reported: `recall_at_5` is the metric `recall_at_k` with k = 5."""

    name: str
    metric: Metric
    k: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """How predictions are scored; plain values only, so that it can be sent to other processes.

    `metrics` are names such as `answer_f1`, `recall_at_k` (each of `ks`) or `recall_at_3`. None leaves the
    choice to the schema type of each item; named metrics are measured on every item. `own` are functions such as
    `package.module:function`, which are measured as well: see `own_metric`. `judged` are the names of what others
    scored, such as `helpfulness@judge-2`.
    """

    metrics: tuple[str, ...] | None = None
    ks: tuple[int, ...] = DEFAULT_KS
    options: MetricOptions = field(default_factory=MetricOptions)
    own: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.ks:
            raise UsageError("no k is given", hint="write for example --k 1,5,10")
        for k in self.ks:
            check_k(k)
        check_options(self.options)
        self.measures()

    def measures(self) -> tuple[Measure, ...]:
        """What is measured, in the order of the metrics' table; UsageError for an unknown name."""
        own = tuple(Measure(found.name, found) for found in map(own_metric, dict.fromkeys(self.own)))
        for number, measure in enumerate(own):
            if any(measure.name == other.name for other in own[:number]):
                raise UsageError(f"two metrics are called {measure.name}", hint="rename one of the functions")
        own += tuple(Measure(name, judged_metric(name)) for name in self.judged)
        if self.metrics is None:
            return (*(measure for found in METRICS for measure in self._cuts(found)), *own)
        wanted = {measure.name: measure for name in self.metrics for measure in self._named(name)}
        if not wanted:
            raise UsageError("no metric is named", hint="write for example --metrics answer_f1,ndcg_at_k")
        order = {found.name: number for number, found in enumerate(METRICS)}
        ordered = sorted(wanted.values(), key=lambda measure: (order[measure.metric.name], measure.k or 0))
        return (*ordered, *own)

    def without_reference(self) -> ScoreSettings:
        """These settings with the metrics that need nothing of a dataset, where none are named."""
        if self.metrics is not None:
            return self
        names = (found.name for found in METRICS if not _needs_reference(found))
        return replace(self, metrics=tuple(names))

    def recorded(self) -> dict[str, Any]:
        """What decides the value of a metric, for the record; `k` is part of a measure's name."""
        kept = asdict(self.options)
        del kept["k"], kept["tool_parameters"]
        return {
            **kept,
            "abstentions": list(self.options.abstentions),
            "groundedness_formula": GROUNDEDNESS_FORMULA,
        }

    def _cuts(self, found: Metric) -> list[Measure]:
        if not found.takes_k:
            return [Measure(found.name, found)]
        return [Measure(f"{found.name.removesuffix('k')}{k}", found, k) for k in sorted(set(self.ks))]

    def _named(self, name: str) -> list[Measure]:
        cut = _CUT.fullmatch(name)
        if cut is None:
            return self._cuts(metric(name))
        return replace(self, metrics=None, ks=(int(cut[2]),))._cuts(metric(f"{cut[1]}k"))


def _needs_reference(found: Metric) -> bool:
    annotated = any(path.startswith("expected_output") for path in found.item_fields)
    return annotated or found.name.startswith("retrieved_text_")


def differing(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """The names of recorded settings that are not the same."""
    return sorted(name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name))


def names_in(text: str) -> tuple[str, ...]:
    """The names in `a,b`."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


def numbers_in(text: str) -> tuple[int, ...]:
    """The whole numbers in `1,5,10`; UsageError for anything else."""
    names: Sequence[str] = names_in(text)
    if not names or not all(re.fullmatch(r"[0-9]{1,9}", name, re.ASCII) for name in names):
        raise UsageError(f"k is a list of whole numbers, not {text!r}", hint="write for example --k 1,5,10")
    return tuple(int(name) for name in names)


def bounds_in(option: str, texts: Iterable[str]) -> dict[str, float]:
    """The numbers of `answer_f1=0.6` by name; UsageError for anything else, and for a name that stands twice."""
    return _numbers_by_name(option, (_bound(option, text) for text in texts))


def margins_in(option: str, texts: Iterable[str]) -> dict[str, float]:
    """The same of `answer_f1=0.02`, or of `answer_f1` alone, which is 0. A slice has an equals sign of its own."""
    return _numbers_by_name(
        option,
        (
            (text.strip(), 0.0) if "=" not in text or text.endswith("]") else _bound(option, text)
            for text in texts
        ),
    )


def _numbers_by_name(option: str, rows: Iterable[tuple[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, number in rows:
        if name in found:
            raise UsageError(f"{option} names {name} twice", hint="keep the one that should hold")
        found[name] = number
    return found


def _bound(option: str, text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise UsageError(
            f"a bound is METRIC=VALUE, not {text!r}", hint=f"write for example {option} answer_f1=0.6"
        ) from None
