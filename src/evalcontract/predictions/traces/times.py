"""Times of traces, as nanoseconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from evalcontract.responses import JsonNode

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LIMIT = 1 << 63
_MICROSECOND = timedelta(microseconds=1)


def nanoseconds(node: JsonNode) -> int:
    """The time in a node: ISO 8601 text, or a number of nanoseconds, which OTLP JSON writes as text."""
    value = node.value
    if isinstance(value, str) and value.isdecimal() and len(value) <= 20:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LIMIT:
        return value
    try:
        moment = datetime.fromisoformat(node.text())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return (moment - _EPOCH) // _MICROSECOND * 1000
    except (ValueError, OverflowError):
        raise node.unlike("a time") from None
