"""The table of checks: each cell with a release that passes and one that fails for that reason alone."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import ContractViolation, UnreadableInput, UsageError
from evalcontract.release import CHECKS, ReleaseReport, check_release
from tests.support.datasets import dataset, item, metadata, write, write_lines

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "pathfinder"
Change = Callable[[dict[str, Any]], None]


def checked(folder: Path, kind: str, change: Change | None = None) -> ReleaseReport:
    """The report of a new dataset, or of a minor or a major release, that passes but for the change."""
    before = dataset("1.9")
    new = {
        "new": dataset("1.0"),
        "minor": dataset("1.10", item("a"), item("b"), item("c")),
        "major": dataset("2.0", item("a"), item("b", locale="de")),
    }[kind]
    if change:
        change(new)
    file = write(folder, new, None if "version" in new["metadata"] else "pathfinder_rag_retrieval_v1.0")
    return check_release(file, None if kind == "new" else write(folder, before))


def failed_codes(report: ReleaseReport) -> list[str]:
    return [each.code for each in report.outcomes if each.status == "fail"]


@pytest.mark.parametrize("kind", ["new", "minor", "major"])
def test_a_release_that_keeps_every_rule_may_go_out(tmp_path: Path, kind: str) -> None:
    report = checked(tmp_path, kind)
    assert (report.ok, report.exit_code, report.kind) == (True, 0, kind)
    for check in CHECKS:
        applies = kind in check.kinds and check.code != "items-still-valid"
        assert report.outcome(check.code).status == ("pass" if applies else "n/a"), check.code
        assert report.outcome(check.code).reason


def repeat_an_id(document: dict[str, Any]) -> None:
    document["items"].append(item("a"))


def drop_a_response(document: dict[str, Any]) -> None:
    del document["items"][0]["expected_output"]["response"]


def null_an_expected_output(document: dict[str, Any]) -> None:
    document["items"].append(item("z") | {"expected_output": None})


def drop_an_item_id(document: dict[str, Any]) -> None:
    del document["items"][0]["item_id"]


def number_an_id(document: dict[str, Any]) -> None:
    document["items"][0]["item_id"] = 1


def mistype_the_context(document: dict[str, Any]) -> None:
    document["items"][0]["input"]["context"] = "c"


def drop_the_type_version(document: dict[str, Any]) -> None:
    del document["metadata"]["input_schema_version"]


def declare_another_type(document: dict[str, Any]) -> None:
    document["items"][0]["metadata"] = {"raw_metadata": {"input_schema_type": "agent"}}


def rename_the_product(document: dict[str, Any]) -> None:
    document["metadata"]["scope"] = "retrieval2"


@pytest.mark.parametrize("kind", ["new", "minor", "major"])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (repeat_an_id, "unique-item-ids"),
        (drop_a_response, "fields-present"),
        (null_an_expected_output, "fields-present"),
        (drop_an_item_id, "fields-present"),
        (number_an_id, "fields-present"),
        (mistype_the_context, "fields-present"),
        (drop_the_type_version, "fields-present"),
        (declare_another_type, "type-matches-items"),
    ],
)
def test_a_rule_for_every_release_fails_alone(tmp_path: Path, kind: str, change: Change, code: str) -> None:
    report = checked(tmp_path, kind, change)
    assert failed_codes(report) == [code]
    assert report.exit_code == 1
    assert report.outcome(code).violations


def test_the_items_concerned_are_named(tmp_path: Path) -> None:
    assert checked(tmp_path, "new", repeat_an_id).outcome("unique-item-ids").items == ("a",)
    (violation,) = checked(tmp_path, "new", mistype_the_context).outcome("fields-present").violations
    assert (violation.pointer, violation.item_id, violation.line) == ("/input/context", "a", 1)


@pytest.mark.parametrize("kind", ["new", "minor", "major"])
def test_a_field_of_another_type_fails_alone(tmp_path: Path, kind: str) -> None:
    def carry_tools(document: dict[str, Any]) -> None:
        document["items"][0]["input"]["available_tools"] = ["search"]

    before = dataset("1.9", item("a", available_tools=["search"]), item("b"))
    number = {"new": "1.0", "minor": "1.10", "major": "2.0"}[kind]
    new = dataset(number, item("a", **({"locale": "de"} if kind == "major" else {})), item("b"))
    carry_tools(new)
    report = check_release(write(tmp_path, new), None if kind == "new" else write(tmp_path, before))
    outcome = report.outcome("type-matches-items")
    assert failed_codes(report) == ["type-matches-items"]
    assert outcome.items == ("a",)
    assert outcome.keys == ("input.available_tools",)
    assert outcome.hint is not None
    assert "rag_agent" in outcome.hint


def test_a_field_that_no_type_defines_is_the_products_own(tmp_path: Path) -> None:
    report = check_release(write(tmp_path, dataset("1.0", item("a", tenant="x"))))
    assert report.outcome("type-matches-items").status == "pass"


def test_a_field_of_another_type_that_is_only_null_is_not_carried(tmp_path: Path) -> None:
    report = check_release(write(tmp_path, dataset("1.0", item("a", available_tools=None))))
    assert report.outcome("type-matches-items").status == "pass"


def test_a_type_of_ones_own_is_judged_when_its_schema_is_given(tmp_path: Path) -> None:
    schema = tmp_path / "routing.json"
    schema.write_text(
        json.dumps({"allOf": [{"$ref": "https://evalcontract.example/schemas/base_input/1.0.json"}]})
    )
    name = "pathfinder_routing_retrieval_v1.0"
    file = write(tmp_path, dataset("1.0", input_schema_type="routing"), name)
    own = check_release(file, own_types=["routing"])
    assert (own.ok, own.outcome("type-matches-items").status) == (True, "n/a")
    told = check_release(file, input_schema=str(schema))
    assert failed_codes(told) == ["type-matches-items"]
    assert told.outcome("type-matches-items").keys == ("input.context",)


def test_an_unknown_type_fails(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0", input_schema_type="rga"), "pathfinder_rga_retrieval_v1.0")
    report = check_release(file)
    assert failed_codes(report) == ["type-matches-items"]


@pytest.mark.parametrize("kind", ["new", "minor", "major"])
@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("otherproduct_rag_retrieval_v{}", "product_id"),
        ("pathfinder_qa_retrieval_v{}", "input_schema_type"),
        ("pathfinder_rag_smoke_v{}", "scope"),
        ("pathfinder_rag_retrieval_v9.9", "version"),
        ("pathfinder_rag_retrieval_v{}.0", "version"),
        ("data", "name"),
    ],
)
def test_a_name_that_disagrees_fails_alone(tmp_path: Path, kind: str, name: str, part: str) -> None:
    new = {"new": dataset("1.0"), "minor": dataset("1.10"), "major": dataset("2.0", item("a", locale="de"))}[
        kind
    ]
    version = new["metadata"]["version"]
    file = write(tmp_path, new, name.format(version))
    report = check_release(file, None if kind == "new" else write(tmp_path, dataset("1.9")))
    assert failed_codes(report) == ["name-matches-metadata"]
    assert report.outcome("name-matches-metadata").keys == (part,)
    told = check_release(
        file,
        None if kind == "new" else write(tmp_path, dataset("1.9")),
        name=f"pathfinder_rag_retrieval_v{version}",
    )
    assert told.ok


def test_a_name_may_leave_out_qa(tmp_path: Path) -> None:
    plain = {"item_id": "a", "input": {"messages": [{"role": "user", "content": "?"}]}}
    new = dataset("1.0", plain | {"expected_output": {"response": "r"}}, input_schema_type="qa")
    for name in ("pathfinder_retrieval_v1.0", "pathfinder_qa_retrieval_v1.0"):
        report = check_release(write(tmp_path, new, name))
        assert report.ok
        assert str(report.name) == name


def test_a_key_that_names_the_schema_is_no_key_of_the_items(tmp_path: Path) -> None:
    edited = {"$schema": "evaluation_item"} | item("a", **{"$schema": "rag_input"})
    new = write(tmp_path, dataset("1.1", edited))
    assert check_release(new, write(tmp_path, dataset("1.0"))).ok


@pytest.mark.parametrize(
    ("items", "keys"),
    [
        ([item("a", locale="de"), item("b")], ("input.locale",)),
        ([item("a", locale=None), item("b")], ("input.locale",)),
        ([{**item("a"), "input": {"messages": [{"role": "user", "content": "?"}]}}], ("input.context",)),
    ],
)
def test_a_minor_release_with_other_keys_fails_alone(
    tmp_path: Path, items: list[dict[str, Any]], keys: tuple[str, ...]
) -> None:
    report = check_release(write(tmp_path, dataset("1.1", *items)), write(tmp_path, dataset("1.0")))
    assert failed_codes(report) == ["keys-unchanged"]
    assert report.outcome("keys-unchanged").keys == keys


def test_a_key_may_move_from_one_item_to_another_in_a_minor_release(tmp_path: Path) -> None:
    before = dataset("1.0", item("a", locale="de"), item("b"))
    after = dataset("1.1", item("a"), item("b", locale="de"))
    assert check_release(write(tmp_path, after), write(tmp_path, before)).ok


def test_a_nested_key_changes_no_union_and_is_shown(tmp_path: Path) -> None:
    after = dataset("1.1")
    after["items"][0]["input"]["messages"][0]["name"] = "n"
    report = check_release(write(tmp_path, after), write(tmp_path, dataset("1.0")))
    assert report.ok
    assert [row.path for row in report.paths if row.before is False] == ["input.messages[].name"]


def test_a_major_release_with_the_same_keys_fails_alone(tmp_path: Path) -> None:
    report = check_release(write(tmp_path, dataset("2.0")), write(tmp_path, dataset("1.9")))
    assert failed_codes(report) == ["keys-changed"]


@pytest.mark.parametrize(("before", "after"), [("1.9", "1.9"), ("1.10", "1.9"), ("1.1", "1.0")])
def test_a_minor_release_that_is_not_higher_fails_alone(tmp_path: Path, before: str, after: str) -> None:
    (tmp_path / "old").mkdir()
    previous = write(tmp_path / "old", dataset(before))
    report = check_release(write(tmp_path, dataset(after)), previous)
    assert failed_codes(report) == ["version-higher"]


def test_a_major_release_that_is_not_higher_fails_alone(tmp_path: Path) -> None:
    after = dataset("1.0", item("a", locale="de"))
    report = check_release(write(tmp_path, after), write(tmp_path, dataset("2.0")))
    assert failed_codes(report) == ["version-higher"]
    assert report.kind is None


def test_equal_versions_in_two_spellings_are_not_higher_than_each_other() -> None:
    for before, after in (("1.2", "1.2.0"), ("1.2.0", "1.2")):
        report = check_release(dataset(after), dataset(before))
        assert report.outcome("version-higher").status == "fail"


def test_a_pre_release_is_lower_and_no_release_carries_one() -> None:
    report = check_release(dataset("1.2-rc1"), dataset("1.2"))
    assert failed_codes(report) == ["fields-present", "version-higher"]
    assert check_release(dataset("1.2"), dataset("1.2-rc1")).ok


def test_the_same_file_twice_is_said_to_be_so(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0"))
    report = check_release(file, file)
    assert failed_codes(report) == ["version-higher"]
    assert "this very file" in report.outcome("version-higher").reason


@pytest.mark.parametrize("field", ["product_id", "scope"])
def test_a_previous_release_of_another_dataset_fails_alone(field: str) -> None:
    report = check_release(dataset("1.1"), dataset("1.0", **{field: "other"}))
    assert failed_codes(report) == ["previous-comparable"]
    assert report.outcome("previous-comparable").keys == (field,)


def test_a_previous_release_that_is_damaged_can_not_be_compared_with(tmp_path: Path) -> None:
    damaged = write(tmp_path, dataset("1.0"))
    damaged.write_bytes(damaged.read_bytes()[:-40])
    report = check_release(write(tmp_path, dataset("1.1")), damaged)
    assert "previous-comparable" in failed_codes(report)


def schema_file(folder: Path, name: str, required: list[str]) -> str:
    file = folder / name
    file.write_text(json.dumps({"properties": {"context": {"type": "array"}}, "required": required}))
    return str(file)


def test_a_minor_release_whose_schema_tightened_fails_alone(tmp_path: Path) -> None:
    loose, strict = schema_file(tmp_path, "loose.json", []), schema_file(tmp_path, "strict.json", ["locale"])
    before = dataset("1.0", item("a"), item("b", locale="de"))
    after = dataset("1.1", item("a", locale="en"), item("b", locale="de"))
    report = check_release(after, before, input_schema=strict, previous_input_schema=loose)
    assert failed_codes(report) == ["items-still-valid"]
    assert report.outcome("items-still-valid").items == ("a",)
    assert check_release(after, before, input_schema=loose, previous_input_schema=strict).ok
    half = check_release(after, before, input_schema=strict)
    assert half.outcome("items-still-valid").status == "n/a"


def test_a_failed_check_is_waived_with_a_reason() -> None:
    report = check_release(
        dataset("2.0"), dataset("1.0"), waive={"keys-changed": "answers are in German now"}
    )
    outcome = report.outcome("keys-changed")
    assert report.ok
    assert (outcome.status, outcome.waiver) == ("waived", "answers are in German now")


def test_a_waiver_covers_its_own_check_only() -> None:
    new = dataset("2.0", item("a"), item("a"))
    report = check_release(new, dataset("1.0"), waive={"keys-changed": "r"})
    assert failed_codes(report) == ["unique-item-ids"]
    assert not report.ok


def test_a_waiver_that_was_not_needed_is_noted() -> None:
    report = check_release(dataset("1.0"), waive={"unique-item-ids": "r"})
    assert report.notes == ("the waiver of unique-item-ids was not needed",)


@pytest.mark.parametrize("waive", [{"no-such-check": "r"}, {"keys-changed": " "}])
def test_a_waiver_without_a_check_or_a_reason_is_refused(waive: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        check_release(dataset("1.0"), waive=waive)


def test_no_failure_hides_another() -> None:
    new = dataset("1.0", item("a", available_tools=["t"]), item("a"), {"item_id": "x", "input": {}})
    report = check_release(new, dataset("1.0", product_id="other"), name="nonsense")
    assert failed_codes(report) == [
        "unique-item-ids",
        "fields-present",
        "type-matches-items",
        "name-matches-metadata",
        "keys-unchanged",
        "version-higher",
        "previous-comparable",
    ]


def test_look_alike_ids_are_advised_against() -> None:
    for one, other in (("a", "A"), ("a", "a "), ("é", "e\u0301")):
        report = check_release(dataset("1.0", item(one), item(other)))
        assert failed_codes(report) == ["ids-look-alike"]
        assert report.ok
        assert not check_release(dataset("1.0", item(one), item(other)), strict=True).ok


def test_a_number_and_its_digits_as_ids_are_pointed_out() -> None:
    number = item("x") | {"item_id": 1}
    report = check_release(dataset("1.0", number, item("1")))
    assert failed_codes(report) == ["fields-present", "ids-look-alike"]
    assert "differ only by type" in report.outcome("ids-look-alike").reason


def test_an_empty_dataset_may_not_go_out(tmp_path: Path) -> None:
    report = check_release(write(tmp_path, {"metadata": metadata(), "items": []}))
    assert failed_codes(report) == ["fields-present"]
    assert "0 items checked" in report.outcome("fields-present").reason


def test_rows_that_have_none_of_the_keys_fail_each(tmp_path: Path) -> None:
    file = tmp_path / "pathfinder_qa_tests_v1.0.json"
    file.write_text(json.dumps([{"vars": {"x": 1}, "assert": []}, {"vars": {"x": 2}, "assert": []}]))
    report = check_release(file)
    pointers = [each.pointer for each in report.outcome("fields-present").violations]
    assert pointers.count("/item_id") == 2
    assert pointers.count("/input") == 2


def test_json_lines_take_their_metadata_from_the_file_beside_them(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "pathfinder_rag_retrieval_v1.0.jsonl", [item("a"), item("b")])
    beside = tmp_path / "pathfinder_rag_retrieval_v1.0.metadata.json"
    beside.write_text(json.dumps(metadata()))
    assert check_release(file).ok
    beside.write_text(json.dumps(metadata("1")))
    report = check_release(file)
    assert "fields-present" in failed_codes(report)
    assert report.outcome("fields-present").violations[0].file == str(beside)
    beside.write_text("{")
    (violation,) = check_release(file).outcome("fields-present").violations
    assert (violation.code, violation.file) == ("truncated", str(beside))


def test_json_lines_take_their_metadata_from_the_items_else(tmp_path: Path) -> None:
    items = [item(each) | {"metadata": {"raw_metadata": metadata()}} for each in "ab"]
    file = write_lines(tmp_path / "pathfinder_rag_retrieval_v1.0.jsonl", items)
    assert check_release(file).ok
    items[1]["metadata"] = {"raw_metadata": metadata("1.1")}
    report = check_release(write_lines(file, items))
    assert "several values of version" in report.outcome("type-matches-items").reason


def test_items_without_any_metadata_are_no_release(tmp_path: Path) -> None:
    report = check_release(write_lines(tmp_path / "items.jsonl", [item("a")]))
    found = {each.pointer for each in report.outcome("fields-present").violations}
    assert found >= {"/metadata/product_id", "/metadata/version"}


def test_unreadable_lines_fail_and_the_rest_is_read(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "pathfinder_rag_retrieval_v1.0.jsonl", [item("a"), item("b")])
    (tmp_path / "pathfinder_rag_retrieval_v1.0.metadata.json").write_text(json.dumps(metadata()))
    file.write_text(file.read_text() + "{oops\n" + json.dumps(item("a")) + "\n")
    report = check_release(file)
    assert failed_codes(report) == ["unique-item-ids", "fields-present"]
    assert report.items == 4
    assert report.outcome("fields-present").violations[0].line == 3


def test_a_missing_file_is_an_error_and_not_a_report(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput):
        check_release(tmp_path / "absent.json")
    with pytest.raises(UnreadableInput):
        check_release(tmp_path)
    with pytest.raises(ContractViolation):
        check_release(dataset("1.0", item("a", score=float("nan"))))


def test_the_previous_release_is_not_read_from_standard_input() -> None:
    with pytest.raises(UsageError, match="read twice"):
        check_release(dataset("1.1"), "-")


def test_a_dataset_in_memory_is_not_changed_and_has_no_lines() -> None:
    new = dataset("1.0", item("a"), item("a"))
    before = copy.deepcopy(new)
    report = check_release(new)
    assert new == before
    assert [each.line for each in report.violations()] == [None]


def test_the_paths_tell_what_is_null_and_what_is_rare() -> None:
    report = check_release(dataset("1.0", item("a", note=None), item("b", note=None, tags=["x"])))
    rows = {row.path: (row.items, row.filled) for row in report.paths}
    assert rows["input.note"] == (2, 0)
    assert rows["input.tags"] == (1, 1)
    assert rows["input.messages[].role"] == (2, 2)
    assert rows["expected_output.citations"] == (2, 2)


def test_odd_keys_are_quoted_in_paths_and_still_found(tmp_path: Path) -> None:
    after = dataset("1.1", item("a", **{"a.b": 1}))
    report = check_release(write(tmp_path, after), write(tmp_path, dataset("1.0")))
    assert report.outcome("keys-unchanged").keys == ('input["a.b"]',)
    assert report.outcome("keys-unchanged").items == ("a",)


def test_the_codes_of_the_checks_are_unique() -> None:
    assert len({each.code for each in CHECKS}) == len(CHECKS)


@pytest.mark.parametrize(
    ("new", "previous", "failures"),
    [
        ("1.0", None, []),
        ("1.1", "1.0", ["keys-unchanged"]),
        ("2.0", "1.1", []),
    ],
)
def test_the_examples_release_as_their_story_says(
    new: str, previous: str | None, failures: list[str]
) -> None:
    name = "pathfinder_rag_retrieval_v{}.json"
    report = check_release(EXAMPLES / name.format(new), previous and EXAMPLES / name.format(previous))
    assert failed_codes(report) == failures


def test_a_copy_under_another_suffix_is_the_same_release(tmp_path: Path) -> None:
    import gzip

    packed = tmp_path / "pathfinder_rag_retrieval_v1.0.json.gz"
    with (
        gzip.open(packed, "wb") as out,
        (EXAMPLES / "pathfinder_rag_retrieval_v1.0.json").open("rb") as plain,
    ):
        shutil.copyfileobj(plain, out)
    assert check_release(packed).ok


@pytest.mark.parametrize(
    ("declared", "code", "check"),
    [
        ({"input_schema_type": "raag"}, "unknown-schema-type", "type-matches-items"),
        ({"input_schema_version": "9.0"}, "unknown-schema-version", "type-matches-items"),
        ({"input_schema_version": "1.9"}, "unknown-minor-version", "items-unremarkable"),
    ],
)
def test_what_the_dataset_declares_is_reported_once_and_not_for_each_item(
    declared: dict[str, str], code: str, check: str
) -> None:
    document = dataset("1.0", item("a"), item("b"), item("c"))
    document["metadata"] |= declared
    (violation,) = check_release(document).outcome(check).violations
    (field_name,) = declared
    assert (violation.code, violation.pointer) == (code, f"/metadata/{field_name}")
    assert violation.item_id is None


def test_a_malformed_version_breaks_the_contract_and_contradicts_nothing() -> None:
    document = dataset("1.0", item("a"))
    document["items"][0]["metadata"] = {"raw_metadata": {"input_schema_version": "one"}}
    report = check_release(document)
    assert failed_codes(report) == ["fields-present"]
    assert [each.code for each in report.violations()] == ["pattern-mismatch"]


def test_items_that_declare_several_types_are_not_said_to_declare_none(tmp_path: Path) -> None:
    items = [item(each) | {"metadata": {"raw_metadata": metadata()}} for each in "ab"]
    items[1]["metadata"] = {"raw_metadata": metadata() | {"input_schema_type": "qa"}}
    report = check_release(write_lines(tmp_path / "pathfinder_rag_retrieval_v1.0.jsonl", items))
    assert failed_codes(report) == ["type-matches-items"]
    assert [each.code for each in report.violations()] == ["declarations-disagree"]
