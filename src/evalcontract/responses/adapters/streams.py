"""Answers that arrive in frames: the text of server-sent events, or the list of their JSON objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evalcontract.errors import NoAnswer
from evalcontract.responses.adapters.adapted import CollectedCitations
from evalcontract.responses.shapes import JsonNode, inside
from evalcontract.validation import Violation

_DONE = "[DONE]"
_END_OF_LINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its JSON, and the name of its event where the stream gives one."""

    data: JsonNode
    event: str | None = None

    @property
    def kind(self) -> str:
        """The `type` of the frame, else the name of its event."""
        return self.data.text_at("type") or self.event or ""

    @property
    def tagged(self) -> tuple[str, JsonNode]:
        """Name and content of a frame that is an object of one key, or whose event has the name."""
        value = self.data.object()
        if self.event is not None and self.event not in value:
            return self.event, self.data
        name = next(iter(value), "")
        inner = self.data.get(name) if name else None
        return name, inner if inner is not None else JsonNode({}, (*self.data.path, name))


@dataclass(frozen=True, slots=True)
class Stream:
    """The frames of an answer in order, and whether [DONE] ended them."""

    frames: tuple[Frame, ...]
    done: bool


def is_stream(response: JsonNode) -> bool:
    """Whether an answer came in frames: as text, as an array, or under `stream` as boto3 names it."""
    value = response.value
    return isinstance(value, str | list) or (
        isinstance(value, dict) and isinstance(value.get("stream"), list)
    )


def stream_of(response: JsonNode) -> Stream:
    """The frames up to [DONE]. Raises UnexpectedShape, by the line, for data that is not JSON."""
    if isinstance(response.value, dict):
        response = response.need("stream")
    found = map(Frame, response.items()) if isinstance(response.value, list) else _events(response)
    frames: list[Frame] = []
    for frame in found:
        if frame.data.value == _DONE:
            return Stream(tuple(frames), done=True)
        frame.data.object()
        frames.append(frame)
    return Stream(tuple(frames), done=False)


def _events(response: JsonNode) -> Iterator[Frame]:
    """The events of a text, as the standard of server-sent events has them; the last may lack its blank line."""
    text = response.text().removeprefix("\ufeff")
    if text.lstrip()[:1] in ("{", "["):  # an error comes as plain JSON where events were asked for
        body = inside(JsonNode(text.strip(), ()))
        yield from map(Frame, body.items() if isinstance(body.value, list) else [body])
        return
    event: str | None = None
    data: list[str] = []
    begun = 0
    seen = False
    for index, line in enumerate([*_END_OF_LINE.split(text), ""]):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            begun = begun if data else index
            data.append(value)
        elif name == "event":
            event = value
        elif not line:
            seen = seen or bool(data)
            if data:
                written = JsonNode("\n".join(data), (begun,))
                yield Frame(written if written.value.strip() == _DONE else inside(written), event)
            event, data = None, []
    if not seen:
        raise response.unlike("an event stream", "no line begins with data:")


def ends_early(stream: Stream, without: str) -> NoAnswer:
    """The error for a stream whose last frame has not come."""
    message = f"the stream ends early: after {len(stream.frames)} frames, without {without}"
    violation = Violation("ends-early", message, "")
    return NoAnswer(message, violations=(violation,), hint="ask again, and keep the stream to its end")


def keep_unknown(frames: list[Frame], found: CollectedCitations) -> None:
    """Frames that the provider does not document are kept in the context, and counted in a notice."""
    if not frames:
        return
    kinds = list(dict.fromkeys(frame.kind or next(iter(frame.data.object()), "no name") for frame in frames))
    named = ", ".join(kind[:40] for kind in kinds[:5])
    count = "1 frame is" if len(frames) == 1 else f"{len(frames)} frames are"
    found.context["unknown_frames"] = [frame.data.value for frame in frames]
    found.notice("unknown-frame", f"{count} of no known kind, and kept as they came: {named}", frames[0].data)
