"""What a dataset consists of, in numbers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from evalcontract.datasets import Contents, Dataset, source_of
from evalcontract.release.keys import KeyUnions, PathTable, key_path
from evalcontract.validation import declaration_of, item_declaration

NONE_DECLARED = "none declared"
_EXACT_BELOW = 1000


@dataclass(slots=True)
class Spread:
    """How numbers are spread: exact but for the median, which is rounded to three digits from 1000 on."""

    count: int = 0
    total: int = 0
    low: int | None = None
    high: int | None = None
    _seen: Counter[int] = field(default_factory=Counter)

    def add(self, number: int) -> None:
        """Take in one more number, 0 or higher."""
        self.count += 1
        self.total += number
        self.low = number if self.low is None else min(self.low, number)
        self.high = number if self.high is None else max(self.high, number)
        self._seen[number if number < _EXACT_BELOW else int(float(f"{number:.3g}"))] += 1

    @property
    def mean(self) -> float | None:
        """The arithmetic mean; None without numbers."""
        return self.total / self.count if self.count else None

    def histogram(self, bins: int = 10) -> tuple[int, ...]:
        """How many of the numbers lie in each of so many equal parts of low..high; nothing without numbers."""
        if self.low is None or self.high is None:
            return ()
        width = (self.high - self.low + 1) / bins
        counts = [0] * bins
        for number, count in self._seen.items():
            at = int((min(max(number, self.low), self.high) - self.low) / width)
            counts[min(at, bins - 1)] += count
        return tuple(counts)

    @property
    def median(self) -> int | None:
        """The lower median; None without numbers."""
        passed = 0
        for number in sorted(self._seen):
            passed += self._seen[number]
            if passed * 2 >= self.count:
                return number
        return None


@dataclass(slots=True)
class DatasetStats:
    """Counts over one dataset.

    `types` counts items by schema type. `turns` are messages an item. Lengths are in characters. `offered`
    and `called` count items by tool. `letters` counts letters of messages and responses by script, `scripts`
    items by the script that most of their letters are of.
    """

    file: str
    items: int = 0
    types: Counter[str] = field(default_factory=Counter)
    turns: Spread = field(default_factory=Spread)
    lengths: dict[str, Spread] = field(
        default_factory=lambda: {"message": Spread(), "passage": Spread(), "response": Spread()}
    )
    offered: Counter[str] = field(default_factory=Counter)
    called: Counter[str] = field(default_factory=Counter)
    letters: Counter[str] = field(default_factory=Counter)
    scripts: Counter[str] = field(default_factory=Counter)
    keys: KeyUnions = field(default_factory=KeyUnions)
    paths: PathTable = field(default_factory=PathTable)


def dataset_stats(dataset: Dataset) -> DatasetStats:
    """Count a dataset, item by item. ContractViolation when it can't be read to its end."""
    source = source_of(dataset)
    contents = Contents(source)
    declared = declaration_of((contents.envelope or {}).get("metadata")).type
    stats = DatasetStats(source.label)
    for document in contents.items():
        stats.items += 1
        if isinstance(document.value, dict):
            _count(stats, document.value, declared)
    return stats


def _count(stats: DatasetStats, item: dict[str, Any], declared: str | None) -> None:
    stats.types[item_declaration(item).type or declared or NONE_DECLARED] += 1
    stats.keys.add(item, None)
    stats.paths.add(item)
    inputs, output = _object(item.get("input")), _object(item.get("expected_output"))
    messages = _list(inputs.get("messages"))
    stats.turns.add(len(messages))
    texts = [text for message in messages if isinstance(text := _object(message).get("content"), str)]
    response = output.get("response")
    passages = [passage for passage in _list(inputs.get("context")) if isinstance(passage, str)]
    responses = [response] if isinstance(response, str) else []
    for what, found in (("message", texts), ("passage", passages), ("response", responses)):
        for text in found:
            stats.lengths[what].add(len(text))
    stats.offered.update({tool for tool in _list(inputs.get("available_tools")) if isinstance(tool, str)})
    calls = (_object(call).get("name") for call in _list(output.get("tool_calls")))
    stats.called.update({call for call in calls if isinstance(call, str)})
    letters = Counter[str]()
    for text in (*texts, *responses):
        for char, count in Counter(text).items():
            if char.isalpha():
                letters[script_of(char)] += count
    stats.letters.update(letters)
    if letters:
        stats.scripts[letters.most_common(1)[0][0]] += 1


def null_rates(stats: DatasetStats) -> Iterator[tuple[str, float]]:
    """For each top-level field of the parts, the share of items in which it is null or absent."""
    for part, keys in stats.keys.parts.items():
        for key, use in sorted(keys.items()):
            yield key_path(part, key), 1 - use.filled / stats.items


@lru_cache(maxsize=1 << 14)
def script_of(letter: str) -> str:
    """The script of a letter, from its Unicode name: Latin, Cyrillic, Han, ..."""
    word = unicodedata.name(letter, "OTHER ").split(" ", 1)[0]
    return {"CJK": "Han", "KANGXI": "Han", "FULLWIDTH": "Latin", "HALFWIDTH": "Katakana"}.get(
        word, word.capitalize()
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
