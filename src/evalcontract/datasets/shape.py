"""What kinds of values stand where in the items of a dataset, in memory for the distinct places only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from evalcontract.values import WrittenNumber

Kind = Literal["boolean", "integer", "number", "string", "array", "object"]

MAX_FIELDS = 200
MAX_DEPTH = 20
_INT64 = 2**63
_EXACT = 2**53


@dataclass(slots=True)
class Shape:
    """The kinds of the values at one place, and the shapes below it. Null has no kind.

    `wide`: an integer that has no place in 64 bits; `inexact`: one that a double would round; `long`: another
    number that no double is. `open`: too many keys, or too deep, to be told apart, so that what is below isn't known.
    """

    kinds: set[Kind] = field(default_factory=set)
    fields: dict[str, Shape] = field(default_factory=dict)
    element: Shape | None = None
    wide: bool = False
    inexact: bool = False
    long: bool = False
    open: bool = False
    depth: int = 0

    def add(self, value: Any) -> None:
        """Take in one more value."""
        if value is None:
            return
        if isinstance(value, bool):
            self.kinds.add("boolean")
        elif isinstance(value, int):
            self.kinds.add("integer")
            self.wide = self.wide or not -_INT64 <= value < _INT64
            self.inexact = self.inexact or abs(value) > _EXACT
        elif isinstance(value, float):
            self.kinds.add("number")
            self.long = self.long or (isinstance(value, WrittenNumber) and not value.exact)
        elif isinstance(value, str):
            self.kinds.add("string")
        elif isinstance(value, list):
            self.kinds.add("array")
            self._add_elements(value)
        else:
            self.kinds.add("object")
            self._add_fields(value)

    def _add_elements(self, values: list[Any]) -> None:
        if self.depth >= MAX_DEPTH:
            self.open = True
            return
        if self.element is None:
            self.element = Shape(depth=self.depth + 1)
        for element in values:
            self.element.add(element)

    def _add_fields(self, value: dict[str, Any]) -> None:
        if self.open or self.depth >= MAX_DEPTH or len(self.fields.keys() | value.keys()) > MAX_FIELDS:
            self.open = True
            self.fields.clear()
            return
        for key, child in value.items():
            self.fields.setdefault(key, Shape(depth=self.depth + 1)).add(child)

    @property
    def kind(self) -> Kind | None:
        """The one kind that holds every value, None when there is none: mixed, too wide or long, or not told apart.

        Integers and other numbers together are numbers. What is only ever null counts as a string.
        """
        if self.open or self.wide or self.long:
            return None
        if self.kinds == {"integer", "number"} and not self.inexact:
            return "number"
        if len(self.kinds) > 1:
            return None
        kind: Kind = next(iter(self.kinds), "string")
        return None if kind == "object" and not self.fields else kind
