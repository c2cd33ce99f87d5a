"""Edit distances, by Myers' bit-parallel algorithm (1999): one step a character on integers as long as the pattern."""

from __future__ import annotations

from collections.abc import Iterator


def distances(pattern: str, text: str, *, anchored: bool) -> Iterator[int]:
    """After each character of the text, the Levenshtein distance of the pattern to a passage that ends there.

    With `anchored` the passage starts where the text starts; else it is the one closest to the pattern. The pattern
    isn't empty.
    """
    full, top = (1 << len(pattern)) - 1, 1 << (len(pattern) - 1)
    places: dict[str, int] = {}
    for place, character in enumerate(pattern):
        places[character] = places.get(character, 0) | 1 << place
    rising, falling, distance = full, 0, len(pattern)
    for character in text:
        equal = places.get(character, 0)
        vertical = equal | falling
        horizontal = (((equal & rising) + rising) ^ rising) | equal
        up = falling | (full & ~(horizontal | rising))
        down = rising & horizontal
        if up & top:
            distance += 1
        elif down & top:
            distance -= 1
        up = (up << 1 | anchored) & full
        down = (down << 1) & full
        rising = down | (full & ~(vertical | up))
        falling = up & vertical
        yield distance
