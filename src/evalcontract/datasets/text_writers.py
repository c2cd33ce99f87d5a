"""Datasets written as JSON and as JSON Lines, item by item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, Protocol

from evalcontract.errors import ContractViolation
from evalcontract.values import SCHEMA_KEY, json_text

METADATA = "metadata"


class Writer(Protocol):
    """Takes a dataset piece by piece: what stands around the items, the items, the end."""

    def begin(self, envelope: Mapping[str, Any] | None) -> None:
        """What is known before the first item; None for a bare list of items."""

    def item(self, item: Any) -> None:
        """One item."""

    def end(self, envelope: Mapping[str, Any] | None) -> tuple[str, ...]:
        """All that stands around the items. Returns what the format couldn't keep, in sentences."""


def json_bytes(value: Any) -> bytes:
    """Strict JSON on one line, in UTF-8."""
    return json_text(value).encode()


class JsonWriter:
    """One JSON document: a dataset, or an array when nothing stands around the items. An item a line."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._begun: Mapping[str, Any] | None = None
        self._separator = b"\n"

    def begin(self, envelope: Mapping[str, Any] | None) -> None:
        self._begun = envelope
        if envelope is None:
            self._file.write(b"[")
            return
        members = b"".join(
            json_bytes(key) + b": " + json_bytes(value) + b",\n" for key, value in envelope.items()
        )
        self._file.write(b"{" + members + b'"items": [')

    def item(self, item: Any) -> None:
        self._file.write(self._separator + json_bytes(item))
        self._separator = b",\n"

    def end(self, envelope: Mapping[str, Any] | None) -> tuple[str, ...]:
        self._file.write(b"\n]")
        if self._begun is not None:
            for key, value in (envelope or {}).items():
                if key not in self._begun:
                    self._file.write(b",\n" + json_bytes(key) + b": " + json_bytes(value))
            self._file.write(b"}")
        self._file.write(b"\n")
        return ()


class LinesWriter:
    """JSON Lines, with the metadata in a second file.

    A dataset's own keys beside `metadata` have no place there: unless `allow_loss`, that is refused with
    ContractViolation. `$schema` is left out with a note: it says what the whole document is, and there is none.
    """

    def __init__(self, file: BinaryIO, open_sidecar: Callable[[], BinaryIO], *, allow_loss: bool) -> None:
        self._file = file
        self._open_sidecar = open_sidecar
        self._allow_loss = allow_loss

    def begin(self, envelope: Mapping[str, Any] | None) -> None:
        self._lost(envelope)

    def item(self, item: Any) -> None:
        self._file.write(json_bytes(item) + b"\n")

    def end(self, envelope: Mapping[str, Any] | None) -> tuple[str, ...]:
        lost = self._lost(envelope)
        if envelope is not None and METADATA in envelope:
            text = json_text(envelope[METADATA], indent=2)
            self._open_sidecar().write(text.encode() + b"\n")
        return (f"left out, JSON Lines have no place for it: {', '.join(lost)}",) if lost else ()

    def _lost(self, envelope: Mapping[str, Any] | None) -> list[str]:
        lost = [key for key in envelope or {} if key != METADATA]
        own = [key for key in lost if key != SCHEMA_KEY]
        if own and not self._allow_loss:
            raise ContractViolation(
                f"JSON Lines have no place for the dataset's own keys: {', '.join(own)}",
                hint="write .json, or move them into metadata; convert leaves them out with --allow-loss",
            )
        return lost
