"""Numbers as people write them, brought to one form: grouped in the usual ways, with a point or a comma."""

from __future__ import annotations

import re

_GROUPED = re.compile(
    r"(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?:\.(?P<point>\d+))?"
    r"|(?:\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\.\d{3})+(?=,\d))(?:,(?P<comma>\d+))?"
    r"|\d{1,3}(?:['\s]\d{3})+(?:[.,](?P<either>\d+))?"
)
_DECIMAL = re.compile(r"\d*[.,](?P<fraction>\d+)|\d+")

GAPS = "[ \u00a0\u2000-\u200a\u202f\u205f\u3000]"
"""Spaces of every width."""

SPACED = rf"(?<![\w.,'])(?<!\d{GAPS})[1-9]\d{{0,2}}(?:{GAPS}\d{{3}})+(?!\d|{GAPS}\d)(?:[.,]\d+)?(?![.,']?\d)"
"""One number in groups of three digits with a space between, as in 1 234 567."""

GROUPED_BY_MARK = r"\d+(?:[.,]\d+|'\d{3}(?!\d))*"
"""Digits with points, commas or apostrophes between: one number, or several such as the parts of a date."""


def ungrouped(written: str) -> tuple[str, str] | None:
    """The digits of one number before and after its decimal point, in ASCII; None for what is no single number.

    1,234.50, 1.234,50, 1 234,50 and 1'234.50 are ("1234", "50"), 12,34,567 is ("1234567", ""). A lone point or
    comma is read as a decimal one, unless three digits follow a comma: 1,234 is 1234, 1.234 is not.
    """
    digits = "".join(str(int(digit)) for digit in written if digit.isdecimal())
    grouped = _GROUPED.fullmatch(written)
    if grouped:
        places = len(grouped["point"] or grouped["comma"] or grouped["either"] or "")
    else:
        match = _DECIMAL.fullmatch(written)
        if match is None:
            return None
        places = len(match["fraction"] or "")
    return digits[: len(digits) - places], digits[len(digits) - places :]


def plain_number(written: str) -> str | None:
    """One form for all ways to write a number: ASCII digits without groups, a point, no needless zeros.

    None for what is no single number, such as a date or an address.
    """
    parts = ungrouped(written)
    if parts is None:
        return None
    whole, fraction = parts[0].lstrip("0") or "0", parts[1].rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole
