"""`evalcontract schema versions|breaking|changelog|next-version|release|verify` on scratch repositories."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import ContractRef
from tests.evolution.support import add_version, commit_all, properties_of, release, write_json
from tests.support.cli import Finished, run
from tests.support.projects import ARCHIVE
from tools.generate.hooks import HOOKS

CITATION = ContractRef("citation", "1.0")
RAG_INPUT = ContractRef("rag_input", "1.0")
NULLABLE = {"type": ["string", "null"], "description": "Something more to know.", "default": None}


def schema(repository: Path, *arguments: str) -> Finished:
    return run("schema", arguments[0], *arguments[1:], "--schemas", str(repository / "schemas"))


def with_property(repository: Path, ref: ContractRef, version: str, **properties: Any) -> ContractRef:
    schemas = repository / "schemas"
    return add_version(schemas, ref, version, properties=properties_of(schemas, ref) | properties)


def test_breaking_is_fine_where_nothing_changed(repository: Path) -> None:
    done = schema(repository, "breaking")
    assert done.code == 0
    assert "citation: released: 1.0; nothing newer to compare\n" in done.out
    assert done.out.endswith("ok: nothing to compare\n")


def test_a_new_nullable_property_is_fine_and_its_waiver_is_named(repository: Path) -> None:
    with_property(repository, CITATION, "1.1", remark=NULLABLE)
    done = schema(repository, "breaking", "citation")
    assert done.code == 0
    assert "needs a minor version" in done.out
    assert "NEW_PROPERTY_ON_OPEN_OBJECT at /remark" in done.out
    assert "waived: allowed in a minor version" in done.out


def test_too_small_a_number_fails_with_reason_and_witness(repository: Path) -> None:
    add_version(repository / "schemas", CITATION, "1.1", required=["document_id", "page_number"])
    done = schema(repository, "breaking", "--against", "all")
    assert done.code == 1
    assert (
        "REQUIRED_NO_ADD at /page_number: citation@1.1 requires 'page_number', citation@1.0 does not"
        in done.out
    )
    assert "citation/1.0.json#/required -> citation/1.1.json#/required" in done.out
    assert 'for example: {"document_id": "a"}' in done.out
    wanted = schema(repository, "next-version", "citation")
    assert wanted.code == 1
    assert wanted.out.startswith("2.0 (major; compared with citation@1.0)")


def test_a_new_major_is_compared_with_nothing(repository: Path) -> None:
    add_version(repository / "schemas", CITATION, "2.0", required=["document_id", "page_number"])
    assert schema(repository, "breaking", "citation").code == 0
    assert schema(repository, "next-version", "citation").code == 0


def test_every_draft_is_compared_not_just_the_highest(repository: Path) -> None:
    schemas = repository / "schemas"
    add_version(schemas, CITATION, "1.1", required=["document_id", "page_number"])
    add_version(schemas, CITATION, "2.0", required=["document_id", "page_number"])
    for arguments in (("breaking", "citation"), ("breaking",)):
        done = schema(repository, *arguments)
        assert done.code == 1
        assert "REQUIRED_NO_ADD at /page_number: citation@1.1 requires 'page_number'" in done.out


def test_what_is_released_is_listed_where_nothing_is_newer(repository: Path) -> None:
    release(repository / "schemas", with_property(repository, CITATION, "1.1", remark=NULLABLE))
    done = schema(repository, "breaking", "citation")
    assert done.code == 0
    assert done.out == "citation: released: 1.0, 1.1; nothing newer to compare\nok: nothing to compare\n"
    assert schema(repository, "breaking", "citation@1.1").out.startswith("citation@1.1 against citation@1.0")
    first = "citation@1.0: released: 1.0, 1.1; nothing older of its major to compare it with\n"
    assert schema(repository, "breaking", "citation@1.0").out.startswith(first)


def test_undecided_is_said_and_counts(repository: Path, tmp_path: Path) -> None:
    ref = ContractRef("raw_metadata", "1.0")
    same = properties_of(repository / "schemas", ref)["input_schema_version"]
    same |= {"pattern": "^(?=.)([1-9][0-9]*|0)\\.([1-9][0-9]*|0)$"}
    with_property(repository, ref, "1.1", input_schema_version=same)
    done = schema(repository, "breaking", "raw_metadata")
    assert done.code == 3
    assert "undecided: raw_metadata@1.1 wants pattern" in done.out
    where = "raw_metadata/1.1.json#/properties/input_schema_version/pattern"
    assert where in done.out
    waivers = tmp_path / "waivers.json"
    write_json(
        waivers, [{"code": "PATTERN_NO_CHANGE", "pointer": where, "reason": "the same versions, reordered"}]
    )
    waived = schema(repository, "breaking", "raw_metadata", "--waivers", str(waivers))
    assert waived.code == 0
    assert "waived: the same versions, reordered" in waived.out
    write_json(waivers, [{"code": "PATTERN_NO_CHANGE", "pointer": where, "reason": " "}])
    assert schema(repository, "breaking", "raw_metadata", "--waivers", str(waivers)).code == 2


def test_json_has_verdicts_witnesses_and_the_registry_s_words(repository: Path) -> None:
    release(repository / "schemas", with_property(repository, CITATION, "1.1", remark=NULLABLE))
    add_version(repository / "schemas", ContractRef("citation", "1.1"), "1.2", required=[])
    report = json.loads(schema(repository, "breaking", "citation", "--format", "json").out)
    assert [each["old"] for each in report["comparisons"]] == ["citation@1.0", "citation@1.1"]
    against_last = report["comparisons"][1]
    assert against_last["compatibility"] == "BACKWARD"
    assert against_last["backward"] == {
        "verdict": "compatible",
        "said": "proved",
        "spent": against_last["backward"]["spent"],
        "reason": None,
        "unsettled": None,
        "witness": [],
        "findings": [],
    }
    assert against_last["forward"]["witness"] == [{}]
    assert against_last["step"] == "minor"
    assert report["compatibility"] == "NONE"
    assert report["ok"]


def test_the_transitive_word_needs_every_version(repository: Path) -> None:
    add_version(repository / "schemas", CITATION, "1.1", required=[])
    done = json.loads(schema(repository, "breaking", "citation", "--format", "json").out)
    assert done["compatibility"] == "BACKWARD_TRANSITIVE"
    one = json.loads(schema(repository, "breaking", "citation", "--against", "1.0", "--format", "json").out)
    assert one["compatibility"] == "BACKWARD"


def test_github_output_names_file_and_code(repository: Path) -> None:
    add_version(repository / "schemas", CITATION, "1.1", required=["document_id", "page_number"])
    done = schema(repository, "breaking", "citation", "--format", "github")
    place = os.path.relpath(repository / "schemas" / "citation" / "1.1.json")
    first, second, *_ = done.out.splitlines()
    assert first.startswith("compared citation@1.1 against citation@1.0: backward broken, forward proved")
    assert second.startswith(f"::error file={place},title=evalcontract REQUIRED_NO_ADD::/page_number")


@pytest.mark.parametrize(("mode", "code"), [("backward", 0), ("forward", 1), ("full", 1)])
def test_the_mode_says_which_view_decides(repository: Path, mode: str, code: int) -> None:
    add_version(repository / "schemas", CITATION, "1.1", required=[])
    assert schema(repository, "breaking", "citation", "--mode", mode).code == code


@pytest.mark.parametrize(("value", "code"), [("text", 0), (None, 0), (7, 1)])
def test_data_settles_whether_a_new_key_was_in_use_otherwise(
    repository: Path, tmp_path: Path, value: Any, code: int
) -> None:
    with_property(repository, RAG_INPUT, "1.1", remark=NULLABLE)
    inputs = {"messages": [{"role": "user", "content": "When?"}], "remark": value}
    (tmp_path / "items.jsonl").write_text(json.dumps({"item_id": "q7", "input": inputs}) + "\n", "utf-8")
    done = schema(repository, "breaking", "rag_input", "--keys-from", str(tmp_path / "items.jsonl"))
    assert done.code == code
    assert ("item 'q7', input carries /remark" in done.out) is bool(code)


def test_against_a_commit_is_against_the_schemas_of_that_commit(repository: Path) -> None:
    schemas = repository / "schemas"
    add_version(schemas, CITATION, "1.1", description="A draft that somebody still edits.")
    commit_all(repository, "Begin citation 1.1")
    add_version(schemas, CITATION, "1.1", required=["document_id", "quotes"])
    done = schema(repository, "breaking", "citation", "--against", "HEAD")
    assert done.code == 1
    assert "citation@1.1 against citation@1.1 (HEAD): backward broken" in done.out
    assert schema(repository, "breaking", "citation", "--against", "nowhere").code == 2
    shutil.rmtree(repository / ".git")
    without = schema(repository, "breaking", "citation", "--against", "HEAD")
    assert without.code == 2
    assert "git" in without.err


def test_files_and_classes_can_be_compared_too(repository: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    write_json(old, {"type": "object", "properties": {"a": {"type": "integer"}}})
    write_json(new, {"type": "object", "properties": {"a": {"type": "string"}}})
    done = run("schema", "breaking", str(new), "--against", str(old))
    assert done.code == 1
    assert "TYPE_NO_NARROW at /a" in done.out
    name = "evalcontract.models:Message"
    assert run("schema", "breaking", name, "--against", name).code == 0
    assert run("schema", "breaking", str(new)).code == 2
    inside = repository / "own.json"
    shutil.copy(old, inside)
    commit_all(repository, "Add a schema of our own")
    shutil.copy(new, inside)
    at_head = run("schema", "breaking", str(inside), "--against", "HEAD")
    assert at_head.code == 1
    assert "own.json (HEAD)" in at_head.out


def test_own_files_are_told_by_their_path_and_their_findings_can_be_waived(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, pattern in (("old.json", "^a"), ("new.json", "^(?=a)")):
        uri = f"https://acme.example/{name}"
        write_json(Path(name), {"$id": uri, "type": "object", "properties": {"a": {"pattern": pattern}}})
    command = ("schema", "breaking", "new.json", "--against", "old.json")
    assert "old.json#/properties/a/pattern -> new.json#/properties/a/pattern" in run(*command).out
    assert "::error file=new.json," in run(*command, "--format", "github").out
    waiver = {"code": "PATTERN_NO_CHANGE", "pointer": "new.json#/properties/a/pattern", "reason": "looser"}
    write_json(Path("waivers.json"), [waiver])
    assert (run(*command).code, run(*command, "--waivers", "waivers.json").code) == (3, 0)


def test_a_contract_can_be_compared_with_a_file_a_class_or_another_contract(repository: Path) -> None:
    file = str(repository / "schemas" / "citation" / "1.0.json")
    for other in (file, "citation@1.0", "evalcontract.models:Citation"):
        done = schema(repository, "breaking", "citation", "--against", other)
        assert f"citation@1.0 against {other}: backward proved" in done.out
    assert run("schema", "breaking", file, "--against", "citation@1.0").code == 0


def test_files_in_the_folder_that_one_stands_in_are_told_without_a_way_to_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_version(repository / "schemas", CITATION, "1.1", required=["document_id", "page_number"])
    monkeypatch.chdir(repository / "schemas")
    done = run("schema", "breaking", "citation", "--format", "github", "--schemas", ".")
    assert "::error file=citation/1.1.json," in done.out


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "null",
        '["x"]',
        '[{"code": "PATTERN_NO_CHANGE", "pointer": "a"}]',
        '[{"code": "PATTERN_NO_CHANGE", "pointer": "a", "reason": true}]',
        '[{"code": "PATTERN_NO_CHANGE", "pointer": null, "reason": "b"}]',
        '[{"code": "NO_SUCH_RULE", "pointer": "a", "reason": "b"}]',
        '[{"code": [], "pointer": "a", "reason": "b"}]',
        '[{"code": "PATTERN_NO_CHANGE", "pointer": "a", "reason": "b", "reason": "c"}]',
        "[" * 100_000,
    ],
)
def test_what_holds_no_waivers_is_refused(repository: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "waivers.json").write_text(content)
    done = schema(repository, "breaking", "citation", "--waivers", str(tmp_path / "waivers.json"))
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 2)
    assert "waivers.json" in done.err
    assert "object" not in done.err.replace("one object", "")


def test_data_that_is_not_there_is_noticed_even_when_it_has_nothing_to_settle(repository: Path) -> None:
    add_version(repository / "schemas", CITATION, "1.1", required=[])
    done = schema(repository, "breaking", "citation", "--keys-from", "no-such-file.json")
    assert (done.code, done.out) == (2, "")
    assert "no-such-file.json: no such file" in done.err


def test_data_that_can_t_be_read_is_told_with_its_place(repository: Path, tmp_path: Path) -> None:
    with_property(repository, CITATION, "1.1", remark=NULLABLE)
    (tmp_path / "data.jsonl").write_text('{"document_id": "a"}\n{"remark": NaN}\n')
    done = schema(repository, "breaking", "citation", "--keys-from", str(tmp_path / "data.jsonl"))
    assert (done.code, done.out) == (2, "")
    assert "data.jsonl:2:12: NaN is not JSON" in done.err


def test_an_empty_name_is_none_and_a_damaged_past_is_told_as_such(repository: Path) -> None:
    assert schema(repository, "breaking", "").code == 2
    catalog = repository / "schemas" / "catalog.json"
    text = catalog.read_text("utf-8")
    catalog.write_text("{", "utf-8")
    commit_all(repository, "Break it")
    catalog.write_text(text, "utf-8")
    done = schema(repository, "breaking", "citation", "--against", "HEAD")
    assert done.code == 2
    assert "the catalogue can't be read as it was: catalog.json is not JSON" in done.err


def test_a_diff_says_what_changed_by_property_and_gives_no_verdict(repository: Path) -> None:
    properties = properties_of(repository / "schemas", CITATION)
    del properties["quotes"]
    properties["page_number"]["minimum"] = 0
    properties["document_id"] = {"type": ["string", "null"], "description": "Another text."}
    changes: dict[str, Any] = {"properties": properties | {"remark": NULLABLE}, "required": []}
    add_version(repository / "schemas", CITATION, "1.1", **changes)
    done = schema(repository, "diff", "citation@1.0", "citation@1.1")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "citation@1.0 -> citation@1.1"
    assert lines[1:7] == [
        "  /quotes",
        "    removed",
        "  /remark",
        "    added",
        "  /document_id",
        "    no longer required",
    ]
    assert '    takes "null" too' in lines
    assert "    minimum 1 -> 0" in lines
    markdown = schema(repository, "diff", "citation@1.0", "citation@1.1", "--format", "markdown").out
    assert markdown.startswith(
        "### `citation@1.0` to `citation@1.1`\n\n- `/quotes`: removed\n- `/remark`: added\n"
    )
    (listed,) = json.loads(schema(repository, "diff", "citation@1.0", "citation@1.1", "--format", "json").out)
    assert [found["path"] for found in listed["properties"]][:3] == ["/quotes", "/remark", "/document_id"]
    assert schema(repository, "diff", "citation@1.0", "citation@1.0").out.endswith(": no difference\n")


def test_the_changelog_is_a_section_of_one(repository: Path) -> None:
    properties = properties_of(repository / "schemas", CITATION)
    del properties["quotes"]
    properties["page_number"]["minimum"] = 0
    add_version(repository / "schemas", CITATION, "1.1", properties=properties | {"remark": NULLABLE})
    done = schema(repository, "changelog", "citation", "1.0", "1.1")
    assert done.code == 0
    assert done.out == (
        "## citation 1.1\n\n### Added\n\n- `/remark`: added\n\n"
        "### Changed\n\n- `/page_number`: `minimum` `1` -> `0`\n\n### Removed\n\n- `/quotes`: removed\n"
    )
    assert schema(repository, "changelog", "citation", "1.0", "1.0").out.endswith("No difference.\n")


def test_a_diff_names_branches_and_judges_each_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def union(**kinds: dict[str, Any]) -> dict[str, Any]:
        text = {"type": "string"}
        branches = [
            {
                "type": "object",
                "properties": {"kind": {"const": kind}, "x": text, **more},
                "required": ["kind"],
            }
            for kind, more in kinds.items()
        ]
        return {"type": "object", "properties": {"body": {"oneOf": branches}}}

    number = {"type": "integer"}
    write_json(tmp_path / "old.json", union(a={}, b={"n": number}, gone={}))
    write_json(tmp_path / "new.json", union(a={"n": number}, b={}, come={}))
    out = run("schema", "diff", "old.json", "new.json").out
    assert 'the branch for {"kind": "gone"} removed' in out
    assert 'a branch for {"kind": "come"} added' in out
    assert out.count("/body/n\n    added\n    removed") == 1
    done = run("schema", "breaking", "new.json", "--against", "old.json")
    assert "PROPERTY_NO_DELETE at /body/n" in done.out
    assert "new.json does not accept what has \"gone\" as 'kind', old.json does" in done.out
    assert "NEW_PROPERTY_ON_OPEN_OBJECT at /body/n" in done.out


def test_the_first_draft_of_a_major_is_compared_with_nothing_and_that_is_said(repository: Path) -> None:
    add_version(repository / "schemas", CITATION, "2.0", required=["document_id", "quotes"])
    done = schema(repository, "breaking", "citation")
    assert done.code == 0
    assert "citation@2.0: released: 1.0; it is the first of its major, which may break them\n" in done.out


def test_versions_lists_status_date_hash_and_errata(repository: Path) -> None:
    schemas = repository / "schemas"
    catalog = json.loads((schemas / "catalog.json").read_bytes())
    catalog["contracts"]["citation"]["1.0"]["errata"] = ["page 0 was meant to be refused"]
    write_json(schemas / "catalog.json", catalog)
    add_version(schemas, CITATION, "1.1", description="A draft that somebody still edits.")
    first, erratum, second = schema(repository, "versions", "citation").out.splitlines()
    assert first.startswith("1.0  released  2026-01-31  ")
    assert erratum == "  erratum: page 0 was meant to be refused"
    assert second == "1.1  draft"


def test_release_freezes_and_verify_agrees(repository: Path) -> None:
    with_property(repository, CITATION, "1.1", remark=NULLABLE)
    done = schema(repository, "release", "citation", "--on", "2026-02-01")
    assert done.out.startswith("released citation@1.1, sha256 ")
    assert schema(repository, "verify").code == 0
    again = schema(repository, "release", "citation")
    assert again.code == 2
    assert "is released already" in again.err
    assert schema(repository, "release", "citation", "--on", "yesterday").code == 2


def test_a_refused_release_writes_nothing(repository: Path) -> None:
    add_version(repository / "schemas", CITATION, "1.1", required=["document_id", "quotes"])
    before = (repository / "schemas" / "catalog.json").read_bytes()
    assert schema(repository, "release", "citation").code == 2
    assert (repository / "schemas" / "catalog.json").read_bytes() == before


@pytest.mark.parametrize("report_format", ["text", "json", "github"])
def test_verify_fails_on_an_edited_release_with_the_file_and_the_way_out(
    repository: Path, report_format: str
) -> None:
    assert schema(repository, "verify", "--format", report_format).code == 0
    file = repository / "schemas" / "citation" / "1.0.json"
    file.write_bytes(file.read_bytes().replace(b"exactly as", b"just as"))
    done = schema(repository, "verify", "--format", report_format)
    assert done.code == 1
    assert "citation/1.0.json" in done.out
    assert "bytes are not those of the release" in done.out


def test_an_installed_package_is_verified_by_its_bytes_alone() -> None:
    done = run("schema", "verify", "--format", "json")
    assert "FROZEN_BYTES" in json.loads(done.out)["checked"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("breaking", "citatoin"), "there is no contract citatoin"),
        (("breaking", "citation@7.0"), "citation has no version 7.0"),
        (("breaking", "citation", "--against", "7.0"), "citation has no version 7.0"),
        (("breaking", "citation", "--mode", "sideways"), "there is no mode"),
        (("breaking", "citation", "--format", "xml"), "there is no format"),
        (("changelog", "citation", "1.0", "one"), "is not a schema version"),
        (("next-version", "nothing"), "there is no contract nothing"),
        (("breaking", "citation", "--waivers", "no-such-file.json"), "no-such-file.json can't be read"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    repository: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = schema(repository, *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert len(done.err.splitlines()) <= 2


def test_a_damaged_catalogue_or_schema_is_one_line_and_exit_code_2(repository: Path) -> None:
    schemas = repository / "schemas"
    add_version(
        schemas, CITATION, "1.1", properties={"x": {"$ref": "../nothing/1.0.json", "description": "x" * 20}}
    )
    dangling = schema(repository, "breaking", "citation")
    assert dangling.code == 2
    assert (
        "citation/1.1.json#/properties/x refers to '../nothing/1.0.json', which is not there" in dangling.err
    )
    text = (schemas / "catalog.json").read_text("utf-8")
    for damaged in (b"{", b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16"), b"[" * 100_000, b"NaN"):
        (schemas / "catalog.json").write_bytes(damaged)
        for verb in (("breaking", "citation"), ("release", "citation"), ("verify",)):
            refused = schema(repository, *verb)
            assert (refused.code, refused.out, len(refused.err.splitlines())) == (2, "", 2)
        assert (schemas / "catalog.json").read_bytes() == damaged
    (schemas / "catalog.json").unlink()
    missing = schema(repository, "verify")
    assert (missing.code, "has no catalog.json" in missing.err) == (2, True)


def test_schemas_of_one_s_own_need_only_a_catalogue(tmp_path: Path) -> None:
    """What the hook for other repositories runs, in one of them."""
    (hook,) = (each for each in HOOKS if each.id == "evalcontract-schemas")
    base = "https://schemas.acme.example/eval/"
    schemas = tmp_path / "contracts"
    ticket = {"$id": f"{base}ticket/1.0.json", "type": "object", "properties": {"id": {"type": "string"}}}
    write_json(schemas / "ticket" / "1.0.json", ticket)
    catalog: dict[str, Any] = {
        "base_uri": base,
        "schema_types": {},
        "contracts": {"ticket": {"1.0": {"status": "draft"}}},
    }
    write_json(schemas / "catalog.json", catalog)
    assert run("schema", "release", "ticket", "--schemas", str(schemas)).code == 0
    add_version(schemas, ContractRef("ticket", "1.0"), "1.1", required=["id"])
    done = run(*hook.entry.split()[1:], str(schemas))
    assert done.code == 1
    assert "REQUIRED_NO_ADD at /id: ticket@1.1 requires 'id', ticket@1.0 does not" in done.out


def test_errata_are_said_whenever_data_is_checked(tmp_path: Path) -> None:
    write_json(tmp_path / "note.json", json.loads('{"txt": "hello"}'))
    done = run("validate", "--contract", "note@1.0", str(tmp_path / "note.json"), "--schemas", str(ARCHIVE))
    assert done.err == (
        "note: note@1.0 was withdrawn; use 1.9\n"
        "note: note@1.0 has an erratum: txt was a misspelling of text\n"
    )


def compared(folder: Path, old: Any, new: Any, *arguments: str) -> Finished:
    write_json(folder / "old.json", old)
    write_json(folder / "new.json", new)
    return run("schema", "breaking", "new.json", "--against", "old.json", *arguments)


def endless(*operators: str) -> dict[str, Any]:
    """A schema whose comparison takes more than the smallest budget."""
    sides = {"left": {"$ref": "#"}, "right": {"$ref": "#"}}
    required = ["op", "left", "right"]
    branches = [
        {"type": "object", "properties": {"op": {"const": operator}, **sides}, "required": required}
        for operator in operators
    ]
    return {"anyOf": [*branches, {"type": "number"}]}


def test_every_view_says_first_whether_it_is_settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    few, many = endless(*"abc"), endless(*"abcdefgh")
    small = compared(tmp_path, few, many, "--budget", "1000")
    assert small.code == 3
    first, second, *_ = small.out.splitlines()
    assert first.startswith("new.json against old.json: backward not settled, forward not settled")
    assert second.startswith(
        "  backward not settled: of many combinations of anyOf branches at new.json# one was"
    )
    assert "--budget raises it" in second
    large = compared(tmp_path, few, many, "--budget", "1000000")
    assert large.out.startswith("new.json against old.json: backward proved, forward broken; needs a minor")
    report = json.loads(compared(tmp_path, few, many, "--budget", "1000", "--format", "json").out)
    assert report["comparisons"][0]["backward"]["said"] == "not settled"
    assert report["comparisons"][0]["backward"]["spent"] > 0


def test_a_break_doesn_t_hide_that_not_everything_was_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = {"type": "string"}
    choices = [{"anyOf": [{"properties": {f"k{n}{m}": text}} for m in range(5)]} for n in range(9)]
    more = {"properties": {"z": {"type": "integer", "not": {"const": 7}}}}
    old = {"type": "object", "properties": {"a": text, "z": {"type": "object", "allOf": choices}}}
    changed = {"a": {"type": "integer"}, "z": {"type": "object", "allOf": [*choices, more]}}
    new = {"type": "object", "properties": changed}
    done = compared(tmp_path, old, new)
    assert done.code == 1
    assert "backward broken (not all of it settled)" in done.out.splitlines()[0]
    assert "TYPE_NO_NARROW at /a" in done.out
    assert "combinations of anyOf branches at new.json#/properties/z" in done.out
    annotations = compared(tmp_path, old, new, "--format", "github").out
    assert "title=evalcontract UNDECIDED" in annotations


def test_findings_stand_by_their_definition_and_notes_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def tools(minimum: int, owner: str) -> dict[str, Any]:
        bound = {"type": "integer", "minimum": minimum}
        definitions = {name: {"type": "object", "properties": {"n": bound}} for name in ("Tool", "Prompt")}
        uses = {name.lower(): {"$ref": f"#/$defs/{name}"} for name in definitions}
        return {"type": "object", "x-owner": owner, "properties": uses, "$defs": definitions}

    done = compared(tmp_path, tools(0, "a"), tools(5, "b"))
    assert "  in #/$defs/Tool:\n  BOUND_NO_TIGHTEN at /tool/n" in done.out
    assert "  in #/$defs/Prompt:\n  BOUND_NO_TIGHTEN at /prompt/n" in done.out
    assert "note: 'x-owner' is no keyword of the dialect: what it says changes nothing" in done.out


def test_hostile_names_are_escaped_in_every_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "a\x1b[31m\n::error::evil"
    old = {"type": "object", "properties": {name: {"type": "string"}}}
    new = {"type": "object", "properties": {name: {"type": "integer"}}, "required": [name]}
    for format_ in ("text", "github", "json"):
        out = compared(tmp_path, old, new, "--format", format_).out
        assert "\x1b" not in out
        assert "\n::error::evil" not in out


def test_data_that_carries_a_new_key_changes_the_headline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    old = {"type": "object", "properties": {"a": {"type": "string"}}}
    new = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    (tmp_path / "data.json").write_text('{"a": "x", "b": 7}')
    headline = compared(tmp_path, old, new).out.splitlines()[0]
    assert "backward broken (all of it waived), forward proved; needs a minor version" in headline
    done = compared(tmp_path, old, new, "--keys-from", "data.json")
    assert done.code == 1
    headline = done.out.splitlines()[0]
    assert "backward broken, forward proved; breaks 1 value of the data, which needs a major" in headline


def test_what_no_document_shows_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    old = {"type": "object", "properties": {"u": {"type": "string"}, "n": {"type": "integer"}}}
    new = {
        "type": "object",
        "properties": {"u": {"type": "string", "format": "uri"}, "n": {"type": "string"}},
    }
    done = compared(tmp_path, old, new)
    lines = done.out.splitlines()
    at = next(number for number, line in enumerate(lines) if "at /u: new.json has 'format'" in line)
    assert lines[at + 2] == "    not proved: no document was found that shows it"
    assert done.out.count("not proved") == 1
    assert "not proved: no document" in compared(tmp_path, old, new, "--format", "github").out
    page = compared(tmp_path, old, new, "--format", "html").out
    assert page.count("Not proved: no document was found that shows it.") == 1


def test_of_many_types_those_that_are_left_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    old: dict[str, Any] = {"type": "object", "properties": {"a": True, "b": {"type": ["string", "null"]}}}
    new = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    old["required"] = new["required"] = ["a"]
    done = compared(tmp_path, old, new)
    assert "TYPE_NO_NARROW at /a: new.json accepts only string, old.json does not" in done.out
    assert "TYPE_NO_NARROW at /b: new.json does not accept null, old.json does" in done.out


def test_the_document_for_a_branch_is_one_of_that_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def notes(*required: str) -> dict[str, Any]:
        branches = [
            {"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind", *required]}
            for kind in ("long_kind", "b", "other_kind")
        ]
        return {"anyOf": branches}

    report = json.loads(compared(tmp_path, notes(), notes("id"), "--format", "json").out)
    findings = report["comparisons"][0]["backward"]["findings"]
    assert [finding["witness"] for finding in findings] == [
        [{"kind": kind}] for kind in ("long_kind", "b", "other_kind")
    ]


def test_github_output_says_of_each_comparison_what_became_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    few, many = endless(*"abc"), endless(*"abcdefgh")
    done = compared(tmp_path, few, many, "--budget", "1000", "--format", "github")
    assert done.out.startswith(
        "compared new.json against old.json: backward not settled, forward not settled"
    )


@pytest.mark.parametrize("name", ["::error file=x::evil.json", "##[error]evil.json", " ::warning::evil.json"])
def test_no_name_of_a_file_is_a_command_of_a_workflow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_json(tmp_path / name, {"type": "object", "required": ["a"]})
    write_json(tmp_path / "old.json", {"type": "object"})
    for command in (["breaking", name, "--against", "old.json"], ["diff", name, "old.json"]):
        done = run("schema", *command)
        assert done.code < 2
        assert "evil.json" in done.out
        assert "##[" not in done.out
        assert not any(line.lstrip().startswith("::") for line in done.out.splitlines())
