"""Regular expressions of ECMAScript as far as they are regular: read into automata."""

from __future__ import annotations

from evalcontract.evolution.comparing.automata import (
    LAST,
    MAX_STATES,
    Automaton,
    NotRegular,
    Ranges,
    others,
    union,
)

DIGITS: Ranges = ((48, 57),)
WORDS: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
SPACES: Ranges = (
    (9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
LINE_ENDS: Ranges = ((10, 10), (13, 13), (0x2028, 0x2029))
ESCAPES = {"n": 10, "r": 13, "t": 9, "v": 11, "f": 12, "0": 0}
SYNTAX = "^$\\.*+?()[]{}|/"


def automaton(pattern: str) -> Automaton:
    """The automaton of all texts in which the pattern is found somewhere. Raises NotRegular for what isn't read here.

    `^` and `$` are read where they can only mean the ends of the text.
    """
    return _Reader(pattern).whole()


class _Reader:
    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._made = Automaton()

    def whole(self) -> Automaton:
        made = self._made
        start, end = made.state(), made.state()
        made.end = end
        alternatives = self._top_level()
        for body, anchored_left, anchored_right in alternatives:
            self._text, self._at = body, 0
            first, last = self._alternatives()
            if self._at < len(body):
                raise NotRegular
            if not anchored_left:
                first = self._before(first)
            if not anchored_right:
                last = self._loop(last)
            made.jumps[start].append(first)
            made.jumps[last].append(end)
        return made

    def _before(self, first: int) -> int:
        """A loop in front of a fragment, so that nothing inside leads back into it."""
        loop = self._made.state()
        self._made.moves[loop].append((((0, LAST),), loop))
        self._made.jumps[loop].append(first)
        return loop

    def _loop(self, last: int) -> int:
        loop = self._made.state()
        self._made.moves[loop].append((((0, LAST),), loop))
        self._made.jumps[last].append(loop)
        return loop

    def _top_level(self) -> list[tuple[str, bool, bool]]:
        """The alternatives outside of any group, without their anchors: (body, anchored left, anchored right)."""
        found, begin, depth, at, inside = [], 0, 0, 0, False
        text = self._text
        while at <= len(text):
            sign = text[at] if at < len(text) else "|"
            if at == len(text) or (sign == "|" and depth == 0 and not inside):
                body = text[begin:at]
                left = body.startswith("^")
                body = body[left:]
                right = body.endswith("$") and not _escaped(body)
                found.append((body[: len(body) - right], left, right))
                begin = at + 1
            elif sign == "\\":
                at += 1
                if at == len(text):
                    raise NotRegular
            elif sign == "[":
                inside = True
            elif sign == "]":
                inside = False
            elif not inside:
                depth += (sign == "(") - (sign == ")")
            at += 1
        return found

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        sign = self._peek()
        if not sign:
            raise NotRegular
        self._at += 1
        return sign

    def _alternatives(self) -> tuple[int, int]:
        start, end = self._made.state(), self._made.state()
        while True:
            first, last = self._sequence()
            self._made.jumps[start].append(first)
            self._made.jumps[last].append(end)
            if self._peek() != "|":
                return start, end
            self._at += 1

    def _sequence(self) -> tuple[int, int]:
        start = last = self._made.state()
        while self._peek() and self._peek() not in "|)":
            begin = self._at
            first, end = self._atom()
            least, most = self._counts()
            after = self._at
            if (least, most) != (1, 1):
                first, end = self._repeated(begin, first, end, least, most)
                self._at = after
            self._made.jumps[last].append(first)
            last = end
        return start, last

    def _repeated(self, begin: int, first: int, end: int, least: int, most: int | None) -> tuple[int, int]:
        """The atom at `begin` so many times over; further copies are read again."""
        made, start, last = self._made, self._made.state(), self._made.state()
        copies = max(least, 1 if most is None else most)
        ends: list[int] = [start]
        for copy in range(copies):
            if copy:
                self._at = begin
                first, end = self._atom()
            made.jumps[ends[-1]].append(first)
            if most is None and copy == copies - 1:
                made.jumps[end].append(first)
            ends.append(end)
        for end in ends[least:]:
            made.jumps[end].append(last)
        return start, last

    def _counts(self) -> tuple[int, int | None]:
        sign = self._peek()
        found: tuple[int, int | None] = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign, (1, 1))
        if sign and sign in "*+?":
            self._at += 1
        elif sign == "{":
            close = self._text.find("}", self._at)
            least, comma, most = self._text[self._at + 1 : close].partition(",")
            if close < 0 or not least.isdecimal() or (most and not most.isdecimal()):
                raise NotRegular
            self._at = close + 1
            found = int(least), (int(most) if most else None) if comma else int(least)
            if max(found[0], found[1] or 0) > MAX_STATES:
                raise NotRegular
        if found != (1, 1) and self._peek() == "?":
            self._at += 1  # takes as little as it can: the same texts
        return found

    def _atom(self) -> tuple[int, int]:
        sign = self._take()
        if sign == "(":
            if self._peek() == "?":
                if self._text[self._at : self._at + 2] != "?:":
                    raise NotRegular
                self._at += 2
            found = self._alternatives()
            if self._take() != ")":
                raise NotRegular
            return found
        start, end = self._made.state(), self._made.state()
        self._made.moves[start].append((self._ranges(sign), end))
        return start, end

    def _ranges(self, sign: str) -> Ranges:
        if sign == "[":
            return self._class()
        if sign == ".":
            return others(LINE_ENDS)
        if sign == "\\":
            return self._escape(SYNTAX)
        if sign in SYNTAX and sign != "/":
            raise NotRegular
        return ((ord(sign), ord(sign)),)

    def _escape(self, literal: str) -> Ranges:
        sign = self._take()
        kinds = {"d": DIGITS, "w": WORDS, "s": SPACES}
        if sign.lower() in kinds:
            ranges = kinds[sign.lower()]
            return others(ranges) if sign.isupper() else ranges
        if sign in "xu":
            digits = self._text[self._at : self._at + (2 if sign == "x" else 4)]
            if len(digits) != (2 if sign == "x" else 4) or not all(
                c in "0123456789abcdefABCDEF" for c in digits
            ):
                raise NotRegular
            self._at += len(digits)
            point = int(digits, 16)
            if 0xD800 <= point <= 0xDFFF:
                raise NotRegular
            return ((point, point),)
        if sign == "0" and self._peek().isdecimal():
            raise NotRegular
        if sign in ESCAPES:
            return ((ESCAPES[sign], ESCAPES[sign]),)
        if sign not in literal:
            raise NotRegular
        return ((ord(sign), ord(sign)),)

    def _class(self) -> Ranges:
        negated = self._peek() == "^"
        self._at += negated
        found: list[tuple[int, int]] = []
        while self._peek() != "]":
            ranges = self._member()
            if self._peek() == "-" and self._text[self._at + 1 : self._at + 2] not in ("]", ""):
                self._at += 1
                until = self._member()
                if not (_single(ranges) and _single(until)) or until[0][0] < ranges[0][0]:
                    raise NotRegular
                ranges = ((ranges[0][0], until[0][0]),)
            found += ranges
        self._at += 1
        return others(tuple(found)) if negated else union(tuple(found))

    def _member(self) -> Ranges:
        sign = self._take()
        if sign == "\\":
            if self._peek() == "b":
                raise NotRegular
            return self._escape(SYNTAX + "-")
        return ((ord(sign), ord(sign)),)


def _single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]


def _escaped(body: str) -> bool:
    """Whether the last character stands behind an odd number of backslashes."""
    before = body[:-1]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
