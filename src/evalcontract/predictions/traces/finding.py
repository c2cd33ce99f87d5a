"""The questions that one asks of a trace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from evalcontract.predictions.traces.langfuse import is_langfuse, read_langfuse
from evalcontract.predictions.traces.observations import Kind, Observation, Trace
from evalcontract.predictions.traces.otel import is_otel, read_otel
from evalcontract.responses import JsonNode, misshapen, plain


def read_trace(document: Any) -> Trace:
    """The trace in the JSON of an OpenTelemetry export, of SDK spans, or of Langfuse; a Trace is one already.

    Raises UnexpectedShape when it is none of these, holds several traces, or one observation twice with different
    content.
    """
    if isinstance(document, Trace):
        return document
    value = plain(document)
    if isinstance(value, list):
        value = [plain(element) for element in value]
    if is_langfuse(value):
        return replace(read_langfuse(JsonNode(value)), source=value)
    if is_otel(value):
        return replace(read_otel(JsonNode(value)), source=value)
    hint = "OTLP JSON, a list of ReadableSpan.to_json objects, or a Langfuse trace with its observations"
    raise misshapen((), "this is no trace of a known shape", hint)


def find_observations(
    trace: Any, *, names: str | Iterable[str] = (), kinds: Kind | Iterable[Kind] = ()
) -> list[Observation]:
    """The observations with one of the names and one of the kinds, by start; nothing given means any.

    `trace` is a Trace, or what `read_trace` reads.
    """
    wanted_names = {names} if isinstance(names, str) else set(names)
    wanted_kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    return [
        observation
        for observation in read_trace(trace).observations
        if (not wanted_names or observation.name in wanted_names)
        and (not wanted_kinds or observation.kind in wanted_kinds)
    ]


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that a trace lacks: which part of it (see PARTS), and in words which one."""

    part: str
    said: str


PARTS = ("root", "parent", "end", "observation", "result", "answer", "documents")
"""What a trace may lack, by the names with which a record is taken without it."""


def missing_from(trace: Any, *, expected: Iterable[str] = (), remote_parent: bool = False) -> tuple[str, ...]:
    """What a trace lacks, in words; nothing when it is whole.

    Every observation has to have ended, every parent has to be there, one has to be the root, and each of
    the `expected` names has to occur. With `remote_parent` one parent may be outside: another service's.
    """
    return tuple(
        lack.said for lack in lacks(read_trace(trace), expected=expected, remote_parent=remote_parent)
    )


def lacks(trace: Trace, *, expected: Iterable[str] = (), remote_parent: bool = False) -> list[Lack]:
    """The same, with the part that each is."""
    known = {observation.id for observation in trace.observations}
    missing = []
    if not trace.observations:
        missing.append(Lack("observation", "any observation"))
    absent = {
        observation.parent_id: observation.label
        for observation in trace.observations
        if observation.parent_id is not None and observation.parent_id not in known
    }
    if remote_parent and not trace.roots and len(absent) == 1:
        absent = {}
    elif trace.observations and not trace.roots:
        missing.append(Lack("root", "the root"))
    missing += [Lack("parent", f"{parent[:40]}, the parent of {label}") for parent, label in absent.items()]
    missing += [
        Lack("end", f"the end of {observation.label}")
        for observation in trace.observations
        if observation.ended is None
    ]
    names = {observation.name for observation in trace.observations}
    missing += [
        Lack("observation", f"an observation named {name[:60]}")
        for name in dict.fromkeys(expected)
        if name not in names
    ]
    return missing
