"""Datasets pulled from and pushed to a Langfuse server, with its own SDK, over loopback HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue
from evalcontract.datasets import source_of
from evalcontract.datasets.contents import Contents
from evalcontract.errors import ContractViolation, UnreadableInput, UsageError
from evalcontract.exchange import LangfuseError, PushReport, Server, connect, pulled, push
from evalcontract.exchange.client import ATTEMPTS, PAGE_ITEMS
from evalcontract.exchange.push import server_schemas
from evalcontract.validation import is_valid
from tests.support.cli import run
from tests.support.datasets import dataset, item, metadata, write
from tests.support.langfuse_server import CUT, KEYS, FakeLangfuse, running

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

NAME = "pathfinder/retrieval"
BUSY = (429, {"message": "Rate limit exceeded"}, {"Retry-After": "7"})
DOWN = (503, "upstream is down", {})


@pytest.fixture
def langfuse() -> Iterator[FakeLangfuse]:
    with running() as server:
        yield server


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def server(langfuse: FakeLangfuse, pauses: list[float]) -> Iterator[Server]:
    with Server(langfuse.url, *KEYS.values(), sleep=pauses.append) as found:
        yield found


def pushed(server: Server, document: dict[str, Any], **options: Any) -> PushReport:
    return push(server, NAME, source_of(document), **options)


def items_of(server: Server, **options: Any) -> list[dict[str, Any]]:
    found = [document.value for document in Contents(pulled(server, NAME, **options)).items()]
    return [each for each in found if isinstance(each, dict)]


def without_langfuse(item: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in item["metadata"].items() if key != "langfuse"}
    return {**item, "metadata": kept} if kept else {key: item[key] for key in item if key != "metadata"}


def test_a_dataset_is_created_and_comes_back_in_order(server: Server) -> None:
    document = dataset("1.0", item("a"), item("b"), item("c"))
    report = pushed(server, document)
    assert (report.ok, report.new_dataset, report.created) == (True, True, 3)
    contents = Contents(pulled(server, NAME))
    assert [without_langfuse(each.value) for each in contents.items()] == document["items"]  # type: ignore[arg-type]
    assert contents.envelope == {"metadata": metadata()}


def test_a_second_push_sends_nothing(server: Server, langfuse: FakeLangfuse) -> None:
    pushed(server, dataset("1.0"))
    langfuse.requests.clear()
    report = pushed(server, dataset("1.0"))
    assert (report.created, report.updated, report.unchanged) == (0, 0, 2)
    assert langfuse.written() == []


def test_what_was_pulled_is_pushed_without_a_change(server: Server, langfuse: FakeLangfuse) -> None:
    langfuse.add_dataset(NAME, metadata=metadata())
    langfuse.add_item(NAME, "a", input={"x": 1}, metadata={"k": "v"}, sourceTraceId="t", status="ARCHIVED")
    langfuse.requests.clear()
    report = pushed(server, {"metadata": metadata(), "items": items_of(server)})
    assert (report.unchanged, langfuse.written()) == (1, [])


def test_an_item_that_says_nothing_of_status_and_source_leaves_them(
    server: Server, langfuse: FakeLangfuse
) -> None:
    pushed(server, dataset("1.0", item("a")))
    langfuse.items["a"] |= {"status": "ARCHIVED", "sourceTraceId": "t"}
    assert pushed(server, dataset("1.0", item("a"))).unchanged == 1
    assert pushed(server, dataset("1.0", item("a", locale="de"))).ok
    assert (langfuse.items["a"]["status"], langfuse.items["a"]["sourceTraceId"]) == ("ARCHIVED", "t")
    told = item("a", locale="de") | {"metadata": {"langfuse": {"status": "ACTIVE"}}}
    assert pushed(server, dataset("1.0", told)).updated == 1
    assert langfuse.items["a"]["status"] == "ACTIVE"


def test_changed_items_are_updated_and_others_left_alone(server: Server, langfuse: FakeLangfuse) -> None:
    pushed(server, dataset("1.0", item("a"), item("b"), item("gone")))
    report = pushed(server, dataset("1.1", item("a", locale="de"), item("b"), item("c")))
    assert (report.created, report.updated, report.unchanged, report.only_there) == (1, 1, 1, 1)
    assert langfuse.items["a"]["input"]["locale"] == "de"
    assert "gone" in langfuse.items
    assert langfuse.datasets[NAME]["metadata"]["version"] == "1.1"


def test_a_dry_run_counts_and_writes_nothing(server: Server, langfuse: FakeLangfuse) -> None:
    report = pushed(server, dataset("1.0"), dry_run=True, set_schemas=True)
    assert (report.new_dataset, report.created, langfuse.written()) == (True, 2, [])
    assert langfuse.datasets == {}


def test_every_page_is_read(server: Server, langfuse: FakeLangfuse) -> None:
    langfuse.add_dataset(NAME)
    ids = [f"i{number}" for number in range(2 * PAGE_ITEMS + 1)]
    for each in ids:
        langfuse.add_item(NAME, each, input={})
    assert [each["item_id"] for each in items_of(server)] == ids


def test_an_empty_dataset_has_no_items(server: Server, langfuse: FakeLangfuse) -> None:
    langfuse.add_dataset(NAME)
    assert items_of(server) == []


def test_status_source_and_foreign_metadata_are_kept(server: Server, langfuse: FakeLangfuse) -> None:
    langfuse.add_dataset(NAME)
    langfuse.add_item(NAME, "a", input={}, metadata={"k": 1}, sourceTraceId="t", sourceObservationId="o")
    langfuse.add_item(NAME, "b", input="text", metadata=["no object"], status="ARCHIVED")
    first, second = items_of(server)
    assert first["metadata"] == {
        "raw_metadata": {"k": 1},
        "langfuse": {"status": "ACTIVE", "source_trace_id": "t", "source_observation_id": "o"},
    }
    assert second == {
        "item_id": "b",
        "input": "text",
        "metadata": {"raw_metadata": {"value": ["no object"]}, "langfuse": {"status": "ARCHIVED"}},
    }
    assert [each["item_id"] for each in items_of(server, active_only=True)] == ["a"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
OBJECT = st.dictionaries(st.sampled_from(["a", "b", "status"]), JSON, max_size=2)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    found=st.fixed_dictionaries(
        {"item_id": st.just("a"), "input": OBJECT},
        optional={
            "expected_output": OBJECT,
            "metadata": st.fixed_dictionaries({}, optional={"raw_metadata": OBJECT, "own": JSON}),
            "own": JSON,
        },
    )
)
def test_an_item_comes_back_with_all_that_it_carried(
    server: Server, langfuse: FakeLangfuse, found: dict[str, Any]
) -> None:
    langfuse.items.clear()
    assert pushed(server, {"metadata": metadata(), "items": [found]}).ok
    (back,) = items_of(server)
    expected = {key: value for key, value in found.items() if not (key == "metadata" and value == {})}
    assert without_langfuse(back) == expected


def test_a_busy_server_is_asked_again_when_it_says(
    server: Server, langfuse: FakeLangfuse, pauses: list[float]
) -> None:
    langfuse.faults = [BUSY, BUSY]
    assert pushed(server, dataset("1.0")).created == 2
    assert pauses == [7.0, 7.0]


def test_a_server_that_is_down_is_asked_again_after_longer_and_longer_pauses(
    server: Server, langfuse: FakeLangfuse, pauses: list[float]
) -> None:
    langfuse.faults = [DOWN] * (ATTEMPTS - 1)
    assert pushed(server, dataset("1.0")).ok
    assert len(pauses) == ATTEMPTS - 1
    assert all(0.25 * 2**n <= pause <= 0.5 * 2**n for n, pause in enumerate(pauses))


@pytest.mark.parametrize("fault", [BUSY, DOWN, CUT])
def test_no_server_is_asked_for_ever(
    server: Server, langfuse: FakeLangfuse, pauses: list[float], fault: Any
) -> None:
    langfuse.faults = [fault] * ATTEMPTS
    with pytest.raises(LangfuseError) as caught:
        pushed(server, dataset("1.0"))
    assert len(langfuse.requests) == ATTEMPTS
    assert caught.value.hint is None or str(ATTEMPTS) in caught.value.hint


def test_a_connection_that_is_cut_while_writing_leaves_each_item_there_once(
    server: Server, langfuse: FakeLangfuse
) -> None:
    langfuse.add_dataset(NAME, metadata=metadata())
    write_item = langfuse.save_item

    def cut_after_writing(body: dict[str, Any]) -> dict[str, Any]:
        saved = write_item(body)
        if not cuts:
            cuts.append(body["id"])
            langfuse.faults.append(CUT)
        return saved

    cuts: list[str] = []
    langfuse.save_item = cut_after_writing  # type: ignore[method-assign]
    assert pushed(server, dataset("1.0", item("a"), item("b"), item("c"))).ok
    assert list(langfuse.items) == ["a", "b", "c"]
    assert pushed(server, dataset("1.0", item("a"), item("b"), item("c"))).unchanged == 3


def test_items_that_come_while_they_are_read_are_noticed(server: Server, langfuse: FakeLangfuse) -> None:
    langfuse.add_dataset(NAME)
    for number in range(PAGE_ITEMS + 1):
        langfuse.add_item(NAME, f"i{number}", input={})
    found = server.items(NAME)
    next(found)
    langfuse.add_item(NAME, "late", input={})
    with pytest.raises(LangfuseError, match="changed while it was read"):
        list(found)


def test_an_item_that_comes_back_changed_is_reported(server: Server, langfuse: FakeLangfuse) -> None:
    langfuse.tamper = lambda found: found | ({"input": {"cut": True}} if found["id"] == "b" else {})
    report = pushed(server, dataset("1.0"))
    assert (report.ok, report.changed, report.changed_count) == (False, [("b", ("input",))], 1)


def test_a_value_that_the_server_will_not_clear_is_reported(server: Server) -> None:
    pushed(server, dataset("1.0", item("a")))
    report = pushed(server, dataset("1.0", item("a") | {"expected_output": None}))
    assert report.changed == [("a", ("expected_output",))]


def test_the_schemas_make_the_server_refuse_bad_items(server: Server, langfuse: FakeLangfuse) -> None:
    bad = item("bad")
    bad["input"] = {"messages": []}
    report = pushed(server, dataset("1.0", item("a"), bad, item("c")), set_schemas=True)
    assert report.schemas == ("input_schema", "expected_output_schema")
    assert (report.created, report.refused_count) == (2, 1)
    assert report.refused[0][0] == "bad"
    assert "input is not valid: /messages" in report.refused[0][1]
    assert sorted(langfuse.items) == ["a", "c"]


@pytest.mark.parametrize("name", sorted(default_catalogue().schema_types()))
def test_the_servers_schemas_say_what_the_contracts_say_within_its_limits(name: str) -> None:
    catalogue = default_catalogue()
    type_ = catalogue.schema_types()[name]["1.0"]
    made = server_schemas(catalogue, type_)
    for field, ref in (("input_schema", type_.input), ("expected_output_schema", type_.expected_output)):
        schema = made[field]
        assert not {"$schema", "$id"} & schema.keys()
        assert len(json.dumps(schema)) < 10_000
        folder = catalogue.root / "conformance" / ref.name / ref.version
        for verdict in ("valid", "invalid"):
            for case in (folder / verdict).iterdir():
                assert is_valid(json.loads(case.read_bytes()), schema) == (verdict == "valid"), case.name


def test_no_schemas_are_set_for_an_unknown_type(server: Server, langfuse: FakeLangfuse) -> None:
    with pytest.raises(UsageError, match="'routing' has no schemas"):
        pushed(server, dataset("1.0", input_schema_type="routing"), set_schemas=True)
    assert langfuse.requests == []


def test_an_id_of_another_dataset_is_refused_and_the_rest_goes_on(
    server: Server, langfuse: FakeLangfuse
) -> None:
    langfuse.add_dataset("other")
    langfuse.add_item("other", "a", input={})
    report = pushed(server, dataset("1.0"))
    assert (report.created, report.refused_count) == (1, 1)
    assert "already exists in a dataset other than this" in report.refused[0][1]


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([item("a"), item("a")], "two items"),
        ([item("a") | {"item_id": 1}], "can't be the id"),
        ([item("x" * 256)], "can't be the id"),
        ([item("a"), "text"], "item 2 of <dataset> is not an object"),
        ([item("a") | {"metadata": {"raw_metadata": {"evalcontract": 1}}}], "which the exchange needs"),
        ([item("a") | {"metadata": {"langfuse": {"status": "NEW"}}}], "status 'NEW'"),
    ],
)
def test_items_that_can_not_be_sent_stop_the_push_before_it_begins(
    server: Server, langfuse: FakeLangfuse, items: list[Any], said: str
) -> None:
    with pytest.raises(ContractViolation, match=said):
        pushed(server, {"metadata": metadata(), "items": items})
    assert langfuse.requests == []


@pytest.mark.parametrize("number", ["1e-400", "0.1234567890123456789012345", "12345678901234567890.5"])
def test_a_number_that_would_be_rounded_stops_the_push(
    server: Server, langfuse: FakeLangfuse, tmp_path: Path, number: str
) -> None:
    file = tmp_path / "items.json"
    text = json.dumps(dataset("1.0", item("a"), item("b", score=777)))
    assert "777" in text
    file.write_text(text.replace("777", number))
    with pytest.raises(ContractViolation, match="which the server would round"):
        push(server, NAME, source_of(file))
    assert langfuse.written() == []
    file.write_text(text.replace("777", "1.50"))
    assert push(server, NAME, source_of(file)).ok


def test_a_datasets_own_keys_are_said_to_be_left_behind(server: Server) -> None:
    report = pushed(server, dataset("1.0") | {"curator": "team"})
    assert report.notes == ["the server has no place for the dataset's own keys: curator"]


def test_a_dataset_that_is_not_there_is_unreadable(server: Server) -> None:
    with pytest.raises(UnreadableInput, match="there is no dataset"):
        pulled(server, "absent")


@pytest.mark.parametrize("name", ["", " ", ".", ".."])
def test_a_name_that_would_lead_to_another_address_is_refused(
    server: Server, langfuse: FakeLangfuse, name: str
) -> None:
    with pytest.raises(UsageError):
        pulled(server, name)
    assert langfuse.requests == []


@pytest.mark.parametrize(
    "fault",
    [
        (200, "<html>login</html>", {}),
        (200, {"unknown": 1}, {}),
        (302, "", {"Location": "http://127.0.0.1:1/"}),
    ],
)
def test_an_answer_that_is_not_langfuses_is_an_error(
    server: Server, langfuse: FakeLangfuse, fault: Any
) -> None:
    langfuse.faults = [fault]
    with pytest.raises(LangfuseError, match="an answer that is not Langfuse's"):
        pulled(server, NAME)
    assert len(langfuse.requests) == 1


def test_wrong_keys_are_told_and_not_shown(langfuse: FakeLangfuse) -> None:
    keys = {"LANGFUSE_PUBLIC_KEY": "pk-lf-wrong", "LANGFUSE_SECRET_KEY": "sk-lf-wrong"}
    with connect({"LANGFUSE_HOST": langfuse.url, **keys}) as server, pytest.raises(LangfuseError) as caught:
        pulled(server, NAME)
    assert caught.value.status == 401
    langfuse.faults = [(400, {"message": "bad key sk-lf-wrong of pk-lf-wrong"}, {})]
    with connect({"LANGFUSE_HOST": langfuse.url, **keys}) as server, pytest.raises(LangfuseError) as leaked:
        pulled(server, NAME)
    assert "wrong" not in str(leaked.value)


@pytest.mark.parametrize(
    "environment",
    [{}, {"LANGFUSE_PUBLIC_KEY": "pk"}, {**KEYS, "LANGFUSE_BASE_URL": "file:///etc"}],
)
def test_without_keys_or_address_nothing_is_tried(environment: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="LANGFUSE|not in the environment"):
        connect(environment)


@pytest.fixture
def reachable(langfuse: FakeLangfuse, monkeypatch: pytest.MonkeyPatch) -> FakeLangfuse:
    for name, value in langfuse.environment().items():
        monkeypatch.setenv(name, value)
    return langfuse


def test_pull_writes_flat_items_that_validate(tmp_path: Path, reachable: FakeLangfuse) -> None:
    reachable.add_dataset(NAME, metadata=metadata())
    flat = item("a")
    reachable.add_item(NAME, "a", input={"request": flat["input"]}, expectedOutput=flat["expected_output"])
    call = {"args": [], "kwargs": {"query": flat["input"]}}
    reachable.add_item(NAME, "b", input=call, expectedOutput=flat["expected_output"], sourceTraceId="t1")
    out = tmp_path / "pathfinder_rag_retrieval_v1.0.json"
    done = run("dataset", "pull", NAME, "-o", str(out))
    assert (done.code, done.err) == (0, "")
    assert "1 input unwrapped from request" in done.out
    written = json.loads(out.read_bytes())
    assert [each["input"] for each in written["items"]] == [flat["input"]] * 2
    assert written["items"][1]["metadata"]["langfuse"]["source_trace_id"] == "t1"
    assert run("dataset", "check", str(out)).code == 0


def test_pull_of_positional_arguments_leaves_no_file(tmp_path: Path, reachable: FakeLangfuse) -> None:
    reachable.add_dataset(NAME, metadata=metadata())
    reachable.add_item(NAME, "a", input={"args": ["What?"], "kwargs": {}})
    done = run("dataset", "pull", NAME, "-o", str(tmp_path / "out.json"))
    assert (done.code, "args[0] is 'What?'" in done.err) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_push_reports_and_pull_brings_back(tmp_path: Path, reachable: FakeLangfuse) -> None:
    file = write(tmp_path, dataset("1.0"))
    dry = run("dataset", "push", NAME, str(file), "--dry-run")
    assert (dry.code, reachable.written()) == (0, [])
    assert "2 would be created" in dry.out
    done = run("dataset", "push", NAME, str(file), "--set-schemas", "--format", "json")
    assert (done.code, json.loads(done.out)["created"]) == (0, 2)
    assert (
        "ok: pathfinder/retrieval: 0 created, 0 updated, 2 unchanged"
        in run("dataset", "push", NAME, str(file)).out
    )
    assert run("dataset", "pull", NAME, "-o", str(tmp_path / "back.jsonl")).code == 0
    assert json.loads((tmp_path / "back.metadata.json").read_bytes()) == metadata()


def test_a_refused_item_fails_the_push(tmp_path: Path, reachable: FakeLangfuse) -> None:
    reachable.add_dataset(NAME, inputSchema={"required": ["tenant"]})
    done = run("dataset", "push", NAME, str(write(tmp_path, dataset("1.0"))))
    assert done.code == 1
    assert "refused: item a: Langfuse answers 400" in done.out


def test_an_unreachable_server_exits_with_2_and_shows_no_key(
    tmp_path: Path, reachable: FakeLangfuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGFUSE_SECRET_KEY", "sk-lf-wrong")
    done = run("dataset", "push", NAME, str(write(tmp_path, dataset("1.0"))))
    assert (done.code, "Langfuse answers 401" in done.err) == (2, True)
    assert "sk-lf" not in done.out + done.err
    monkeypatch.delenv("LANGFUSE_SECRET_KEY")
    assert run("dataset", "pull", NAME, "-o", str(tmp_path / "out.json")).code == 2
