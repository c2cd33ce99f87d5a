"""Traces of any system in one form, and the questions one asks of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.responses.shapes import Node, misshapen, plain
from evalcontract.values import actual

Kind = Literal["agent", "generation", "tool", "retriever", "other"]

_MAX_DEPTH = 40
_TEXT_KEYS = ("content", "text", "response", "answer", "output")


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a model or to it: its text, the calls in it, and the results of calls by their ids."""

    role: str
    text: str
    calls: tuple[ToolUse, ...] = ()
    results: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """One step of a run: a span of OpenTelemetry, an observation of Langfuse. Times are in nanoseconds."""

    id: str
    parent_id: str | None
    name: str
    kind: Kind
    started: int
    ended: int | None
    input: Node
    output: Node
    tool: ToolUse | None = None
    heard: tuple[Said, ...] = ()
    said: tuple[Said, ...] = ()
    documents: Node | None = None
    tokens: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """One run. `output` is what the trace itself records as its result; `cost` is in US dollars."""

    id: str
    observations: tuple[Observation, ...]
    output: Node | None = None
    cost: float | None = None

    @property
    def roots(self) -> tuple[Observation, ...]:
        """The observations that have no parent."""
        return tuple(each for each in self.observations if each.parent_id is None)

    @property
    def entry(self) -> Observation | None:
        """The first root; without one, the first observation whose parent is not in the trace."""
        known = {each.id for each in self.observations}
        outer = (each for each in self.observations if each.parent_id not in known)
        return next(iter([*self.roots, *outer]), None)


def find_observations(
    trace: Trace, *, names: Iterable[str] = (), kinds: Iterable[Kind] = ()
) -> Iterator[Observation]:
    """The observations with one of the names and one of the kinds, by start; nothing given means any."""
    wanted_names, wanted_kinds = set(names), set(kinds)
    for each in trace.observations:
        if (not wanted_names or each.name in wanted_names) and (
            not wanted_kinds or each.kind in wanted_kinds
        ):
            yield each


def missing_from(
    trace: Trace, *, expected: Iterable[str] = (), remote_parent: bool = False
) -> tuple[str, ...]:
    """What a trace lacks, in words; nothing when it is whole.

    Every observation has to have ended, every parent has to be there, one has to be the root, and each of
    the `expected` names has to occur. With `remote_parent` one parent may be outside: another service's.
    """
    known = {each.id for each in trace.observations}
    missing = []
    if not trace.observations:
        missing.append("any observation")
    absent = {
        each.parent_id: each.name
        for each in trace.observations
        if each.parent_id is not None and each.parent_id not in known
    }
    if remote_parent and not trace.roots and len(absent) == 1:
        absent = {}
    elif trace.observations and not trace.roots:
        missing.append("the root")
    missing += [f"{parent[:40]}, the parent of {name[:60]}" for parent, name in absent.items()]
    missing += [f"the end of {each.name[:60]}" for each in trace.observations if each.ended is None]
    names = {each.name for each in trace.observations}
    missing += [f"an observation named {name[:60]}" for name in dict.fromkeys(expected) if name not in names]
    return tuple(missing)


def as_dict(value: Any) -> dict[str, Any]:
    """An object, whether it is one already, JSON text of one (parsed once), or has `model_dump`.

    Raises UnexpectedShape for anything else.
    """
    value = plain(value)
    if isinstance(value, str):
        try:
            value = parse(value.encode())[0]
        except (Refusal, UnicodeEncodeError):
            raise misshapen((), f"expected an object, got {actual(value)}") from None
    if not isinstance(value, dict):
        raise misshapen((), f"expected an object, got {actual(value)}")
    return value


def coerce_text(value: Any) -> str | None:
    """The text that a recorded output stands for; None for null.

    A string is itself, also when it looks like JSON. Of an object it is the text under content, text,
    response, answer or output; of a list of parts their texts together; of a list of messages the last one
    of the assistant. Raises UnexpectedShape when there is none: nothing is guessed.
    """
    return text_of(Node(plain(value)))


def text_of(node: Node) -> str | None:
    """The same for a value whose place is known."""
    value = node.value
    if value is None or isinstance(value, str):
        return value
    if len(node.path) > _MAX_DEPTH:
        raise node.unlike(f"a text at most {_MAX_DEPTH} levels deep")
    if isinstance(value, dict):
        for key in _TEXT_KEYS:
            if key in value:
                return text_of(Node(value[key], (*node.path, key)))
    elif isinstance(value, list) and value:
        items = node.items()
        if all(isinstance(each.value, dict) and "role" in each.value for each in items):
            spoken = [each for each in items if each.value["role"] == "assistant"]
            if spoken:
                return text_of(spoken[-1])
        else:
            texts = [text_of(each) for each in items]
            return "".join(text for text in texts if text)
    raise node.unlike(f"a text, or an object with {', '.join(_TEXT_KEYS)}")


def json_or_text(value: Any) -> Any:
    """An object or array that was recorded as JSON text; any other value as it is."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return parse(value.encode())[0]
        except (Refusal, UnicodeEncodeError):
            return value
    return value
