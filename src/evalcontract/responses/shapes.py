"""Walking through JSON that others made, so that whatever is not as documented is named by its pointer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from evalcontract.errors import UnexpectedShape
from evalcontract.reading import Refusal, parse
from evalcontract.validation import Violation
from evalcontract.values import actual, pointer

_Step = str | int


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A JSON value and where it stands. Every reading method raises UnexpectedShape when it can't be kept."""

    value: Any
    path: tuple[_Step, ...] = ()

    @property
    def pointer(self) -> str:
        return pointer(self.path)

    def get(self, *names: str) -> JsonNode | None:
        """The first of these keys that is there and not null; the node must be an object."""
        value = self.object()
        for name in names:
            if value.get(name) is not None:
                return JsonNode(value[name], (*self.path, name))
        return None

    def need(self, *names: str) -> JsonNode:
        """The same, when the key has to be there."""
        found = self.get(*names)
        if found is None:
            raise misshapen((*self.path, names[0]), f"{names[0]} is required but missing")
        return found

    def follow(self, *names: str) -> JsonNode | None:
        """The node that a path of keys leads to, or None when one of them is absent or null."""
        node: JsonNode | None = self
        for name in names:
            node = node.get(name) if node is not None else None
        return node

    def items(self, *names: str) -> list[JsonNode]:
        """The elements of this array or, with names, of the first array of that name; none when it is absent."""
        node = self.get(*names) if names else self
        if node is None:
            return []
        if not isinstance(node.value, list):
            raise node.unlike("an array")
        return [JsonNode(element, (*node.path, index)) for index, element in enumerate(node.value)]

    def object(self) -> Mapping[str, Any]:
        if not isinstance(self.value, dict):
            raise self.unlike("an object")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.unlike("a string")
        return self.value

    def integer(self) -> int:
        """An integer; 7.0 is one."""
        if isinstance(self.value, float) and self.value.is_integer():
            return int(self.value)
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.unlike("an integer")
        return self.value

    def number(self) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.unlike("a number")
        return self.value

    def written_at(self, *names: str) -> str:
        """The text at the first of these keys exactly as it is; empty when all are absent or null."""
        found = self.get(*names)
        return found.text() if found is not None else ""

    def text_at(self, *names: str) -> str | None:
        """The first of these keys that holds a text; absent, null and blank all mean None."""
        for name in names:
            found = self.get(name)
            if found is not None and found.text().strip():
                return found.text()
        return None

    def without(self, *names: str) -> dict[str, Any]:
        """The object's other keys that are not null."""
        return {key: value for key, value in self.object().items() if key not in names and value is not None}

    def unlike(self, expected: str, hint: str | None = None) -> UnexpectedShape:
        return misshapen(self.path, f"expected {expected}, got {actual(self.value)}", hint)


def misshapen(path: tuple[_Step, ...], message: str, hint: str | None = None) -> UnexpectedShape:
    """The error for one place that is not as documented."""
    violation = Violation("unexpected-shape", message, pointer(path), hint=hint)
    return UnexpectedShape(f"{pointer(path) or '(document)'}: {message}", violations=(violation,), hint=hint)


def plain(value: Any) -> Any:
    """A value as JSON: an object with `model_dump` is dumped, anything else comes back as it is."""
    if isinstance(value, BaseModel):
        # SDKs build their models unchecked, so a mismatch with the declared types is no news to the user.
        return value.model_dump(mode="json", warnings=False)
    dump = getattr(value, "model_dump", None)
    return dump() if callable(dump) and not isinstance(value, type) else value


def inside(node: JsonNode) -> JsonNode:
    """What the JSON text in a node says; its pointers go on from the node's own. Parsed once, strictly."""
    try:
        return JsonNode(parse(node.text().encode())[0], node.path)
    except (Refusal, UnicodeEncodeError):
        raise node.unlike("JSON text") from None


def walk_text(nodes: list[JsonNode]) -> Iterator[str]:
    """The text of parts such as `{"text": ...}`, in order."""
    for node in nodes:
        text = node.get("text")
        if text is not None:
            yield text.text()
