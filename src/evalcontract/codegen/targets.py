"""What can be generated from a catalogue, and one run of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evalcontract.authoring import lint_layers
from evalcontract.catalog import Catalogue
from evalcontract.codegen.go import go_package
from evalcontract.codegen.java import java_package
from evalcontract.codegen.model import Model, model_of
from evalcontract.codegen.python import python_package
from evalcontract.codegen.rust import rust_package
from evalcontract.codegen.schema_files import bundles, flat_files
from evalcontract.codegen.tree import FileDifference, Files, differences, refuse_foreign, write
from evalcontract.codegen.typescript import typescript_package
from evalcontract.errors import UnfitSchemas, UsageError


@dataclass(frozen=True, slots=True)
class OutputTarget:
    """A kind of output: the option that names its folder, and who makes the files of that folder."""

    option: str
    what: str
    files: Callable[[Catalogue], Files]


def _language(option: str, what: str, emit: Callable[[Model], Files]) -> OutputTarget:
    return OutputTarget(option, what, lambda catalogue: emit(model_of(catalogue)))


TARGETS = (
    OutputTarget("bundles", "self-contained schemas", bundles),
    OutputTarget("flat", "self-contained schemas without inheritance", flat_files),
    OutputTarget("python", "package of pydantic models", python_package),
    _language("typescript", "npm package of types and a validator", typescript_package),
    _language("go", "Go module of types and a validator", go_package),
    _language("java", "Maven package of types and a validator", java_package),
    _language("rust", "Cargo package of types and a validator", rust_package),
)


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that is not, or was not, what the generator writes."""

    path: Path
    kind: Literal["edited", "missing", "stray"]

    def __str__(self) -> str:
        return f"{self.path}: {self.kind}"


def generate(catalogue: Catalogue, folders: Mapping[str, Path], *, check: bool = False) -> list[FileChange]:
    """Bring the folder of each named target up to date with a catalogue.

    Gives what was changed, or with `check` what would be: nothing is written then. Everything is made and
    looked at before the first file is written. Raises UnfitSchemas when a folder of schemas breaks a rule
    of `lint`, and UsageError when a file in a target's folder is somebody else's.
    """
    targets = [target for target in TARGETS if target.option in folders]
    _apart([folders[target.option] for target in targets])
    if findings := list(lint_layers(catalogue)):
        raise UnfitSchemas(
            "nothing is generated from these schemas",
            details=tuple(map(str, findings)),
            hint="evalcontract schema lint says the way out of each",
        )
    made = [(folders[target.option], target.files(catalogue)) for target in targets]
    found = [(folder, files, differences(folder, files)) for folder, files in made]
    if not check:
        for folder, _, different in found:
            refuse_foreign(folder, different)
        for folder, files, different in found:
            write(folder, files, different)
    return [change for folder, _, different in found for change in _changes(folder, different)]


def bring_up_to_date(folder: Path, files: Files) -> list[FileChange]:
    """Make a folder hold these files and nothing else; gives what was changed.

    Raises UsageError when a file in it is somebody else's.
    """
    different = differences(folder, files)
    refuse_foreign(folder, different)
    write(folder, files, different)
    return _changes(folder, different)


def _changes(folder: Path, different: Iterable[FileDifference]) -> list[FileChange]:
    return [FileChange(folder / difference.path, difference.kind) for difference in different]


def _apart(folders: list[Path]) -> None:
    """Raise UsageError when one folder lies in another: what one target owns is a stray to the other."""
    whole = [folder.resolve() for folder in folders]
    for number, folder in enumerate(whole):
        for other in whole[number + 1 :]:
            if folder == other or folder in other.parents or other in folder.parents:
                raise UsageError(f"{folder} and {other} overlap", hint="give each target a folder of its own")
