"""Conformance vectors of a contract, and a measure of them: which changes of the schema does no vector notice?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalcontract.authoring.candidates import Candidate, candidates
from evalcontract.authoring.faults import Judge, Judges, KeywordFault, exact_judge
from evalcontract.authoring.mutants import Mutant, mutants_of
from evalcontract.authoring.samples import Samples, as_text, vectors_folder
from evalcontract.catalog import Catalogue, ContractRef, read_json, read_object
from evalcontract.errors import SchemaError, UsageError
from evalcontract.values import same_value

_EXPECTED = "expected.json"
_WIDTH = 80
_ALWAYS = ("unknown-fields", "document-is-null", "document-in-an-array")


@dataclass(frozen=True, slots=True)
class VectorCase:
    """One document and the faults that it must have; none when it is valid."""

    name: str
    document: Any
    faults: frozenset[KeywordFault]

    @property
    def kind(self) -> str:
        """The folder that it lies in."""
        return "invalid" if self.faults else "valid"


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of a contract: those that were there, those that are new, and what they don't notice.

    `wrong` names vectors that were there and whose verdict is not what their place says. `mutants` counts the
    changed schemas, of which `unnoticed` give every vector the faults that it has.
    """

    ref: ContractRef
    folder: Path
    old: tuple[VectorCase, ...]
    new: tuple[VectorCase, ...]
    wrong: tuple[str, ...]
    mutants: int
    unnoticed: tuple[str, ...]

    def files(self) -> dict[Path, bytes]:
        """What is to be written: new vectors, and expected.json with them."""
        if not self.new:
            return {}
        found = {self.folder / case.kind / f"{case.name}.json": as_text(case.document) for case in self.new}
        path = self.folder / _EXPECTED
        expected = read_object(path) if path.is_file() else {}
        expected |= {
            case.name: [{"pointer": fault.pointer, "keyword": fault.keyword} for fault in sorted(case.faults)]
            for case in self.new
            if case.faults
        }
        lines = (_line(name, expected[name]) for name in sorted(expected))
        found[path] = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
        return found


def _line(name: str, faults: list[dict[str, str]]) -> str:
    parts = [
        f'{{ "pointer": {_json(fault["pointer"])}, "keyword": {_json(fault["keyword"])} }}'
        for fault in faults
    ]
    line = f"  {_json(name)}: [{', '.join(parts)}]"
    broken = ",\n".join(f"    {part}" for part in parts)
    return line if len(line) < _WIDTH else f"  {_json(name)}: [\n{broken}\n  ]"


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def vectors_of(catalogue: Catalogue, ref: ContractRef) -> Vectors:
    """The vectors of a contract with those that are missing; nothing is written.

    Made are `minimal` and `full`, and for each change of the schema (a keyword dropped, a bound moved, a type
    widened) that no vector notices the first document that does, under a name that says what it shows. Vectors
    that are there stay as they are.
    Raises SchemaError when no valid document can be made up; then `minimal` and `full` are written by hand.
    """
    schema, judges, exact = catalogue.document(ref), Judges(catalogue), exact_judge(catalogue, ref)
    folder = vectors_folder(catalogue, ref)
    old, wrong = _there(folder, exact)
    samples = Samples(catalogue)
    by_hand = {case.name: case.document for case in old if not case.faults}
    made = {name: samples.document(ref, full=name == "full") for name in ("minimal", "full")}
    base, full = (
        by_hand.get(name, document) if exact(document) else document for name, document in made.items()
    )
    taken = {case.name for case in old}
    new: list[VectorCase] = []
    for name, document in (("full", full), ("minimal", base)):
        if name not in taken and not any(same_value(document, case.document) for case in [*old, *new]):
            new.append(_valid(ref, name, document, exact, folder))
    possible = [found for found in candidates(schema, base, full) if found.name not in taken]
    if not old:
        new += [_case(found, exact) for found in possible if found.name in _ALWAYS]
    quick = judges.judge(schema)
    tried = [(found, quick(found.document)) for found in possible]
    held = [(case.document, quick(case.document)) for case in [*old, *new]]
    mutants = list(mutants_of(schema))
    unnoticed: list[str] = []
    for mutant in mutants:
        try:
            other = judges.judge(mutant.schema)
        except SchemaError:  # no schema any more: every reader notices
            continue
        if any(other(document) != faults for document, faults in held):
            continue
        found = _telling(mutant, other, tried)
        if found is None:
            unnoticed.append(mutant.what)
        else:
            new.append(_case(found, exact))
            held.append((found.document, quick(found.document)))
    return Vectors(ref, folder, old, tuple(new), tuple(wrong), len(mutants), tuple(unnoticed))


def _telling(
    mutant: Mutant, other: Judge, tried: list[tuple[Candidate, frozenset[KeywordFault]]]
) -> Candidate | None:
    fitting = (pair for pair in tried if pair[0].field in (None, mutant.field))
    return next((found for found, faults in fitting if other(found.document) != faults), None)


def _case(found: Candidate, judge: Judge) -> VectorCase:
    return VectorCase(found.name, found.document, judge(found.document))


def _valid(ref: ContractRef, name: str, document: Any, judge: Judge, folder: Path) -> VectorCase:
    if faults := judge(document):
        first = min(faults)
        raise SchemaError(
            f"no valid document of {ref} could be made up: {first.pointer or 'the document'} breaks {first.keyword}",
            hint=f"write {folder / 'valid' / name}.json by hand",
        )
    return VectorCase(name, document, frozenset())


def _there(folder: Path, judge: Judge) -> tuple[tuple[VectorCase, ...], list[str]]:
    path = folder / _EXPECTED
    expected: Mapping[str, Any] = read_object(path) if path.is_file() else {}
    found: list[VectorCase] = []
    wrong: list[str] = []
    for kind in ("valid", "invalid"):
        for file in sorted((folder / kind).glob("*.json")):
            document = read_json(file)
            faults = judge(document)
            said = frozenset(_faults(expected.get(file.stem, []), path)) if kind == "invalid" else frozenset()
            found.append(VectorCase(file.stem, document, faults))
            if faults != said:
                wrong.append(f"{file}: {_shown(faults)}, not {_shown(said)}")
    return tuple(found), wrong


def _faults(listed: Any, path: Path) -> Iterator[KeywordFault]:
    try:
        yield from [KeywordFault(str(fault["pointer"]), str(fault["keyword"])) for fault in listed]
    except (TypeError, KeyError) as error:
        raise UsageError(
            f"{path} is not a list of faults by case",
            hint='write {"case": [{"pointer": "", "keyword": "type"}]}',
        ) from error


def _shown(faults: frozenset[KeywordFault]) -> str:
    if not faults:
        return "no fault"
    return ", ".join(f"{fault.keyword} at {fault.pointer or 'the document'}" for fault in sorted(faults)[:3])
