"""Opening what is read: files by suffix, gzip and zstd in flat memory, standard input."""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import BinaryIO, Literal, Protocol

from evalcontract.errors import UnreadableInput
from evalcontract.values import COMPRESSED_SUFFIXES, JSON_SUFFIXES, LINES_SUFFIXES, YAML_SUFFIXES, visible

SUFFIXES = JSON_SUFFIXES + LINES_SUFFIXES + YAML_SUFFIXES

STDIN = "-"
STDIN_NAME = "<stdin>"
BUFFER_BYTES = 1 << 18
_ZSTD_WINDOW_BYTES = 1 << 27

FileFormat = Literal["json", "lines", "yaml"]


def what_is_read() -> str:
    """The suffixes of the formats that are read, in a sentence."""
    return f"read are {', '.join(SUFFIXES)}, each also with .gz or .zst"


def format_of(path: Path) -> FileFormat:
    """The format a file's suffixes name. Raises UnreadableInput for any other suffix."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSED_SUFFIXES:
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    if suffix in JSON_SUFFIXES:
        return "json"
    if suffix in LINES_SUFFIXES:
        return "lines"
    if suffix in YAML_SUFFIXES:
        return "yaml"
    if not path.exists():
        raise no_such_file(path)
    raise UnreadableInput(
        f"{path}: {'the suffix ' + suffix if suffix else 'no suffix'} names no format that is read",
        hint=what_is_read(),
    )


def no_such_file(path: Path) -> UnreadableInput:
    """The error for a path at which nothing is."""
    return UnreadableInput(f"{path}: no such file", hint="check the spelling and the folder")


def is_stdin(source: Path | str) -> bool:
    return str(source) == STDIN


def is_regular_file(source: Path | str) -> bool:
    """Whether it can be read twice: not standard input, no pipe, no folder."""
    try:
        return not is_stdin(source) and Path(source).is_file()
    except OSError:
        return False


@contextmanager
def opened(source: Path | str) -> Iterator[tuple[BinaryIO, Decompressed | None]]:
    """The bytes of a file or of standard input ("-"), decompressed; the second value tells how that went.

    Raises UnreadableInput when there is nothing to open.
    """
    if is_stdin(source):
        if sys.stdin is None:
            raise UnreadableInput("there is no standard input", hint="name a file")
        yield sys.stdin.buffer, None
        return
    path = Path(source)
    try:
        if path.is_dir():
            raise UnreadableInput(
                f"{path} is a folder, not a file",
                hint="name a file, or give the folder to a command that takes many",
            )
        file = path.open("rb", buffering=BUFFER_BYTES)
    except FileNotFoundError:
        raise no_such_file(path) from None
    except PermissionError:
        raise UnreadableInput(f"{path}: no permission to read it", hint="change its mode or owner") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableInput(f"{visible(str(path), 80)} can't be opened: {reason}") from None
    with file, _being_read(str(path), file):
        suffix = path.suffix.lower()
        if suffix not in COMPRESSED_SUFFIXES:
            yield file, None
            return
        decompressed = Decompressed(file, gzip_members if suffix == ".gz" else zstd_frames)
        with io.BufferedReader(decompressed, BUFFER_BYTES) as reader:
            yield reader, decompressed


_BEING_READ: dict[str, BinaryIO] = {}


@contextmanager
def _being_read(name: str, file: BinaryIO) -> Iterator[None]:
    before = _BEING_READ.get(name)
    _BEING_READ[name] = file
    try:
        yield
    finally:
        if before is not None:
            _BEING_READ[name] = before
        else:
            _BEING_READ.pop(name, None)


def share_read(name: str) -> float | None:
    """How much of a file that this process is reading was read so far, from 0 to 1, by its bytes as they lie there.

    None for a file that isn't being read, for an empty one, and for what has no size, such as standard input.
    """
    file = _BEING_READ.get(name)
    if file is None or file.closed:
        return None
    try:
        size = os.fstat(file.fileno()).st_size
        return min(1.0, os.lseek(file.fileno(), 0, os.SEEK_CUR) / size) if size else None
    except OSError:  # a pipe has no place
        return None


class Codec(Protocol):
    def __call__(self, file: BinaryIO) -> Iterator[bytes]: ...


class Decompressed(io.RawIOBase):
    """Decompressed bytes. Damage ends them and is kept in `damage`: what came before is still read."""

    def __init__(self, file: BinaryIO, codec: Codec) -> None:
        super().__init__()
        self.damage: str | None = None
        self._chunks = codec(file)
        self._pending = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._pending:
            try:
                self._pending = memoryview(next(self._chunks))
            except StopIteration:
                return 0
            except (zlib.error, DamagedFrame) as error:
                self.damage = f"it is damaged ({error})"
                return 0
            except EOFError:
                self.damage = "it is cut off"
                return 0
        count = min(len(buffer), len(self._pending))
        buffer[:count] = self._pending[:count]
        self._pending = self._pending[count:]
        return count


def gzip_members(file: BinaryIO) -> Iterator[bytes]:
    """The content of every gzip member, in pieces of at most BUFFER_BYTES. EOFError: cut off."""
    pending = file.read(BUFFER_BYTES)
    while pending:
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            if not pending:
                pending = file.read(BUFFER_BYTES)
                if not pending:
                    raise EOFError
            yield member.decompress(pending, BUFFER_BYTES)
            pending = member.unconsumed_tail
        pending = (member.unused_data or file.read(BUFFER_BYTES)).lstrip(b"\0")


# A compressed block of four bytes can hold 128 KiB: input is fed in small pieces to keep memory flat.
_ZSTD_PIECE_BYTES = 1 << 10


class DamagedFrame(ValueError):
    """What stands in a zstd frame is none."""


def zstd_frames(file: BinaryIO) -> Iterator[bytes]:
    """The content of every zstd frame. EOFError: cut off. DamagedFrame: it can't be unpacked."""
    import zstandard  # few files need it

    try:
        yield from _frames(file, zstandard)
    except zstandard.ZstdError as error:
        raise DamagedFrame(str(error)) from error


def _frames(file: BinaryIO, zstandard: ModuleType) -> Iterator[bytes]:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES)
    pending = file.read(_ZSTD_PIECE_BYTES)
    while pending:
        frame = decompressor.decompressobj()
        while not frame.eof:
            if not pending:
                pending = file.read(_ZSTD_PIECE_BYTES)
                if not pending:
                    raise EOFError
            yield frame.decompress(pending)
            pending = b""
        pending = frame.unused_data or file.read(_ZSTD_PIECE_BYTES)


def joined(head: bytes, stream: BinaryIO) -> BinaryIO:
    """One stream of what was read already and the rest."""
    return io.BufferedReader(_Joined(head, stream), BUFFER_BYTES)


class _Joined(io.RawIOBase):
    """What was read of a stream already, then the rest of it."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        super().__init__()
        self._head = head
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        chunk = self._head[: len(buffer)] or self._stream.read(len(buffer))
        self._head = self._head[len(chunk) :]
        buffer[: len(chunk)] = chunk
        return len(chunk)
