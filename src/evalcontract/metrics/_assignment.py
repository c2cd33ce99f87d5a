"""Pairing two lists: the longest common subsequence and best one-to-one matchings. Nothing here knows what is paired."""

from __future__ import annotations

from collections.abc import Sequence


def longest_common_subsequence(matches: Sequence[Sequence[int]], n_right: int) -> int:
    """Length of the longest common subsequence; `matches[i]` lists the right positions that left item i equals.

    Bit-parallel: one addition of long integers per left item.
    """
    full = (1 << n_right) - 1
    unmatched = full
    for positions in matches:
        mask = 0
        for position in positions:
            mask |= 1 << position
        hit = unmatched & mask
        unmatched = ((unmatched + hit) | (unmatched - hit)) & full
    return n_right - unmatched.bit_count()


def maximum_matching(matches: Sequence[Sequence[int]], n_right: int) -> int:
    """Size of the largest one-to-one matching; `matches[i]` lists the right positions that left item i may take."""
    taken_by: list[int | None] = [None] * n_right
    size = 0
    for left in range(len(matches)):
        came_from: dict[int, int] = {}
        queue, free = [left], None
        for item in queue:  # grows while it is read: a breadth-first search for an augmenting path
            for right in matches[item]:
                if right in came_from:
                    continue
                came_from[right] = item
                owner = taken_by[right]
                if owner is None:
                    free = right
                    break
                queue.append(owner)
            if free is not None:
                break
        if free is None:
            continue
        size += 1
        while True:
            item = came_from[free]
            previous = next((r for r, owner in enumerate(taken_by) if owner == item), None)
            taken_by[free] = item
            if previous is None:
                break
            free = previous
    return size


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
    return sum(weights[row_of[j] - 1][j - 1] for j in range(1, n_columns + 1) if row_of[j])
