"""The terms that groundedness compares: content words, names and numbers, in order.

English function words and the words that only glue a retrieved answer together are left out, numbers are
brought to one form (1,000 = 1000, 2.50 = 2.5, five = 5), and ASCII words are lightly stripped. Negations
stay.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Container, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple, TypeVar

from evalcontract.metrics._numbers import GAPS, GROUPED_BY_MARK, SPACED, plain_number
from evalcontract.metrics._vocabulary import CAPITAL_WORDS, DROPPED_WORDS, NEGATIONS, NUMBER_WORDS
from evalcontract.texts import (
    UNSPACED,
    bigrams,
    has_unspaced,
    letters,
    marks,
    normalise,
    normalise_with_origins,
)

NUMBER_WEIGHT, NAME_WEIGHT, WORD_WEIGHT = 3, 2, 1

_NUMBER = rf"(?:{SPACED}|{GROUPED_BY_MARK}|(?<!\w)\.\d+)(?:\^\d+)?(?:(?i:st|nd|rd|th|s)\b)?"
_SUFFIX = r"(?:'(?i:s|t|re|ve|ll|d|m)\b)?"
_ASCII_TERM = re.compile(rf"(?:[A-Za-z]\.){{2,}}|[A-Za-z][A-Za-z0-9]*{_SUFFIX}|{_NUMBER}")
_SPACED = re.compile(SPACED)
_DIGITS = "1023456789"
_MAY_BE_SPACED = re.compile(r" \d{3}(?!\d)")
_MAY_BE_SPACED_WIDELY = re.compile(rf"{GAPS}\d{{3}}(?!\d)")
_FIXED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(DROPPED_WORDS, ()),
    **{word: (number,) for word, number in NUMBER_WORDS.items()},
    **{word: (plain,) for word, plain in NEGATIONS.items()},
}
"""The keys of the words that don't stand for themselves."""
_LAST_OF_ENDINGS = frozenset("sdgye")
_VOWEL = re.compile(r"[aeiouy]")
_AROUND_WORDS = string.punctuation + "\u2018\u2019\u201c\u201d\u00ab\u00bb\u2013\u2014\u2026"
_KEPT_IN_CHUNKS = "".join(chr(i) if chr(i).isalnum() or chr(i) in ".,'^" else " " for i in range(128))


@cache
def _unicode_term() -> re.Pattern[str]:
    m = marks()
    return re.compile(
        rf"(?P<unspaced>[{UNSPACED}][{UNSPACED}{m}]*)|{_NUMBER}|(?:[A-Za-z]\.){{2,}}|[^\W\d_][\w{m}]*{_SUFFIX}"
    )


@cache
def _mixed_term() -> re.Pattern[str]:
    """Like `_unicode_term`, but a word ends where a script without spaces begins (slower)."""
    m = marks()
    return re.compile(
        rf"(?P<unspaced>[{UNSPACED}][{UNSPACED}{m}]*)|{_NUMBER}"
        rf"|[^\W\d_][{m}]*(?:(?![{UNSPACED}])[^\W_][{m}]*)*{_SUFFIX}"
    )


def _unicode_matches(text: str) -> Iterator[re.Match[str]]:
    may_be_mixed = has_unspaced(text)
    for match in _unicode_term().finditer(text):
        if may_be_mixed and not match.lastgroup and not match.group().isascii():
            yield from _mixed_term().finditer(text, match.start(), match.end())
        else:
            yield match


Reading = tuple[tuple[str, int], ...]
"""What one surface form stands for: its keys (none for a dropped word) with the weight that they have where
it isn't the first word of a sentence.
"""


class Term(NamedTuple):
    """One comparable term of an answer sentence; `start` and `end` are offsets into the whole answer."""

    key: str
    is_number_or_name: bool
    start: int
    end: int


def text_keys(text: str) -> list[str]:
    """Keys of the terms of a text that isn't cut into sentences, in order."""
    return list(chain.from_iterable(map(_KEYS.__getitem__, _chunks(text))))


