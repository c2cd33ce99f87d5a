"""One JSON text that stands in no file, such as a cell of a table, read as strictly as a line of a file."""

from __future__ import annotations

from collections.abc import Iterator

from evalcontract.reading.events import START, Document, Fault, FileNotice
from evalcontract.reading.limits import current_limits, raise_it, refuse_too_many_values
from evalcontract.reading.locator import escaped_null_in
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse_quickly
from evalcontract.reading.tally import Tally


def read_single(raw: bytes) -> Iterator[Document | Fault | FileNotice]:
    """A document or a fault, and notices before it. Positions count from the start of the text."""
    tally = Tally("")
    if len(raw) > tally.limits.document_bytes:
        hint = f"split it, or {raise_it('document-bytes', tally.limits)}"
        yield tally.fault(
            "too-long", f"a text of more than {tally.limits.document_bytes:,} bytes", START, hint
        )
        return
    yield from tally.read(raw, START)


def glance(raw: bytes) -> object:
    """The value of a text, quickly, for one about which there may be nothing to say: as `Passes` takes it.

    ValueError where it isn't strict JSON, holds a null byte, or is too large: `read_single` says what it is.
    """
    limits = current_limits()
    if len(raw) > limits.document_bytes or escaped_null_in(raw):
        raise ValueError
    try:
        refuse_too_many_values(raw, limits)
    except Refusal:
        raise ValueError from None
    return parse_quickly(raw)
