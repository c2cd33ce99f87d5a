"""Values inside a row: looked up, set and taken out by path; how a file writes them; why one is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from evalcontract.reading import Refusal, parse
from evalcontract.values import actual, json_text, pointer, pointer_tokens

Path = tuple[str, ...]
MISSING = object()
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


class Refused(Exception):
    """A value that a transform does not take. `below` leads from the field's value to the one at fault."""

    def __init__(
        self,
        expected: str,
        value: object,
        *,
        below: Path = (),
        hint: str | None = None,
        message: str | None = None,
    ) -> None:
        super().__init__(expected)
        self.expected = expected
        self.actual = actual(value)
        self.below = below
        self.hint = hint
        self.message = message or f"expected {expected}, got {self.actual}"


@dataclass(frozen=True, slots=True)
class Several:
    """What one source value gives when it is more than the field's value.

    `beside` fills fields beside the target, by name; `rest` is what is left of a list, and stays in the row.
    """

    value: object
    beside: Mapping[str, object] = field(default_factory=dict)
    rest: tuple[object, ...] = ()


def _ignore(_: str, __: Path) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Form:
    """How a file writes values: as text in `cells` (CSV) or as JSON; `delimiter` parts lists in cells.

    `notice` is told what a reader should know, with the path below the field's value.
    """

    cells: bool = False
    delimiter: str | None = None
    notice: Callable[[str, Path], None] = field(default=_ignore, compare=False)


def source_path(text: str) -> Path:
    """A source path as written in a mapping: a JSON pointer, or the name of one top-level key."""
    return pointer_tokens(text) if text.startswith("/") else (text,)


def source_name(path: Path) -> str:
    """The opposite: the key itself at the top level, a JSON pointer below."""
    return path[0] if len(path) == 1 and not path[0].startswith("/") else pointer(path)


def look_up(row: object, path: Path) -> object:
    """The value at a path, MISSING where it isn't. A number leads to an element of a list.

    Refused when something on the way is neither an object nor a list that a number leads into.
    """
    node = row
    for depth, step in enumerate(path):
        if node is None or node is MISSING:
            return MISSING
        if isinstance(node, list) and (index := _index(step)) is not None:
            node = node[index] if index < len(node) else MISSING
        elif isinstance(node, dict):
            node = node.get(step, MISSING)
        else:
            raise Refused("object", node, below=path[:depth])
    return node


def _index(step: str) -> int | None:
    """The index that a step is, as RFC 6901 writes one."""
    return int(step) if _INDEX.fullmatch(step) else None


def put(row: dict[str, object], path: Path, value: object) -> bool:
    """Set the value at a path, in the place of nulls; False when something else is in the way.

    Into a list that isn't there nothing is set: how many elements it has is not known.
    """
    node: object = row
    for step, following in pairwise(path):
        child = look_up(node, (step,))
        if child is MISSING or child is None:
            if not isinstance(node, dict) or _index(following) is not None:
                return False
            child = node[step] = {}
        if not isinstance(child, dict | list):
            return False
        node = child
    step = path[-1]
    if isinstance(node, list):
        index = _index(step)
        if index is None or index >= len(node) or (node[index] is not None and node[index] != value):
            return False
        node[index] = value
        return True
    if not isinstance(node, dict) or (node.get(step) is not None and node[step] != value):
        return False
    node[step] = value
    return True


def without(row: dict[str, object], taken: set[Path]) -> dict[str, object]:
    """What is left of a row; an object that is emptied by the taking goes too."""
    heads: dict[str, set[Path]] = {}
    for path in taken:
        heads.setdefault(path[0], set()).add(path[1:])
    left: dict[str, object] = {}
    for key, value in row.items():
        below = heads.get(key)
        if below is None:
            left[key] = value
        elif () in below:
            continue
        elif isinstance(value, dict):
            rest = without(value, below)
            if rest or not value:
                left[key] = rest
        else:
            left[key] = value
    return left


def structure(value: object, form: Form) -> object:
    """The JSON value that a cell holds as text; a value that is no cell, as it is."""
    if not form.cells or not isinstance(value, str):
        return value
    try:
        return parse(value.encode("utf-8"))[0]
    except Refusal as refusal:
        raise Refused("JSON text", value, hint=_cell_hint(value, refusal)) from None


def parted(value: object, form: Form) -> object:
    """The same for a list. JSON text is one in every cell; other text is parted by the delimiter, if one is told."""
    if form.delimiter is None or not form.cells or not isinstance(value, str):
        return structure(value, form)
    if bracketed(value):
        try:
            return structure(value, form)
        except Refused:
            pass  # brackets that are no JSON are text like any other
    return value.split(form.delimiter)


def bracketed(text: str) -> bool:
    """Whether a text looks like a JSON array."""
    stripped = text.strip()
    return stripped.startswith("[") and stripped.endswith("]")


def cell(value: object, form: Form) -> object:
    """A structure as the file writes it: JSON text in a cell."""
    if form.cells and value is not None and not isinstance(value, str):
        return json_text(value)
    return value


def cell_of_texts(value: object, form: Form) -> object:
    """A list of texts as the file writes it: parted by the delimiter in a cell, if one is told."""
    if not form.cells or form.delimiter is None or not isinstance(value, list):
        return cell(value, form)
    for index, element in enumerate(value):
        if form.delimiter in str(element):
            raise Refused(
                f"text without {form.delimiter!r}",
                element,
                below=(str(index),),
                hint="leave out --list-delimiter: the list is then written as JSON text",
            )
    return form.delimiter.join(map(str, value))


def _cell_hint(text: str, refusal: Refusal) -> str:
    start = text.lstrip()[:1]
    if start in ("[", "{", "("):
        quoted = "'" in text
        return (
            "this looks like Python text, which is never evaluated; write JSON with double quotes"
            if quoted
            else f"{refusal.message}; write JSON text"
        )
    return 'write JSON text such as ["a", "b"], or tell the delimiter with --list-delimiter'