def sentence_keys(sentence: str) -> tuple[list[str], dict[str, int]]:
    """Keys of the terms of one sentence in order, and the highest weight of each."""
    chunks = _chunks(sentence)
    readings = list(map(_WEIGHTED_KEYS.__getitem__, chunks))
    for number, chunk in enumerate(chunks):
        as_first = _FIRST_KEYS[chunk]
        if as_first is not None:
            readings[number] = as_first
            break
    weighted = list(chain.from_iterable(readings))
    weights = dict(weighted)
    if len(weights) < len(weighted):
        for key, weight in weighted:
            if weights[key] < weight:
                weights[key] = weight
    return [key for key, _ in weighted], weights


def terms_outside(sentence: str, base: int, found: Container[str]) -> list[Term]:
    """Terms of one sentence, which starts at offset `base` of the answer, that are not among the found ones."""
    text, origins = normalise_with_origins(sentence)
    text = text.replace("_", " ")
    matches = list(_ASCII_TERM.finditer(text) if text.isascii() else _unicode_matches(text))
    terms: list[Term] = []
    for position, match in enumerate(matches):
        surface, start = match.group(), match.start()
        if match.lastgroup:
            pieces = [piece for piece in _run_pieces(surface, start) if piece[0] not in found]
        else:
            pieces = [(key, start, match.end()) for key, _ in _READINGS[surface] if key not in found]
        if not pieces:
            continue
        is_name = surface != surface.lower() and (position > 0 or _begins_a_name(text, matches))
        notable = is_name or any(map(str.isdecimal, surface))
        for key, begin, end in pieces:
            if origins is not None:
                begin, end = origins.span(begin, end)
            terms.append(Term(key, notable or key.isdecimal(), base + begin, base + end))
    return terms


def _chunks(text: str) -> list[str]:
    """The text in stretches without white space, none of which cuts a term."""
    text = text.replace("_", " ")
    if text.isascii():
        if any(map(text.__contains__, _DIGITS)) and _MAY_BE_SPACED.search(text):
            text = _without_gaps(text)
        return text.translate(_KEPT_IN_CHUNKS).split()
    if _MAY_BE_SPACED_WIDELY.search(text):
        text = _without_gaps(normalise(text))
    return text.split()


def _readings(text: str) -> list[Reading]:
    """What each surface form stands for, in order; dropped words included."""
    text = normalise(text).replace("_", " ")
    if text.isascii():
        return list(map(_READINGS.__getitem__, _ASCII_TERM.findall(text)))
    return list(map(_reading_of_match, _unicode_matches(text)))


def _reading_of_match(match: re.Match[str]) -> Reading:
    if match.lastgroup:
        return tuple((pair, WORD_WEIGHT) for pair in bigrams(match.group()))
    return _READINGS[match.group()]


def _without_gaps(text: str) -> str:
    """The text with the spaces inside of numbers left out: 1 234 567 becomes 1234567."""
    return _SPACED.sub(lambda match: match.group().replace(" ", ""), text)


Made = TypeVar("Made")


class BoundedCache(dict[str, Made]):
    """What texts are read as, read when it is first asked for. Up to `size` of at most `length` characters are kept."""

    def __init__(self, read: Callable[[str], Made], size: int, length: int = 40) -> None:
        super().__init__()
        self._read = read
        self._size = size
        self._length = length

    def __missing__(self, text: str) -> Made:
        made = self._read(text)
        if len(text) <= self._length:
            if len(self) >= self._size:
                self.clear()
            self[text] = made
        return made


def _plain_word(chunk: str) -> str | None:
    """The word that a chunk is, but for marks around it; None when there may be more to it."""
    word = chunk.strip(_AROUND_WORDS)
    return word if word.isascii() and word.isalpha() else None


