"""Composes YAML into JSON values from parser events: constant stack, bounded aliases, nothing constructed."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import yaml

from evalcontract.reading.events import Position
from evalcontract.reading.limits import Limits, raise_it
from evalcontract.reading.refusals import Refusal, position_in
from evalcontract.reading.yaml_scalars import TAG_PREFIX, BadScalar, tagged, unknown_tag
from evalcontract.values import MAX_DEPTH, quoted, visible

MAX_ALIASED_NODES = 1_000_000
_YAML_VALUE = 4
"""Each value of YAML counts as so many of JSON: it keeps its place, and takes about as much more room."""

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COLLECTION_TAGS: dict[type[yaml.CollectionStartEvent], tuple[str | None, ...]] = {
    yaml.SequenceStartEvent: (None, "!", TAG_PREFIX + "seq"),
    yaml.MappingStartEvent: (None, "!", TAG_PREFIX + "map"),
}


class YamlNode:
    """A composed value, where it stands, and how much it is with all aliases expanded."""

    __slots__ = ("children", "complete", "height", "keys", "position", "size", "value")

    def __init__(self, value: object, position: Position) -> None:
        self.value = value
        self.position = position
        self.children: dict[str, YamlNode] = {}
        self.keys: dict[str, Position] = {}
        self.size = 1
        self.height = 0
        self.complete = True

    @property
    def start(self) -> Position:
        return self.position

    @property
    def raw(self) -> None:
        return None

    @property
    def may_hold_null_bytes(self) -> bool:
        return True

    def find(self, tokens: tuple[str, ...]) -> Position:
        node = self
        for token in tokens:
            node = node.children[token]
        return node.position


class _OpenCollection:
    """A collection whose end wasn't reached; `key` is set between a key and its value."""

    __slots__ = ("key", "key_position", "node")

    def __init__(self, node: YamlNode) -> None:
        self.node = node
        self.key: str | None = None
        self.key_position = node.position


Path = tuple[str, ...]


