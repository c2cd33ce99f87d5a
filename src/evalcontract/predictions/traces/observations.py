"""Traces of any system in one form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from evalcontract.predictions.chat import Said
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.responses import JsonNode, misshapen
from evalcontract.values import Notice, same_value

Kind = Literal["agent", "generation", "tool", "retriever", "reranker", "handoff", "other"]

_MAX_ANCESTORS = 64


@dataclass(frozen=True, slots=True)
class Observation:
    """One step of a run: a span of OpenTelemetry, an observation of Langfuse. Times are in nanoseconds.

    `input` and `output` are what was recorded: `as_dict` and `coerce_text` read them. `handoff_to` is to whom a step of
    kind handoff hands over, where that was recorded.
    """

    id: str
    parent_id: str | None
    name: str
    kind: Kind
    started: int
    ended: int | None
    input: JsonNode
    output: JsonNode
    tool: ToolUse | None = None
    heard: tuple[Said, ...] = ()
    said: tuple[Said, ...] = ()
    documents: JsonNode | None = None
    tokens: dict[str, float] = field(default_factory=dict)
    cost: float | None = None
    handoff_to: str | None = None

    @property
    def looks_up(self) -> bool:
        """Whether it is a tool or a retrieval, which gives a model something, and the user nothing."""
        return self.kind in ("tool", "retriever", "reranker")

    @property
    def label(self) -> str:
        """Its name or, where it has none, its kind and its id."""
        return self.name[:60] or f"the {self.kind if self.kind != 'other' else 'observation'} {self.id[:40]}"


@dataclass(frozen=True, slots=True)
class Trace:
    """One run. `output` is what the trace itself records as its result; `cost` is in US dollars.

    `source` is the JSON that it was read from.
    """

    id: str
    observations: tuple[Observation, ...]
    output: JsonNode | None = None
    cost: float | None = None
    notices: tuple[Notice, ...] = ()
    source: Any = field(default=None, repr=False, compare=False)
    _by_id: dict[str, Observation] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._by_id.update((step.id, step) for step in self.observations)

    @property
    def roots(self) -> tuple[Observation, ...]:
        """The observations that have no parent."""
        return tuple(observation for observation in self.observations if observation.parent_id is None)

    @property
    def entry(self) -> Observation | None:
        """The root with most below it, of these the first that looks nothing up; without a root, the first whose
        parent is not there.
        """
        roots = self.roots or tuple(step for step in self.observations if step.parent_id not in self._by_id)
        if len(roots) < 2:
            return next(iter(roots), None)
        below = dict.fromkeys((root.id for root in roots), 0)
        tops: dict[str, str] = {}
        for step in self.observations:
            path = {step.id: None}
            while step.id not in tops and (parent := self._by_id.get(step.parent_id or "")) is not None:
                if parent.id in path:
                    break
                path[parent.id] = None
                step = parent
            top = tops.get(step.id, step.id)
            tops |= dict.fromkeys(path, top)
            below[top] = below.get(top, 0) + 1
        return max(roots, key=lambda root: (below[root.id], not root.looks_up))

    def ancestors(self, step: Observation) -> Iterator[Observation]:
        """The parent, its parent, and so on, as far as they are in the trace; no more than wrap each other in life."""
        seen = {step.id}
        while (parent := self._by_id.get(step.parent_id or "")) is not None and parent.id not in seen:
            if len(seen) > _MAX_ANCESTORS:
                return
            seen.add(parent.id)
            yield parent
            step = parent

    def not_wrapped(self, steps: Iterable[Observation]) -> list[Observation]:
        """Those of the steps that run within no other of them: what wraps a call and the call count once."""
        given = list(steps)
        ids = {step.id for step in given}
        return [
            step
            for step in given
            if not any(outer.id in ids and _within(step, outer) for outer in self.ancestors(step))
        ]


def _within(step: Observation, outer: Observation) -> bool:
    ends = outer.ended is None or (step.ended is not None and step.ended <= outer.ended)
    return outer.started <= step.started and ends


def counted_once(nodes: Iterable[tuple[str, JsonNode]], notices: list[Notice]) -> list[JsonNode]:
    """The nodes of which each id stands once. An identical repeat is dropped with a notice.

    Raises UnexpectedShape for a repeat that differs.
    """
    known: dict[str, JsonNode] = {}
    repeats: list[JsonNode] = []
    for name, node in nodes:
        first = known.setdefault(name, node)
        if first is node:
            continue
        if not same_value(first.value, node.value):
            message = f"{name[:60]} stands at {first.pointer or '/'} too, with other content"
            raise misshapen(node.path, message, "one id is one observation: give the one that is whole")
        repeats.append(node)
    if repeats:
        count = "1 observation stands" if len(repeats) == 1 else f"{len(repeats)} observations stand"
        notices.append(
            Notice("repeated-observation", f"{count} in the trace again and counted once", repeats[0].pointer)
        )
    return list(known.values())
