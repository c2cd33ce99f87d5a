"""Callers that are deep already."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def below(open_calls: int, work: Callable[[], Made]) -> Made:
    """What `work` gives when so many calls are open above it."""
    return work() if open_calls == 0 else below(open_calls - 1, work)
