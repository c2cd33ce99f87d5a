"""A metric of one's own, for `evalcontract score --metric examples.own_metrics:answers_briefly`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def answers_briefly(item: Mapping[str, Any], prediction: Mapping[str, Any]) -> bool | None:
    """Whether an answer has at most 40 words; None without an answer."""
    words = (prediction.get("response") or "").split()
    return None if not words else len(words) <= 40
