"""Names of contracts and their versions: `rag_input@1.0`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evalcontract.errors import UsageError
from evalcontract.values import shown

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*", re.ASCII)
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
