"""The form in which answers are compared: SQuAD's, but for what tells numbers, times and names apart."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from evalcontract.metrics._numbers import GROUPED_BY_MARK, SPACED, ungrouped
from evalcontract.texts import fold

_ARTICLES = frozenset(["a", "an", "the"])
_FRACTIONS = re.compile("(?<=\\d)(?=[\u00bc-\u00be\u2150-\u215e])")
_SAME = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63", "-") | dict.fromkeys("\u2044\u2215", "/")
)
_NUMBER = re.compile(rf"{SPACED}|{GROUPED_BY_MARK}|(?<![\w.])\.\d+")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)\s*([-+*/^=<>\u2260\u2264\u2265])\s*(?=\d)")
_BEFORE_NUMBER = r"(?:[$\u20ac\u00a3\u00a5]?\.?\d|\u221e)"
_OPERATORS = {"!=": "\u2260", "<=": "\u2264", ">=": "\u2265", "&&": "\u2227", "||": "\u2228"}
_OPERATOR = re.compile("|".join(map(re.escape, _OPERATORS)) + r"|(?<=\d)\s?\*\*\s?(?=\d)")
_SIGN = re.compile(rf"(?<![^\s(\[{{=<>*/+])-\s?(?={_BEFORE_NUMBER})")
_LINE_MARKS = re.compile(r"(?m)^[ \t]*[>+*-][ \t]")
_DROPPED = re.compile(
    r"(?<!\d)[.:^*]|[.:^*](?!\d)"
    rf"|-(?!{_BEFORE_NUMBER})|(?<=[^\W\d])-"
    r"|(?<![^\W\d_])#"
    r"|(?<!\d)[%\u2030]|\$(?!\.?\d)"
    r"|[!\"&'(),;?@\[\\\]_`{|}~]"
)
_SPACED_UNIT = re.compile(r"(?<=\d)\s+(?=[%\u2030])|(?<=[$\u20ac\u00a3\u00a5])\s+(?=\.?\d)")
_UNIT_BEFORE_SIGN = re.compile(r"([$\u20ac\u00a3\u00a5])-(?=\.?\d)")
_UNIT_BEHIND = re.compile(r"(?<![\w.$\u20ac\u00a3\u00a5])(\.?\d[\d.]*)\s?([$\u20ac\u00a3\u00a5])(?![\w.])")
_KEPT = frozenset(".:^*-#/%\u2030")


@lru_cache(maxsize=64)  # several metrics compare the same answer
def normalise_answer(text: str) -> str:
    """The text as answers are compared; without letters and digits, the text itself but for white space around it."""
    folded = fold(_LINE_MARKS.sub("", _FRACTIONS.sub(" ", text))).translate(_SAME)
    folded = _OPERATOR.sub(lambda found: _OPERATORS.get(found.group(), "^"), folded)
    folded = _BETWEEN_DIGITS.sub(r"\1", _NUMBER.sub(_written_plainly, folded))
    folded = _UNIT_BEHIND.sub(r"\2\1", _UNIT_BEFORE_SIGN.sub(r"-\1", _SPACED_UNIT.sub("", folded)))
    folded = _DROPPED.sub("", _SIGN.sub("-", folded))
    if not folded.isascii():
        folded = "".join(c for c in folded if c in _KEPT or unicodedata.category(c)[0] != "P")
    words = folded.split()
    kept = [word for word in words if word not in _ARTICLES] or words
    return " ".join(kept) or ("" if any(map(str.isalnum, text)) else text.strip())


def _written_plainly(match: re.Match[str]) -> str:
    """A number without groups and with a point; the parts of a list such as 1,2,3 apart."""
    parts = ungrouped(match.group())
    if parts is None:
        return match.group().replace(",", " ").replace("'", " ")
    whole, fraction = parts
    return f"{whole or '0'}.{fraction}" if fraction else whole
