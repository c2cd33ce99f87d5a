"""Which keys the items of a dataset use: the unions that the rules compare, and every nested path."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from evalcontract.values import SCHEMA_KEY

PARTS = ("input", "expected_output")
MAX_PATHS = 5000
_EXAMPLES = 3
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)


@dataclass(slots=True)
class KeyUse:
    """How often a key, or a path, occurs.

    `items` are those that have it and `filled` those that have it with a value other than null; `examples`
    are the ids of the first few that are filled.
    """

    items: int = 0
    filled: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, filled: bool, item_id: str | None = None) -> None:
        """Count one more item."""
        self.items += 1
        if filled:
            self.filled += 1
            if item_id is not None and len(self.examples) < _EXAMPLES:
                self.examples.append(item_id)

    def merge(self, items: int, filled: int, examples: Collection[str] = ()) -> None:
        """Count items that were counted elsewhere; of the examples those whose ids sort first are kept."""
        self.items += items
        self.filled += filled
        if examples:
            self.examples = sorted({*self.examples, *examples})[:_EXAMPLES]


class KeyUnions:
    """The keys present in `input`, and in `expected_output`, over all items. A null value is present.

    `$schema` is none of them: it tells an editor what the object is, and nothing of the item.
    """

    def __init__(self) -> None:
        self.parts: dict[str, dict[str, KeyUse]] = {part: {} for part in PARTS}

    def add(self, item: Mapping[str, object], item_id: str | None) -> None:
        """Count the keys of one item."""
        for keys, key, value in self._found(item):
            keys.setdefault(key, KeyUse()).add(value is not None, item_id)

    def add_unordered(self, item: Mapping[str, object], item_id: str | None) -> None:
        """The same for items that come in any order."""
        for keys, key, value in self._found(item):
            use = keys.setdefault(key, KeyUse())
            wanted = value is not None and item_id is not None
            if wanted and (len(use.examples) < _EXAMPLES or str(item_id) < use.examples[-1]):
                use.merge(1, 1, [str(item_id)])
            else:
                use.merge(1, value is not None)

    def _found(self, item: Mapping[str, object]) -> Iterator[tuple[dict[str, KeyUse], str, object]]:
        for part, keys in self.parts.items():
            holder = item.get(part)
            if isinstance(holder, dict):
                for key, value in holder.items():
                    if key != SCHEMA_KEY:
                        yield keys, key, value

    def named(self) -> frozenset[str]:
        """Every key with the part that it belongs to, as `input.context`."""
        return frozenset(key_path(part, key) for part, keys in self.parts.items() for key in keys)


class PathTable:
    """Every path below the parts of the items, as `input.messages[].role`; at most MAX_PATHS of them.

    `left_out` tells whether there were more.
    """

    def __init__(self) -> None:
        self.rows: dict[str, KeyUse] = {}
        self.left_out = False
        self._names: dict[tuple[str, str | None], str] = {}

    def add(self, item: Mapping[str, object]) -> None:
        """Count the paths of one item, each once."""
        found: dict[str, bool] = {}
        waiting: list[tuple[str, object]] = [(part, item[part]) for part in PARTS if part in item]
        while waiting:
            path, value = waiting.pop()
            found[path] = found.get(path, False) or value is not None
            if isinstance(value, dict):
                for key, child in value.items():
                    name = self._name(path, key)
                    if name is not None:
                        waiting.append((name, child))
            elif isinstance(value, list):
                name = self._name(path, None)
                if name is not None:
                    waiting.extend((name, child) for child in value)
        for path, filled in found.items():
            self.rows.setdefault(path, KeyUse()).add(filled)

    def merge(self, path: str, items: int, filled: int) -> None:
        """Count a path of items that were counted elsewhere, as far as there is room."""
        if path not in self.rows and len(self.rows) >= MAX_PATHS:
            self.left_out = True
        else:
            self.rows.setdefault(path, KeyUse()).merge(items, filled)

    def _name(self, path: str, key: str | None) -> str | None:
        name = self._names.get((path, key))
        if name is None:
            if len(self._names) >= MAX_PATHS:
                self.left_out = True
                return None
            name = self._names[path, key] = path + "[]" if key is None else key_path(path, key)
        return name


def key_path(path: str, key: str) -> str:
    """A key below a path: `input.context`, or `input["a.b"]` for a key that isn't a plain word."""
    return f"{path}.{key}" if _PLAIN_KEY.fullmatch(key) else f"{path}[{json.dumps(key, ensure_ascii=False)}]"
