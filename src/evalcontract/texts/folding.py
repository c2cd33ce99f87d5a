"""Folding and tokenising shared by all text metrics: the same words for the same text in every script."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import pairwise

# Scripts written without spaces between words: Han, Kana, Thai, Lao, Khmer, Myanmar (without their digits).
UNSPACED = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U0001b000-\U0001b16f\U00020000-\U0003fffd"
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf"
    "\u1780-\u17b3\u17d7\u17dc\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070"
    "\u1075-\u1081\u108e\ua9e0-\ua9e4\ua9e7-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a\uaa7e\uaa7f"
)
_RAISED = "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2079\u2080-\u2089\u2150-\u215f\u2189\u2460-\u249b"
_APOSTROPHES = "\u2018\u2019\u02bc\u201b\uff07"
_JOINERS = "\u200c\u200d"
_ASCII_WORDS = "".join(chr(i).lower() if chr(i).isalnum() else " " for i in range(128))
_CACHED_LENGTH = 40
_UNSEEN_KINDS = frozenset(["Cc", "Cf", "Zs", "Zl", "Zp"])
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0").union(
    map(chr, range(0xFE00, 0xFE10)), map(chr, range(0xE0100, 0xE01F0))
)


@cache
def marks() -> str:
    """The body of a character class of all combining marks and joiners (built once, on the first non-ASCII
    text).
    """
    ranges: list[list[int]] = []
    for code in (*range(0x300, 0x1E950), *range(0xE0100, 0xE01F0)):
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return _JOINERS + "".join(f"{chr(a)}-{chr(b)}" for a, b in ranges)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Patterns needed beyond ASCII only, compiled on first use to keep the import cheap."""
    m = marks()
    return {
        "raised": re.compile(rf"[{_RAISED}]"),
        "after digit": re.compile(rf"(?<=\d)(?=[{_RAISED}])"),
        "chunk": re.compile(rf"(?s).[{m}\u1160-\u11ff\uff9e\uff9f]*"),
        "run": re.compile(rf"[\w{m}]+"),
        "letter": re.compile(rf"[{UNSPACED}][{m}]*"),
        "unspaced": re.compile(rf"[{UNSPACED}][{UNSPACED}{m}]*"),
    }


def normalise(text: str) -> str:
    """NFKC with straight apostrophes; a raised digit stays apart from its base, so 10² is not 102."""
    if text.isascii():
        return text
    for apostrophe in _APOSTROPHES:
        text = text.replace(apostrophe, "'")
    patterns = _patterns()
    if patterns["raised"].search(text):
        text = patterns["after digit"].sub("^", text)
    return unicodedata.normalize("NFKC", text)


class Origins:
    """Where each character of a changed text came from, to give spans of the original text."""

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, length: int, start: int, end: int) -> None:
        """The next `length` characters of the changed text came from the stretch start..end."""
        self._starts.extend([start] * length)
        self._ends.extend([end] * length)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original text that a non-empty stretch of the changed one came from."""
        return self._starts[start], self._ends[end - 1]


def normalise_with_origins(text: str) -> tuple[str, Origins | None]:
    """`normalise(text)` and where its characters came from (None when nothing changed)."""
    if normalise(text) == text:
        return text, None
    parts: list[str] = []
    origins = Origins()
    patterns = _patterns()
    for chunk in patterns["chunk"].finditer(text):
        piece = normalise(chunk.group())
        if patterns["after digit"].match(text, chunk.start()):
            piece = "^" + piece
        parts.append(piece)
        origins.add(len(piece), *chunk.span())
    return "".join(parts), origins


def fold(text: str) -> str:
    """The form in which text is compared: NFKC, case folded, apostrophes straightened."""
    return text.lower() if text.isascii() else normalise(text).casefold()


def letters(run: str) -> list[str]:
    """The letters of a run in a script without spaces, each with its combining marks."""
    if run.isalpha():  # no combining marks
        return list(run)
    return _patterns()["letter"].findall(run)


def bigrams(run: str) -> list[str]:
    """Overlapping pairs of letters of a run in a script without spaces; a lone letter stays itself."""
    parts = letters(run)
    return [a + b for a, b in pairwise(parts)] if len(parts) > 1 else parts


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: white space, and characters without a mark of their own such as U+200B."""
    return all(
        character in _UNSEEN or unicodedata.category(character) in _UNSEEN_KINDS for character in text.strip()
    )


def words(text: str) -> list[str]:
    """Folded alphanumeric runs in order; runs in scripts without spaces become pairs of letters."""
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    found: list[str] = []
    for run in _patterns()["run"].findall(fold(text).replace("_", " ")):
        if run.isascii():
            found.append(run)
        elif len(run) <= _CACHED_LENGTH:
            found.extend(split_run(run))
        else:
            found.extend(split_run.__wrapped__(run))
    return found


@lru_cache(maxsize=1 << 14)
def split_run(run: str) -> tuple[str, ...]:
    """The words of one run without white space, cut where a script without spaces begins or ends."""
    parts: list[str] = []
    position = 0
    for match in _patterns()["unspaced"].finditer(run):
        parts.append(run[position : match.start()])
        parts.extend(bigrams(match.group()))
        position = match.end()
    parts.append(run[position:])
    return tuple(part for part in parts if any(map(str.isalnum, part)))


def is_unspaced(word: str) -> bool:
    """Whether a word of `words` comes from a script written without spaces."""
    return not word.isascii() and _patterns()["unspaced"].match(word) is not None


def has_unspaced(text: str) -> bool:
    """Whether any letter of a text belongs to a script written without spaces."""
    return not text.isascii() and _patterns()["unspaced"].search(text) is not None
