"""Every adapter on answers in its provider's documented shape, and what all of them share."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract import errors
from evalcontract.errors import ContractViolation, OffsetMismatch, UnexpectedShape, UsageError
from evalcontract.responses import iter_rag_response_errors, validate_rag_response
from evalcontract.responses.adapters import PROVIDERS, AdaptedResponse, adapt
from evalcontract.responses.adapters.adapted import byte_span, character_span, paged
from evalcontract.responses.identities import Identities
from evalcontract.responses.shapes import JsonNode
from evalcontract.validation import is_valid
from tests.support.fixtures import fixtures_in, load, name_of

DATA = Path(__file__).parent / "data"
CASES = fixtures_in(DATA)


def adapted(path: Path) -> AdaptedResponse:
    case = load(path)
    return adapt(case["response"], path.parent.name, documents=case.get("documents", ()))


def test_every_provider_has_an_answer_and_a_failing_one_and_no_file_is_left_out() -> None:
    names = {provider.name for provider in PROVIDERS}
    assert {path.parent.name for path in CASES.good} == names
    assert {path.parent.name for path in CASES.bad} == names
    assert sorted([*CASES.good, *CASES.bad]) == CASES.all


@pytest.mark.parametrize("path", CASES.good, ids=name_of)
def test_an_answer_becomes_what_was_expected(path: Path) -> None:
    expected = load(path.with_suffix(".expected.json"))
    found = adapted(path)
    assert found.text == expected["text"]
    assert list(found.sources) == expected["sources"]
    assert list(found.citations) == expected["citations"]
    assert dict(found.context) == expected["context"]
    assert [
        {"code": each.code, "message": each.message, "pointer": each.pointer} for each in found.notices
    ] == (expected["notices"])


@pytest.mark.parametrize("path", CASES.good, ids=name_of)
def test_what_comes_out_keeps_the_contracts_and_its_spans_lead_back_to_the_text(path: Path) -> None:
    case = load(path)
    before = copy.deepcopy(case)
    found = adapt(case["response"], path.parent.name, documents=case.get("documents", ()))
    assert case == before
    response = found.as_rag_response()
    assert list(iter_rag_response_errors(response)) == []
    assert [each.retrieved_context for each in validate_rag_response(response)] == [
        each["retrieved_context"] for each in found.sources
    ]
    for citation in found.citations:
        assert is_valid(citation, "citation")
        span = citation["response_span"]
        assert found.text[span["start"] : span["end"]] == span["text"]
    assert json.loads(json.dumps(response)) == response


@pytest.mark.parametrize("path", CASES.bad, ids=name_of)
def test_an_answer_that_is_not_as_documented_is_refused(path: Path) -> None:
    expected = load(path.with_suffix(".error.json"))
    with pytest.raises(getattr(errors, expected["error"])) as caught:
        adapted(path)
    assert type(caught.value).__name__ == expected["error"]
    assert caught.value.message == expected["message"]
    assert caught.value.violations


@pytest.mark.parametrize("path", CASES.good, ids=name_of)
def test_an_answer_with_any_one_value_spoilt_is_read_or_refused_with_a_contract_error(path: Path) -> None:
    case = load(path)
    for spoilt in spoilt_copies(case["response"]):
        with suppress(ContractViolation):
            adapt(spoilt, path.parent.name, documents=case.get("documents", ()))


def spoilt_copies(document: Any) -> list[Any]:
    """The document with one value replaced by something of another type, for every value."""
    places: list[tuple[Any, ...]] = []
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(document, ())]
    while waiting:
        node, path = waiting.pop()
        places.append(path)
        steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        waiting.extend((child, (*path, step)) for step, child in steps)
    copies = []
    for path in places:
        for value in (None, True, -1, 1.5, [], {}, [None], "text"):
            whole = [copy.deepcopy(document)]
            holder: Any = whole
            for step in (0, *path)[:-1]:
                holder = holder[step]
            holder[(0, *path)[-1]] = value
            copies.append(whole[0])
    return copies


def test_an_unknown_provider_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="there is no provider 'azure'") as caught:
        adapt({}, "azure")
    assert all(provider.name in (caught.value.hint or "") for provider in PROVIDERS)


class Sdk:
    def __init__(self, document: Any) -> None:
        self.document = document

    def model_dump(self) -> Any:
        return self.document


def test_an_sdk_object_is_read_like_its_json() -> None:
    path = DATA / "cohere" / "documents_and_tools.json"
    assert adapt(Sdk(load(path)["response"]), "cohere") == adapted(path)


def test_offsets_that_count_bytes_are_converted() -> None:
    text = "It is 69°F – café. Rain is unlikely."
    assert (len(text), len(text.encode())) == (36, 40)
    span = byte_span(text, 23, 40, JsonNode({}), repeated="Rain is unlikely.")
    assert (span.start, span.end, span.text) == (19, 36, "Rain is unlikely.")
    assert text[23:40] != span.text
    with pytest.raises(OffsetMismatch, match="bytes 9 to 40 cut a character in two"):
        byte_span(text, 9, 40, JsonNode({}))


words = st.text(alphabet="aé–🪑ß ", max_size=12)


@given(before=words, middle=words, after=words, base=st.integers(0, 5))
def test_byte_and_character_offsets_of_the_same_place_agree(
    before: str, middle: str, after: str, base: int
) -> None:
    text = before + middle + after
    in_bytes = byte_span(
        text,
        len(before.encode()),
        len((before + middle).encode()),
        JsonNode({}),
        base=base,
        repeated=middle,
    )
    in_characters = character_span(
        text, len(before), len(before) + len(middle), JsonNode({}), base=base, repeated=middle
    )
    assert in_bytes == in_characters
    assert ("x" * base + text)[in_bytes.start : in_bytes.end] == middle


@given(text=words, start=st.integers(-2, 60), end=st.integers(-2, 60))
def test_bytes_anywhere_give_a_span_or_an_offset_mismatch(text: str, start: int, end: int) -> None:
    try:
        span = byte_span(text, start, end, JsonNode({}))
    except OffsetMismatch:
        raw = text.encode()
        assert (
            not 0 <= start <= end <= len(raw)
            or "�" in raw[start:end].decode("utf-8", "replace")
            or "�" in raw[:start].decode("utf-8", "replace")
        )
    else:
        assert text[span.start : span.end] == span.text


def test_a_document_id_falls_back_in_the_stated_order() -> None:
    known = {"own": "o", "filepath": "f", "url": "u", "title": "t", "content": "c"}
    found = []
    while known:
        found.append(Identities().of(JsonNode({}), **known))
        known.pop(next(iter(known)))
    assert found[:4] == ["o", "f", "u", "t"]
    assert found[4].startswith("sha256:")
    assert (
        Identities().of(JsonNode({}), content="c") == found[4] != Identities().of(JsonNode({}), content="d")
    )


@pytest.mark.parametrize(
    ("page", "valid", "expected"),
    [
        (2, True, {"page_number": 2}),
        (7.0, True, {"page_number": 7}),
        (None, True, {"page_number": None}),
        ("iv", True, {"page_number": None, "page_label": "iv"}),
        ("A-3", True, {"page_number": None, "page_label": "A-3"}),
        (0, False, {"page_number": 0}),
        (-1, False, {"page_number": -1}),
        (True, False, {"page_number": True}),
        (7.5, False, {"page_number": 7.5}),
        ("7", False, {"page_number": "7"}),
    ],
)
def test_pages_are_integers_labels_or_left_for_the_contract_to_refuse(
    page: Any, valid: bool, expected: dict[str, Any]
) -> None:
    found = paged(page)
    assert found == expected
    assert type(found["page_number"]) is type(expected["page_number"])
    assert is_valid({"document_id": "d", **found}, "citation") is valid


def test_the_same_passage_five_times_without_a_name_stays_five_passages_and_is_said() -> None:
    found = adapted(DATA / "azure_on_your_data" / "nothing_identifies.json")
    assert len(found.sources) == 5
    assert len({each["document_id"] for each in found.sources}) == 1
    assert [each.code for each in found.notices] == ["no-identity"]


def test_an_event_stream_whose_data_is_not_json_is_refused_by_its_line() -> None:
    with pytest.raises(UnexpectedShape, match=r"^/2: expected JSON text"):
        adapt('data: {"choices": []}\n\ndata: {"choices"\n', "azure_on_your_data")


CITATION = {"content": "t", "filepath": "f.pdf", "chunk_id": "0"}


def in_a_tool_message() -> dict[str, Any]:
    content = '{"citations":[{"content":"t","filepath":"f.pdf","chunk_id":"0"}],"intent":"[]"}'
    context = {"messages": [{"role": "tool", "content": content}]}
    return {"choices": [{"message": {"role": "assistant", "content": "x [doc1]", "context": context}}]}


def in_the_context() -> dict[str, Any]:
    context = {"citations": [CITATION]}
    return {"choices": [{"message": {"role": "assistant", "content": "x [doc1]", "context": context}}]}


def test_both_versions_of_azure_s_answer_give_the_same_and_the_contract_takes_only_the_new_one() -> None:
    old, new = (adapt(each, "azure_on_your_data") for each in (in_a_tool_message(), in_the_context()))
    assert old.sources == new.sources
    assert old.citations == new.citations
    assert len(old.sources) == 1
    assert list(iter_rag_response_errors(old.as_rag_response())) == []
    assert [each.pointer for each in iter_rag_response_errors(in_a_tool_message())] == [
        "/choices/0/message/context/citations"
    ]


@given(
    text=st.text(alphabet="ab [doc1]é", max_size=30),
    cuts=st.lists(st.integers(0, 30), max_size=4),
    old=st.booleans(),
    as_text=st.booleans(),
)
def test_a_stream_gives_what_the_whole_answer_gives(
    text: str, cuts: list[int], old: bool, as_text: bool
) -> None:
    whole = in_a_tool_message() if old else in_the_context()
    message = whole["choices"][0]["message"]
    message["content"] = text
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[start:end] for start, end in pairwise(places)]
    deltas = [{"role": "assistant", "context": message["context"]}, *({"content": each} for each in pieces)]
    chunks: list[Any] = [{"choices": [{"index": 0, "delta": each}]} for each in deltas]
    ignored = {"choices": [{"index": 0, "delta": {"content": "after the end"}}]}
    stream: Any = [*chunks, "[DONE]", ignored]
    if as_text:
        lines = [each if isinstance(each, str) else json.dumps(each) for each in stream]
        stream = "".join(f"data: {line}\r\n\r\n" for line in lines)
    streamed = adapt(stream, "azure_on_your_data")
    assert streamed == adapt(whole, "azure_on_your_data")


def test_blank_pieces_of_an_answer_keep_their_place() -> None:
    parts: list[Any] = [{"type": "output_text", "text": text, "annotations": []} for text in (" ", "a", "\n")]
    parts[1]["annotations"] = [{"type": "file_citation", "index": 1, "file_id": "f", "filename": "n"}]
    openai = adapt({"output": [{"type": "message", "content": parts}]}, "openai_responses")
    assert openai.text == " a\n"
    assert openai.citations[0]["response_span"]["start"] == 2
    cited = {"citationsContent": {"content": [{"text": "b"}], "citations": [{"title": "t"}]}}
    content = [{"text": "a"}, {"text": " "}, cited]
    bedrock = adapt({"output": {"message": {"content": content}}}, "bedrock_converse")
    assert bedrock.text == "a b"
    assert bedrock.citations[0]["response_span"] == {"start": 2, "end": 3, "text": "b"}
