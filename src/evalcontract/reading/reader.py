"""The one reader: every command reads its input through `read`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from evalcontract.errors import UnreadableInput
from evalcontract.reading.events import Closed, Document, Event, Opened, Passes
from evalcontract.reading.limits import Limits, current_limits
from evalcontract.reading.lines import read_lines
from evalcontract.reading.sources import (
    STDIN_NAME,
    FileFormat,
    format_of,
    is_regular_file,
    is_stdin,
    joined,
    opened,
)
from evalcontract.reading.tally import Tally

if TYPE_CHECKING:
    from evalcontract.reading.dataset import ReadAhead

_HEAD_BYTES = 1 << 18
BOM = b"\xef\xbb\xbf"
_CONVERT = "convert it, for example with iconv -t UTF-8"
_OTHER_ENCODINGS = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_ARCHIVES = {b"\x1f\x8b": ("gzip", ".gz"), b"\x28\xb5\x2f\xfd": ("zstd", ".zst")}
_LFS = b"version https://git-lfs.github.com/spec/"


def read(
    source: Path | str,
    *,
    items: bool,
    format: FileFormat | None = None,
    limits: Limits | None = None,
    passes: Passes | None = None,
) -> Iterator[Event]:
    """Opened, then documents, faults and notices in file order, then Closed.

    Without or before Opened come only the notice of a leading byte order mark and the fault of a file that
    holds no data or is a Git LFS pointer.

    `source` is a file or "-" for standard input, which is JSON or JSON Lines unless `format` says
    otherwise. With `items` the elements of a top-level array, or of a top-level "items" array, come one by
    one; without, a .json or YAML file is one document. JSON Lines is one document a line in either case.

    `passes` may take documents of JSON Lines and of long arrays, which are then counted and not yielded.

    Data that can't be read strictly is yielded as Fault, and reading goes on where it can. Raises
    UnreadableInput, at once or on the first step, for a source that can't be opened, has a suffix that
    names no format, or isn't UTF-8 text at all.
    """
    kind = format or ("json" if is_stdin(source) else format_of(Path(source)))
    again = is_regular_file(source)
    return _read(source, kind, items=items, limits=limits or current_limits(), again=again, passes=passes)


def _read(
    source: Path | str,
    kind: FileFormat,
    *,
    items: bool,
    limits: Limits,
    again: bool,
    passes: Passes | None = None,
) -> Iterator[Event]:
    name = STDIN_NAME if is_stdin(source) else str(source)
    tally = Tally(name, passes=passes, limits=limits)

    def ahead() -> Document | None:
        events = _read(source, kind, items=items, limits=limits, again=False)
        return next((event.envelope for event in events if isinstance(event, Closed)), None)

    try:
        with opened(source) as (stream, decompressed):
            head = _head(stream)
            refuse_what_is_not_utf8(head, name)
            if head or not (decompressed and decompressed.damage):
                look = ahead if again else None
                yield from _read_stream(stream, head, kind, tally, items=items, ahead=look)
            if decompressed and decompressed.damage:
                yield tally.damaged(decompressed.damage)
    except OSError as error:
        raise UnreadableInput(f"{name} can't be read: {error.strerror or error}") from None
    yield tally.closed()


def _read_stream(
    stream: BinaryIO,
    head: bytes,
    kind: FileFormat,
    tally: Tally,
    *,
    items: bool,
    ahead: ReadAhead | None,
) -> Iterator[Event]:
    if head.startswith(BOM):
        head = head[len(BOM) :]
        yield tally.bom()
    if head.startswith(_LFS):
        yield tally.lfs_pointer()
    elif kind == "lines":
        yield Opened(tally.file, "json", "lines")
        yield from read_lines(joined(head, stream), tally)
    elif kind == "yaml":
        from evalcontract.reading.yaml_reader import read_yaml

        yield from read_yaml(joined(head, stream), tally, items=items)
    else:
        from evalcontract.reading.documents import read_json

        yield from read_json(stream, head, tally, items=items, ahead=ahead)


def _head(stream: BinaryIO) -> bytes:
    head = b""
    while len(head) < _HEAD_BYTES and (chunk := stream.read(_HEAD_BYTES - len(head))):
        head += chunk
    return head


def refuse_what_is_not_utf8(head: bytes, name: str) -> None:
    for magic, (archive, suffix) in _ARCHIVES.items():
        if head.startswith(magic):
            hint = f"name it {suffix}, or decompress it before it comes in on standard input"
            raise UnreadableInput(f"{name} is compressed with {archive}", hint=hint)
    for mark, encoding in _OTHER_ENCODINGS.items():
        if head.startswith(mark):
            raise UnreadableInput(f"{name} is {encoding}, not UTF-8", hint=_CONVERT)
    start = head[:4]
    if len(start) == 4 and start.count(0) >= 2:
        raise UnreadableInput(f"{name} is UTF-16 or UTF-32 without a mark, not UTF-8", hint=_CONVERT)