def _weighted_keys(chunk: str) -> Reading:
    word = _plain_word(chunk)
    if word is None:
        return tuple(chain.from_iterable(_readings(chunk)))
    weight = WORD_WEIGHT if word == word.lower() else NAME_WEIGHT
    return tuple([(key, weight) for key in _KEYS[chunk]])


def _first_keys(chunk: str) -> Reading | None:
    """The keys of a chunk that begins a sentence, where a capital doesn't make a name; None without a word."""
    word = _plain_word(chunk)
    if word is not None:
        return tuple([(key, WORD_WEIGHT) for key in _KEYS[chunk]])
    words = _readings(chunk)
    if not words:
        return None
    first = ((key, WORD_WEIGHT if weight == NAME_WEIGHT else weight) for key, weight in words[0])
    return tuple(chain(first, *words[1:]))


def _chunk_keys(chunk: str) -> tuple[str, ...]:
    word = _plain_word(chunk)
    if word is None:
        return tuple([key for key, _ in _weighted_keys(chunk)])
    return _word_keys(word) if word == chunk else _KEYS[word]


def _reading(surface: str) -> Reading:
    """What one surface form stands for; a date like 12.05.2023 has several keys."""
    if not surface.isalpha() and any(map(str.isdecimal, surface)):
        weight = NUMBER_WEIGHT
    else:
        weight = WORD_WEIGHT if surface == surface.lower() else NAME_WEIGHT
    return tuple([(key, weight) for key in _keys(surface)])


_READINGS = BoundedCache(_reading, 1 << 15)
_WEIGHTED_KEYS = BoundedCache(_weighted_keys, 1 << 15)
_FIRST_KEYS = BoundedCache(_first_keys, 1 << 13)
_KEYS = BoundedCache(_chunk_keys, 1 << 16)


def _begins_a_name(text: str, matches: list[re.Match[str]]) -> bool:
    """Whether the sentence's first word goes on in another capitalised one, as in "Marie Curie was"."""
    if len(matches) < 2:
        return False
    first, second = matches[:2]
    return text[first.end() : second.start()] == " " and second.group()[0].isupper()


def _run_pieces(run: str, start: int) -> list[tuple[str, int, int]]:
    pieces = []
    parts = letters(run)
    for number, pair in enumerate(bigrams(run)):
        pieces.append((pair, start, start + len(pair)))
        start += len(parts[number])
    return pieces


def _keys(surface: str) -> tuple[str, ...]:
    if surface[0].isdecimal() or surface[0] == ".":
        return _number_keys(surface)
    if "." in surface:
        joined = surface.replace(".", "").lower()
        return () if joined in ("eg", "ie") else (joined,)
    word, _, suffix = surface.partition("'")
    if suffix in ("t", "T") and word.endswith(("n", "N")):
        return ("not",)
    return _word_keys(word.lower() if suffix else word)


def _word_keys(word: str) -> tuple[str, ...]:
    folded = word.casefold()
    fixed = _FIXED.get(folded)
    if fixed is not None and (fixed or word not in CAPITAL_WORDS):
        return fixed
    return (_strip_ending(folded) if folded.isascii() and folded.isalpha() else folded,)


def _number_keys(surface: str) -> tuple[str, ...]:
    mantissa, raised, exponent = surface.rstrip("stndrhSTNDRH").partition("^")
    number = plain_number(mantissa)
    if number is not None:
        return (number + raised + "".join(str(int(digit)) for digit in exponent),)
    return tuple(filter(None, map(plain_number, re.findall(r"\d+", surface))))


def _strip_ending(word: str) -> str:
    if len(word) < 3 or (word[-1] not in _LAST_OF_ENDINGS and word[-1] != word[-2]):
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("es") and word[:-2].endswith(("s", "x", "z", "ch", "sh")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ied") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("ed") and not word.endswith("eed") and len(word) > 3 and _VOWEL.search(word[:-2]):
        word = word[:-2]
    elif word.endswith("ing") and len(word) > 4 and _VOWEL.search(word[:-3]):
        word = word[:-3]
    elif word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    if len(word) > 2 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 2 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word
