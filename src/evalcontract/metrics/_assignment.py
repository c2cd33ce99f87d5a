"""Pairing two lists: the longest common subsequence and best one-to-one matchings. Nothing here knows what is
paired.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from math import fsum


def longest_common_subsequence(matches: Sequence[Sequence[int]], n_right: int) -> int:
    """Length of the longest common subsequence; `matches[i]` lists the right positions that left item i
    equals.
    """
    return common_length(map(mask_of, matches), n_right)


def mask_of(positions: Iterable[int]) -> int:
    """An integer with a bit for each position."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def common_length(masks: Iterable[int], n_right: int) -> int:
    """The same, with the right positions of each left item as bits.

    Bit-parallel: one addition of long integers per left item.
    """
    full = (1 << n_right) - 1
    unmatched = full
    for mask in masks:
        hit = unmatched & mask
        unmatched = ((unmatched + hit) | (unmatched - hit)) & full
    return n_right - unmatched.bit_count()


def maximum_matching(matches: Sequence[Sequence[int]]) -> dict[int, int]:
    """The right position of each left item in a largest one-to-one matching; `matches[i]` lists those that left item i
    may take.
    """
    left_of: dict[int, int] = {}
    right_of: dict[int, int] = {}
    for start in range(len(matches)):
        free, reached_from = _augmenting_path(start, matches, left_of)
        while free is not None:
            left = reached_from[free]
            left_of[free] = left
            right_of[left], free = free, right_of.get(left)
    return right_of


def _augmenting_path(
    start: int, matches: Sequence[Sequence[int]], left_of: dict[int, int]
) -> tuple[int | None, dict[int, int]]:
    """A free right position that `start` can reach by re-pairing others, and which left item leads to each
    position.
    """
    reached_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        left = queue.popleft()
        for right in matches[left]:
            if right in reached_from:
                continue
            reached_from[right] = left
            if right not in left_of:
                return right, reached_from
            queue.append(left_of[right])
    return None, reached_from


def best_total(weights: Sequence[Sequence[float]]) -> float:
    """Greatest total weight of a one-to-one assignment of rows to columns (each weight in 0..1; any shape).

    The Hungarian method with potentials, O(rows^2 * columns) for rows <= columns.
    """
    if not weights or not weights[0]:
        return 0.0
    if len(weights) > len(weights[0]):
        weights = list(zip(*weights, strict=True))
    n_rows, n_columns = len(weights), len(weights[0])
    infinity = float("inf")
    row_potential = [0.0] * (n_rows + 1)
    column_potential = [0.0] * (n_columns + 1)
    row_of = [0] * (n_columns + 1)
    for row in range(1, n_rows + 1):
        row_of[0] = row
        column = 0
        slack = [infinity] * (n_columns + 1)
        via = [0] * (n_columns + 1)
        done = [False] * (n_columns + 1)
        while row_of[column]:
            done[column] = True
            current, delta, following = row_of[column], infinity, 0
            for j in range(1, n_columns + 1):
                if done[j]:
                    continue
                cost = 1.0 - weights[current - 1][j - 1] - row_potential[current] - column_potential[j]
                if cost < slack[j]:
                    slack[j], via[j] = cost, column
                if slack[j] < delta:
                    delta, following = slack[j], j
            for j in range(n_columns + 1):
                if done[j]:
                    row_potential[row_of[j]] += delta
                    column_potential[j] -= delta
                else:
                    slack[j] -= delta
            column = following
        while column:
            row_of[column] = row_of[via[column]]
            column = via[column]
    return fsum(weights[row_of[j] - 1][j - 1] for j in range(1, n_columns + 1) if row_of[j])
