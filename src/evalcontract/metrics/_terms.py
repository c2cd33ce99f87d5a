"""The terms that groundedness compares: content words, names and numbers of one sentence, in order.

English function words and the words that only glue a retrieved answer together are left out, numbers are
brought to one form (1,000 = 1000, 2.50 = 2.5, five = 5), and ASCII words are lightly stripped. Negations
stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from evalcontract._text import (
    UNSPACED,
    bigrams,
    has_unspaced,
    letters,
    marks,
    normalise,
    normalise_with_origins,
)
from evalcontract.metrics._vocabulary import CAPITAL_WORDS, DROPPED_WORDS, NEGATIONS, NUMBER_WORDS

_NUMBER = r"(?:\d+(?:[.,]\d+)*|(?<!\w)\.\d+)(?:\^\d+)?(?:(?i:st|nd|rd|th|s)\b)?"
_SUFFIX = r"(?:'(?i:s|t|re|ve|ll|d|m)\b)?"
_ASCII_TERM = re.compile(rf"{_NUMBER}|(?:[A-Za-z]\.){{2,}}|[A-Za-z][A-Za-z0-9]*{_SUFFIX}")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"\d*[.,]\d+|\d+")
_VOWEL = re.compile(r"[aeiouy]")
_CACHED_LENGTH = 40


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


@dataclass(frozen=True, slots=True)
class Term:
    """One comparable term of an answer sentence; `start` and `end` are offsets into the whole answer."""

    key: str
    weight: int
    is_number_or_name: bool
    start: int
    end: int


def sentence_keys(sentence: str) -> list[str]:
    """Keys of the terms of one sentence, in order."""
    keys: list[str] = []
    if sentence.isascii():
        for surface in _ASCII_TERM.findall(sentence):
            keys.extend(_keys(surface))
        return keys
    for match in _unicode_matches(normalise(sentence).replace("_", " ")):
        keys.extend(bigrams(match.group()) if match.lastgroup else _keys_bounded(match.group()))
    return keys


def sentence_terms(sentence: str, base: int) -> list[Term]:
    """Terms of one sentence that starts at offset `base` of the answer."""
    origins = None
    if sentence.isascii():
        text, matches = sentence, _ASCII_TERM.finditer(sentence)
    else:
        text, origins = normalise_with_origins(sentence)
        matches = _unicode_matches(text.replace("_", " "))
    found = list(matches)
    terms: list[Term] = []
    for position, match in enumerate(found):
        surface, start = match.group(), match.start()
        if match.lastgroup:
            pieces = _run_pieces(surface, start)
        else:
            pieces = [(key, start, match.end()) for key in _keys_bounded(surface)]
        has_digit = any(map(str.isdecimal, surface))
        has_capital = surface != surface.lower()
        weight = 2 if has_digit or (has_capital and position > 0) else 1
        is_name = has_capital and (position > 0 or _begins_a_name(text, found))
        for key, begin, end in pieces:
            if origins is not None:
                begin, end = origins.span(begin, end)
            notable = is_name or has_digit or key.isdecimal()
            terms.append(Term(key, weight, notable, base + begin, base + end))
    return terms


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


def _keys_bounded(surface: str) -> tuple[str, ...]:
    return _keys(surface) if len(surface) <= _CACHED_LENGTH else _keys.__wrapped__(surface)


@lru_cache(maxsize=1 << 15)
def _keys(surface: str) -> tuple[str, ...]:
    """Comparable keys of one surface form: none for a dropped word, several for a date like 12.05.2023."""
    if surface[0].isdecimal() or surface[0] == ".":
        return _number_keys(surface)
    if "." in surface:
        joined = surface.replace(".", "").lower()
        return () if joined in ("eg", "ie") else (joined,)
    word, _, suffix = surface.casefold().partition("'")
    if suffix == "t" and word.endswith("n"):
        return ("not",)
    if word in NEGATIONS:
        return (NEGATIONS[word],)
    if word in DROPPED_WORDS and surface not in CAPITAL_WORDS:
        return ()
    if word in NUMBER_WORDS:
        return (NUMBER_WORDS[word],)
    return (_strip_ending(word) if word.isascii() and word.isalpha() else word,)


def _number_keys(surface: str) -> tuple[str, ...]:
    digits = "".join(str(int(c)) if c.isdecimal() else c for c in surface).rstrip("stndrhSTNDRH")
    mantissa, raised, exponent = digits.partition("^")
    if _THOUSANDS.fullmatch(mantissa):
        mantissa = mantissa.replace(",", "")
    if _DECIMAL.fullmatch(mantissa):
        return (_plain_number(mantissa.replace(",", ".")) + raised + exponent,)
    return tuple(_plain_number(part) for part in re.findall(r"\d+", digits))


def _plain_number(text: str) -> str:
    whole, point, fraction = text.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (point + fraction if fraction else "")


def _strip_ending(word: str) -> str:
    if len(word) < 3:
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
