"""Are quotes really in the documents they are taken from?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics._edits import distances
from evalcontract.metrics._result import TEXTS_UNKNOWN, MetricScore, rests_on, undefined
from evalcontract.metrics.contexts import require_text
from evalcontract.texts import Origins, has_unspaced

QuoteMode = Literal["exact", "fuzzy"]

FUZZY_SIMILARITY = 0.9

_SAME = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`\u2039\u203a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | {
        "\u2026": "...",
        "\u00ad": "",
        "\u200b": "",
        "\ufeff": "",
        "\u00c6": "AE",
        "\u00e6": "ae",
        "\u0152": "OE",
        "\u0153": "oe",
    }
    | {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
)
_ODD_SPACE = re.compile(r"\s\s|[^\S ]")
_LETTER_OR_SPACES = re.compile(r"\s+|(?s:.)[\u0300-\u036f]*")


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote was found: offsets into the document, and how similar the passage there is (1 when
    exact).
    """

    match: Literal["exact", "fuzzy", "none"]
    similarity: float
    start: int | None = None
    end: int | None = None


def find_quote(quote: str, document: str) -> QuoteMatch:
    """Look a quote up in a document.

    Exact: the same characters after folding white space, quote marks, dashes, ellipses and ligatures on both
    sides (and composed against decomposed letters); case counts. Fuzzy: the best passage has a similarity, 1
    - edit distance / quote length, of at least 0.9. One changed word or digit is never exact.
    """
    wanted, _ = _folded(require_text(quote, "quote"))
    wanted = wanted.strip()
    text, origins = _folded(require_text(document, "document"))
    if not wanted:
        return QuoteMatch("none", 0.0)
    start = text.find(wanted)
    while start >= 0 and not _stands_alone(text, start, start + len(wanted)):
        start = text.find(wanted, start + 1)
    if start >= 0:
        return QuoteMatch("exact", 1.0, *_span(origins, start, start + len(wanted)))
    distance, end = _closest_end(wanted, text)
    similarity = max(0.0, 1 - distance / len(wanted))
    if similarity < FUZZY_SIMILARITY:
        return QuoteMatch("none", similarity)
    _, length = _closest_end(wanted[::-1], text[max(0, end - 2 * len(wanted)) : end][::-1], anchored=True)
    return QuoteMatch("fuzzy", similarity, *_span(origins, end - length, end))


def quote_accuracy(
    citations: Sequence[Mapping[str, Any]], documents: Mapping[str, str | None], mode: QuoteMode = "exact"
) -> MetricScore:
    """Verified quotes / quotes of all citations; None if there are none.

    A quote is looked up in the document that its citation names; `mode="fuzzy"` also accepts fuzzy matches. A
    quote from an unknown document is not verified. One from a document whose text isn't known (None) is left out,
    and the reason says how many quotes the value rests on; None when no text is known. `details` lists every quote
    with its match.
    """
    if mode not in ("exact", "fuzzy"):
        raise MetricValueError(f"unknown way to match quotes {mode!r}", hint='mode is "exact" or "fuzzy"')
    found: list[dict[str, Any]] = []
    unknown: list[dict[str, Any]] = []
    for number, citation in enumerate(citations):
        id_ = citation.get("document_id")
        for quote in citation.get("quotes") or ():
            if not isinstance(quote, str):
                raise MetricTypeError(
                    f"citations[{number}].quotes must hold strings, not {type(quote).__name__}"
                )
            text = documents.get(id_, "") if isinstance(id_, str) else ""
            if text is None:
                unknown.append({"document_id": id_, "quote": quote, "match": "unknown"})
            else:
                found.append({"document_id": id_, "quote": quote, **asdict(find_quote(quote, text))})
    if not found:
        return undefined(TEXTS_UNKNOWN if unknown else "no citation carries a quote", quotes=unknown)
    accepted = ("exact",) if mode == "exact" else ("exact", "fuzzy")
    value = sum(row["match"] in accepted for row in found) / len(found)
    return MetricScore(value, rests_on(len(found), len(unknown), "quotes"), {"quotes": found + unknown})


def _span(origins: Origins | None, start: int, end: int) -> tuple[int, int]:
    return (start, end) if origins is None else origins.span(start, end)


def _folded(text: str) -> tuple[str, Origins | None]:
    """The text with variants folded, and where its characters came from (None when nothing changed)."""
    if text.isascii() and "`" not in text and not _ODD_SPACE.search(text):
        return text, None
    folded: list[str] = []
    origins = Origins()
    for match in _LETTER_OR_SPACES.finditer(text):
        piece = match.group()
        if piece[0].isspace():
            piece = " "
        elif not piece.isascii() or piece == "`":
            piece = unicodedata.normalize("NFC", piece).translate(_SAME)
        folded.append(piece)
        origins.add(len(piece), *match.span())
    return "".join(folded), origins


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a passage cuts no word or number: "able" is no quote from "unable", nor 188 from 1889."""
    return not (
        (start and _is_inside(text[start - 1], text[start], text[max(0, start - 2)]))
        or (end < len(text) and _is_inside(text[end], text[end - 1], text[min(end + 1, len(text) - 1)]))
    )


def _is_inside(outer: str, edge: str, beyond: str) -> bool:
    """Whether the character at the edge goes on in the one outside it, or across a decimal point."""
    if outer in ".,":
        return edge.isdecimal() and beyond.isdecimal()
    return outer.isalnum() and edge.isalnum() and not has_unspaced(outer + edge)


def _closest_end(pattern: str, text: str, *, anchored: bool = False) -> tuple[int, int]:
    """(edit distance, end) of the passage of `text` closest to `pattern`; the earliest end wins.

    With `anchored` the passage starts where the text starts.
    """
    best, best_end = len(pattern), 0
    for end, distance in enumerate(distances(pattern, text, anchored=anchored), 1):
        if distance < best:
            best, best_end = distance, end
    return best, best_end
