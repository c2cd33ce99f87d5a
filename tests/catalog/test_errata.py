"""Errata and withdrawals are said of the contracts that judge, and of those that they refer to."""

from __future__ import annotations

from pathlib import Path

from evalcontract.catalog import Catalogue, errata_noted, note_judge, note_judges

ARCHIVE = Catalogue(Path(__file__).parent / "data" / "archive" / "schemas")
OF_NOTE = ["note@1.0 was withdrawn; use 1.9", "note@1.0 has an erratum: txt was a misspelling of text"]


def said_of(*labels: str) -> list[str]:
    with errata_noted() as said:
        note_judges(ARCHIVE, labels)
    return list(said)


def test_each_erratum_and_withdrawal_is_one_sentence() -> None:
    assert said_of("note@1.0", "note@1.9", "binder@2.0", "nothing@1.0", "note", "note@1.0") == OF_NOTE
    assert said_of("note@1.9") == []


def test_a_schema_that_refers_to_a_contract_judges_by_it_as_well() -> None:
    uri = ARCHIVE.uri(ARCHIVE.resolve("note@1.0"))
    own = {"$id": "urn:own", "properties": {"a": {"$ref": uri}}}
    for schema, beside in (
        (own, []),
        ({"$ref": "urn:own"}, [own]),
        (ARCHIVE.document(ARCHIVE.resolve("note@1.0")), []),
    ):
        with errata_noted() as said:
            note_judge(ARCHIVE, schema, beside)
        assert list(said) == OF_NOTE


def test_nothing_is_collected_where_nobody_asked() -> None:
    note_judges(ARCHIVE, ["note@1.0"])
    with errata_noted() as said:
        pass
    assert list(said) == []
