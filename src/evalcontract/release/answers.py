"""What a release expects of one input: two items that ask the same must not expect what contradicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalcontract.validation import Violation
from evalcontract.values import digest, shown, stated


@dataclass(frozen=True, slots=True)
class Expected:
    """What an item expects of its input: digests of the answers that are right, and whether there is one."""

    item_id: str
    answers: frozenset[int]
    answerable: bool | None


@dataclass(slots=True)
class ExpectedAnswers:
    """Remembers, by digest of the input, what was expected first."""

    _first: dict[bytes, Expected] = field(default_factory=dict)

    def add(self, item: Mapping[str, Any]) -> Violation | None:
        """Take an item; the finding when it contradicts the first one with its input."""
        expected = expected_of(item)
        if expected is None:
            return None
        first = self._first.setdefault(asked_by(item), expected)
        return None if first is expected else contradiction(first, expected)


def asked_by(item: Mapping[str, Any]) -> bytes:
    """A digest of the input of an item: items that ask the same share it."""
    return digest(stated(item["input"]))


def expected_of(item: Mapping[str, Any]) -> Expected | None:
    """What an item expects; None for one without an input, an id or an expected output."""
    output, item_id = item.get("expected_output"), item.get("item_id")
    if not isinstance(output, Mapping) or not isinstance(item_id, str) or "input" not in item:
        return None
    return Expected(item_id, _answers(output), _boolean(output.get("answerable")))


def contradiction(first: Expected, expected: Expected) -> Violation | None:
    """The finding about an item that contradicts the first one with its input."""
    if first.item_id == expected.item_id or not _contradict(first, expected):
        return None
    return Violation(
        "contradicting-answers",
        f"asks the same as item {shown(first.item_id, 60)} and expects another answer",
        "/expected_output",
        hint="correct one of them, or make one item with alternative_responses",
        item_id=expected.item_id,
    )


def _answers(output: Mapping[str, Any]) -> frozenset[int]:
    texts = [output.get("response")]
    others = output.get("alternative_responses")
    texts += others if isinstance(others, list) else []
    said = (text.strip().casefold() for text in texts if isinstance(text, str) and text.strip())
    return frozenset(int.from_bytes(digest(text)[:8]) for text in said)


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _contradict(one: Expected, other: Expected) -> bool:
    if None not in (one.answerable, other.answerable) and one.answerable != other.answerable:
        return True
    return bool(one.answers and other.answers and not one.answers & other.answers)
