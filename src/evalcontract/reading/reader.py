"""The one reader: every command reads its input through `read`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from evalcontract.errors import UnreadableInput
from evalcontract.reading.documents import joined, read_json
from evalcontract.reading.events import Closed, Document, Event, Opened
from evalcontract.reading.lines import read_lines
from evalcontract.reading.sources import STDIN, STDIN_NAME, FileFormat, format_of, opened
from evalcontract.reading.tally import Limits, Tally
from evalcontract.reading.window import WINDOW_BYTES
from evalcontract.reading.yaml_reader import read_yaml

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n"
_CONVERT = "convert it, for example with iconv -t UTF-8"
_OTHER_ENCODINGS = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_LFS = b"version https://git-lfs.github.com/spec/"


def read(
    source: Path | str,
    *,
    items: bool,
    format: FileFormat | None = None,
    limits: Limits | None = None,
) -> Iterator[Event]:
    """Opened, then documents, faults and notices in file order, then Closed.

    `source` is a file or "-" for standard input (JSON unless `format` says otherwise). With `items` the
    elements of a top-level array, or of a top-level "items" array, come one by one; without, a .json or
    YAML file is one document. JSON Lines is one document a line in either case.

    Data that can't be read strictly is yielded as Fault, and reading goes on where it can. Raises
    UnreadableInput, on the first step, for a source that can't be opened or isn't UTF-8 text at all.
    """
    kind = format or ("json" if source == STDIN else format_of(Path(source)))
    return _read(source, kind, items=items, limits=limits or Limits(), look_ahead=source != STDIN)


def _read(
    source: Path | str, kind: FileFormat, *, items: bool, limits: Limits, look_ahead: bool
) -> Iterator[Event]:
    name = STDIN_NAME if source == STDIN else str(source)
    tally = Tally(name)

    def ahead() -> Document | None:
        events = _read(source, kind, items=items, limits=limits, look_ahead=False)
        return next((event.envelope for event in events if isinstance(event, Closed)), None)

    with opened(source) as (stream, decompressed):
        head = _head(stream)
        _refuse_other_encodings(head, name)
        if head.startswith(_BOM):
            head = head[len(_BOM) :]
            yield tally.bom()
        if head.startswith(_LFS):
            yield tally.lfs_pointer()
        elif kind == "lines":
            yield Opened(name, "json", "lines")
            yield from read_lines(joined(head, stream), tally, limits)
        elif kind == "yaml":
            yield from read_yaml(joined(head, stream), tally, limits, items=items)
        else:
            yield from read_json(
                stream, head, tally, limits, items=items, ahead=ahead if look_ahead else None
            )
        if decompressed and decompressed.damage:
            yield tally.damaged(decompressed.damage)
    yield tally.closed()


def _head(stream: BinaryIO) -> bytes:
    head = b""
    while len(head) < WINDOW_BYTES and (chunk := stream.read(WINDOW_BYTES - len(head))):
        head += chunk
    return head


def _refuse_other_encodings(head: bytes, name: str) -> None:
    for mark, encoding in _OTHER_ENCODINGS.items():
        if head.startswith(mark):
            raise UnreadableInput(f"{name} is {encoding}, not UTF-8", hint=_CONVERT)
    start = head[:4]
    if len(start) == 4 and start.count(0) >= 2:
        raise UnreadableInput(f"{name} is UTF-16 or UTF-32 without a mark, not UTF-8", hint=_CONVERT)