class Composer:
    """Reads one text. `refusals` are what was wrong with single nodes, by the path they were at."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.refusals: list[tuple[int, Path, Refusal]] = []
        self._text = text
        self._stand_ins = _stand_ins(text)
        self._restore = {ord(new): old for old, new in self._stand_ins.items()}
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._anchors: dict[str, YamlNode] = {}
        self._open: list[_OpenCollection] = []
        self._aliased = 0
        self._nodes = 0
        self._limits = limits
        self._documents = 0
        self._root: YamlNode | None = None

    def documents(self) -> Iterator[YamlNode]:
        """The root of every document. Raises Refusal for what leaves the rest unreadable."""
        unprintable = _UNPRINTABLE.search(self._text)
        if unprintable:
            raise Refusal(
                "syntax",
                f"the control character U+{ord(unprintable[0]):04X}",
                position_in(self._text, unprintable.start()),
                'write it as an escape in double quotes, like "\\x00"',
            )
        try:
            text = self._text.translate({ord(old): new for old, new in self._stand_ins.items()})
            for event in yaml.parse(text, Loader=_LOADER):
                if isinstance(event, yaml.DocumentStartEvent):
                    self._anchors = {}
                elif isinstance(event, yaml.DocumentEndEvent):
                    if self._root is not None:
                        yield self._root
                    self._root = None
                    self._documents += 1
                elif isinstance(event, yaml.NodeEvent):
                    self._node(event)
                elif isinstance(event, yaml.CollectionEndEvent):
                    closed = self._open.pop().node
                    closed.complete = True
                    self._attach(closed)
        except yaml.MarkedYAMLError as error:
            raise self._syntax(error) from None
        except yaml.YAMLError as error:
            raise Refusal("syntax", f"not YAML: {error}".splitlines()[0], Position(1, 1)) from None

    def _node(self, event: yaml.NodeEvent) -> None:
        position = self._at(event.start_mark)
        self._nodes += 1
        if self._nodes * _YAML_VALUE > self._limits.document_values:
            raise Refusal(
                "too-many-values",
                f"more than {self._limits.document_values // _YAML_VALUE:,} values of YAML",
                position,
                f"write the items to a .jsonl file, or {raise_it('document-values', self._limits)}",
            )
        if isinstance(event, yaml.AliasEvent):
            self._attach(self._alias(event, position), position)
            return
        if isinstance(event, yaml.ScalarEvent):
            node = YamlNode(self._scalar(event, position), position)
            if event.anchor:
                self._anchors[event.anchor] = node
            self._attach(node)
            return
        if len(self._open) >= MAX_DEPTH:
            raise _too_deep(position)
        assert isinstance(event, yaml.CollectionStartEvent)
        if event.tag not in _COLLECTION_TAGS[type(event)]:
            self._refuse(unknown_tag(str(event.tag)), position)
        node = YamlNode([] if isinstance(event, yaml.SequenceStartEvent) else {}, position)
        node.complete = False
        node.height = 1
        if event.anchor:
            self._anchors[event.anchor] = node
        self._open.append(_OpenCollection(node))

    def _scalar(self, event: yaml.ScalarEvent, position: Position) -> object:
        try:
            text = event.value.translate(self._restore) if self._restore else event.value
            value = tagged(event.tag, text, is_plain=event.style in (None, ""))
        except BadScalar as bad:
            self._refuse(bad, position)
            return None
        if isinstance(value, str) and not _encodable(value):
            self._refuse(
                BadScalar(
                    "lone-surrogate", "a lone surrogate is half a character", "write the character itself"
                ),
                position,
            )
            return None
        return value

    def _alias(self, event: yaml.AliasEvent, position: Position) -> YamlNode:
        name = event.anchor or ""
        target = self._anchors.get(name)
        if target is None:
            raise Refusal("syntax", f"no anchor {quoted(name)} before this alias", position)
        if not target.complete:
            raise Refusal(
                "yaml-alias", "an alias inside the value it stands for", position, "write the value out"
            )
        if len(self._open) + target.height > MAX_DEPTH:
            raise _too_deep(position)
        self._aliased += target.size
        if self._aliased > MAX_ALIASED_NODES:
            raise Refusal(
                "yaml-alias",
                f"aliases that stand for more than {MAX_ALIASED_NODES} values",
                position,
                "write the values out",
            )
        return target

    def _attach(self, node: YamlNode, position: Position | None = None) -> None:
        if not self._open:
            self._root = node
            return
        top = self._open[-1]
        parent = top.node
        container = parent.value
        if isinstance(container, list):
            parent.children[str(len(container))] = node
            container.append(node.value)
        elif top.key is None:
            self._key(top, node, position or node.position)
            return
        elif isinstance(container, dict):
            self._property(top, container, node)
            top.key = None
        parent.size += node.size
        parent.height = max(parent.height, node.height + 1)

    def _key(self, top: _OpenCollection, node: YamlNode, position: Position) -> None:
        top.key_position = position
        if isinstance(node.value, str):
            top.key = node.value
            return
        what = "a list or mapping" if node.height else visible(json.dumps(node.value), 80)
        self._refuse(BadScalar("yaml-key", f"the key {what} is not a string", "quote it"), position)
        top.key = f"the key at {position}"

    def _property(self, top: _OpenCollection, container: dict[str, object], node: YamlNode) -> None:
        key = top.key or ""
        parent = top.node
        first = parent.keys.get(key)
        if first is not None:
            bad = BadScalar("duplicate-key", f"duplicate key {quoted(key)}", "keep one of the two")
            self._refuse(bad, top.key_position, related=first)
            return
        if key == "<<" and node.height:
            bad = BadScalar("yaml-merge", "merge keys are not part of YAML 1.2", "write the keys out")
            self._refuse(bad, top.key_position)
        parent.keys[key] = top.key_position
        parent.children[key] = node
        container[key] = node.value

    def _refuse(self, bad: BadScalar, position: Position, related: Position | None = None) -> None:
        path = tuple(
            str(len(level.node.children)) if isinstance(level.node.value, list) else level.key or ""
            for level in self._open
        )
        refusal = Refusal(bad.code, bad.message, position, bad.hint, related)
        self.refusals.append((self._documents, path, refusal))

    def _at(self, mark: Any) -> Position:
        line = bisect_right(self._line_starts, mark.index)
        return Position(line, mark.index - self._line_starts[line - 1] + 1)

    def _syntax(self, error: yaml.MarkedYAMLError) -> Refusal:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "not YAML"
        if mark and "nesting depth" in problem:  # libyaml has a limit of its own, and meets it first
            return _too_deep(self._at(mark))
        return Refusal("syntax", problem, self._at(mark) if mark else Position(1, 1))


def _stand_ins(text: str) -> dict[str, str]:
    """For each character that ends a line in YAML 1.1, but not in 1.2: one that the text doesn't hold."""
    breaks = [character for character in "\x85\u2028\u2029" if character in text]
    unused = (chr(code) for code in range(0xF0000, 0xFFFFE) if chr(code) not in text)
    return dict(zip(breaks, unused, strict=False))


def _too_deep(position: Position) -> Refusal:
    return Refusal("too-deep", f"nested deeper than {MAX_DEPTH} levels", position, "flatten the value")


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
