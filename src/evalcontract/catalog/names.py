"""Names of contracts and their versions: `rag_input@1.0`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from reprlib import Repr

from evalcontract.errors import UsageError

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*", re.ASCII)
_LARGEST_BITS = 1000
_VERSION = re.compile(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class SchemaVersion:
    """A schema version; 1.10 is higher than 1.9."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> SchemaVersion:
        """Read `major.minor`; UsageError for anything else."""
        match = _VERSION.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise UsageError(
                f"{shown(text)} is not a schema version", hint="write major.minor, for example 1.0"
            )
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@dataclass(frozen=True, slots=True)
class ContractRef:
    """A contract in one version: the address of a schema."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def split_spec(spec: str) -> tuple[str, str | None]:
    """Split `name[@version]`; UsageError when it can't be the name of a contract."""
    name, at, version = spec.partition("@") if isinstance(spec, str) else ("", "", "")
    if _NAME.fullmatch(name) is None or len(name) > 100:
        raise UsageError(
            f"{shown(spec)} is not the name of a contract", hint="names look like rag_input or rag_input@1.0"
        )
    if not at:
        return name, None
    return name, str(SchemaVersion.parse(version))


class _Brief(Repr):
    """Shows a part of a value that may be deep, huge, or unable to show itself."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxlist = self.maxdict = self.maxtuple = 8
        self.maxstring = self.maxother = 80

    def repr_int(self, x: int, level: int) -> str:
        bits = x.bit_length()
        return f"<integer of {bits:,} bits>" if bits > _LARGEST_BITS else repr(x)


def cut(text: str, limit: int) -> str:
    """The text, or as much of it as `limit` characters hold, with a mark that there is more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def shown(text: object, limit: int = 80) -> str:
    """A value as it stands in a message: quoted, on one line, at most `limit` characters."""
    quoted = repr(str.__str__(text)[: limit + 1]) if isinstance(text, str) else _Brief().repr(text)
    return cut(quoted, limit)
