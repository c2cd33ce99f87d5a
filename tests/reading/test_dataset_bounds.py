"""What a top-level object may hold before reading it ends."""

from __future__ import annotations

from pathlib import Path

from evalcontract.reading import Fault, limited, limits_told, read


def faults(path: Path) -> list[Fault]:
    return [event for event in read(path, items=True) if isinstance(event, Fault)]


def test_keys_that_stand_twice_are_told_up_to_a_number(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("{" + ",".join(['"k": 1'] * 50_000) + "}")
    found = faults(file)
    assert len(found) == 1002
    assert (found[-1].code, found[-1].fatal) == ("too-many-findings", True)


def test_a_top_level_object_holds_as_many_values_as_any_document(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("{" + ",".join(f'"k{number}": 1' for number in range(200)) + "}")
    with limited(limits_told(["document-values=150"])):
        (fault,) = faults(file)
    assert (fault.code, fault.fatal) == ("too-many-values", True)
    assert "--limit document-values=300" in str(fault.hint)
    assert faults(file) == []
