"""Results of any kind with any text in them, made from the types of their fields."""

from __future__ import annotations

import dataclasses
import types
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from evalcontract.release import DatasetName
from evalcontract.scoring import WorstItem
from tests.support.evidence import evidence

ODD = ["\x00", "\x1b[31m", "\x85", "\u202e", "\u2028", "\ufeff", "\ufffe", "\U0010ffff", "\ud800", "\udcff"]
PLAIN = ["]]>", "<b>", "&", '"', "|", "`", "\n", "\r", "::error::", "%0A", "é", "日本", "\\", "a,b"]
TEXT = st.lists(st.sampled_from([*ODD, *PLAIN]) | st.text(max_size=3), max_size=4).map("".join)


def any_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type, with odd text wherever there is text."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is str or kind is Any or kind is object:
        return TEXT
    if kind is Path:
        return TEXT.map(Path)
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(0, 5000)
    if kind is float:
        return st.floats(0, 1)
    if kind in (type(None), None):
        return st.none()
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(any_of, inner))
    if origin is tuple and inner[-1] is Ellipsis:
        return st.lists(any_of(inner[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(any_of, inner))
    if origin in (list, Sequence, Iterable):
        return st.lists(any_of(inner[0]), max_size=2)
    if origin is Counter:
        return st.dictionaries(any_of(inner[0]), st.integers(1, 9), max_size=2).map(Counter)
    if origin in (dict, Mapping):
        return st.dictionaries(any_of(inner[0]), any_of(inner[1]), max_size=2)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    if kind is DatasetName:
        return st.just(DatasetName.parse("shop_smoke_v1.0"))
    if kind is WorstItem:
        lowest = any_of(get_type_hints(kind)["lowest"])
        return st.builds(kind, TEXT, st.floats(0, 1), lowest, TEXT.map(evidence))
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        fields = {
            each.name: _of_field(each.name, hints[each.name])
            for each in dataclasses.fields(kind)
            if each.init
        }
        return st.builds(kind, **fields)
    raise TypeError(kind)


def _of_field(name: str, kind: Any) -> st.SearchStrategy[Any]:
    """Lines and columns count from 1."""
    return st.none() | st.integers(1, 5000) if name in ("line", "column") else any_of(kind)
