"""How answers end: every state of every provider, whole and streamed, and frames that nobody documents."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types import responses as openai_responses
from openai.types.chat import chat_completion

from evalcontract.errors import ContractViolation, NoAnswer
from evalcontract.responses.adapters import MEANINGS, PROVIDERS, STATES, Meaning, adapt, recognised
from tests.responses.answers import as_events, frames, whole

NAMES = [provider.name for provider in PROVIDERS]
ROWS = [
    pytest.param(provider, place, value, meaning, id=f"{provider}-{place}-{value}")
    for provider, fields in STATES.items()
    for field in fields
    for place in field.places
    for value, meaning in field.states.items()
]
WAYS = ("whole", "objects", "events")


def answer(provider: str, way: str, pieces: list[str], state: dict[str, Any]) -> Any:
    """The made-up answer at once, as a list of frames, or as the text of its events."""
    if way == "whole":
        return whole(provider, pieces, state)
    stream = frames(provider, pieces, state)
    return stream if way == "objects" else as_events(stream, named=provider in ("anthropic", "cohere"))


def test_every_provider_has_its_states_and_can_be_read_in_frames() -> None:
    assert set(STATES) == set(NAMES)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("provider", "place", "value", "meaning"), ROWS)
def test_a_state_is_an_error_a_notice_or_nothing(
    provider: str, place: str, value: str, meaning: Meaning, way: str
) -> None:
    given_answer = answer(provider, way, ["Yes", "."], {place: value})
    if meaning.outcome == "error":
        with pytest.raises(NoAnswer, match=value) as caught:
            adapt(given_answer, provider)
        assert caught.value.exit_code == 1
        assert caught.value.violations[0].code == meaning.code  # type: ignore[attr-defined]
        return
    found = adapt(given_answer, provider)
    said = [notice.code for notice in found.notices if notice.code in {known.code for known in MEANINGS}]
    assert said == ([meaning.code] if meaning.outcome == "notice" else [])
    assert found.finish_reason == (None if meaning.code == "unsaid" else value)
    assert found.text in ("Yes.", "")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("provider", "state"),
    [
        ("openai_responses", {"/status": "failed", "/error": {"message": "boom", "code": "server_error"}}),
        ("anthropic", {"/stop_reason": "refusal", "/stop_details/explanation": "boom"}),
        ("cohere", {"/finish_reason": "ERROR", "/error": "boom"}),
        ("gemini", {"/candidates/0/finishReason": "SAFETY", "/candidates/0/finishMessage": "boom"}),
        ("gemini", {"/promptFeedback/blockReason": "OTHER", "/promptFeedback/blockReasonMessage": "boom"}),
        ("openai_chat", {"/choices/0/finish_reason": "content_filter", "/choices/0/message/refusal": "boom"}),
    ],
    ids=str,
)
def test_the_providers_own_words_are_in_the_error_or_the_notice(
    provider: str, state: dict[str, Any], way: str
) -> None:
    try:
        said = " ".join(
            notice.message for notice in adapt(answer(provider, way, ["Y"], state), provider).notices
        )
    except NoAnswer as error:
        said = error.message
    assert "boom" in said


ERRORS = (
    {"error": {"message": "boom", "type": "server_error", "code": None}},
    {"error": {"code": 503, "message": "boom", "status": "UNAVAILABLE"}},
    {"error": "boom"},
    {"type": "error", "error": {"type": "overloaded_error", "message": "boom"}},
    {"type": "error", "code": "server_error", "message": "boom", "param": None},
    {"modelStreamErrorException": {"message": "boom", "originalStatusCode": 500}},
    {"throttlingException": {"message": "boom"}},
    {"message": "boom"},
    {"error": {"message": "boom", "code": 502}, "choices": [{"delta": {}, "finish_reason": "error"}]},
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: json.dumps(error)[:40])
@pytest.mark.parametrize("provider", NAMES)
def test_an_error_of_the_provider_is_an_error_here_wherever_it_comes(provider: str, error: Any) -> None:
    begun = frames(provider, ["Yes "], {})[:-1]
    for document in (error, [error], [*begun, error], as_events([*begun, error]), json.dumps(error)):
        with pytest.raises(NoAnswer, match="boom"):
            adapt(document, provider)


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("provider", [name for name in NAMES if name != "bedrock_rag"])
def test_a_stream_without_its_last_frame_ends_early(provider: str, as_text: bool) -> None:
    stream = frames(provider, ["Yes", "."], {})
    for length in range(len(stream)):
        cut: Any = as_events(stream[:length]) if as_text else stream[:length]
        with pytest.raises(ContractViolation) as caught:
            adapt(cut, provider)
        if length:
            assert isinstance(caught.value, NoAnswer)
            assert "the stream ends early" in caught.value.message


def test_a_stream_of_bedrock_rag_has_no_last_frame_but_needs_a_text() -> None:
    with pytest.raises(NoAnswer, match="without any output"):
        adapt([{"guardrail": {"action": "NONE"}}], "bedrock_rag")


@pytest.mark.parametrize("provider", NAMES)
def test_frames_of_unknown_kinds_are_kept_and_counted(provider: str) -> None:
    stream = frames(provider, ["Yes."], {})
    odd: list[dict[str, Any]] = [{"type": "surprise", "value": 1}, {"type": "surprise", "value": 2}]
    found = adapt([stream[0], odd[0], *stream[1:-1], odd[1], stream[-1]], provider)
    assert found.text == "Yes."
    assert found.context["unknown_frames"] == odd
    (notice,) = [notice for notice in found.notices if notice.code == "unknown-frame"]
    assert notice.message == "2 frames are of no known kind, and kept as they came: surprise"


@pytest.mark.parametrize("provider", NAMES)
def test_an_unknown_state_is_said_and_kept(provider: str) -> None:
    (place, *_) = STATES[provider][-1].places
    found = adapt(whole(provider, ["Yes."], {place: "bored"}), provider)
    assert found.finish_reason == "bored"
    assert [notice.code for notice in found.notices if notice.code == "unknown-state"] == ["unknown-state"]


pieces = st.lists(st.text(alphabet="ab é🪑\n\u2028", max_size=6), max_size=5)


@given(provider=st.sampled_from(NAMES), texts=pieces, way=st.sampled_from(WAYS[1:]))
def test_a_stream_gives_what_the_whole_answer_gives(provider: str, texts: list[str], way: str) -> None:
    field = STATES[provider][-1]
    state = {
        field.places[0]: next(
            value for value, meaning in field.states.items() if meaning.outcome == "nothing"
        )
    }
    streamed = adapt(answer(provider, way, texts, state), provider)
    assert streamed == adapt(whole(provider, texts, state), provider)


@pytest.mark.parametrize("way", WAYS[1:])
@pytest.mark.parametrize("provider", [name for name in NAMES if name not in ("azure_on_your_data",)])
def test_a_stream_is_recognised(provider: str, way: str) -> None:
    stream = answer(provider, way, ["Yes."], {})
    if provider == "openai_chat":
        stream = [{**chunk, "object": "chat.completion.chunk"} for chunk in frames(provider, ["Yes."], {})]
    assert recognised(stream) == provider


def test_the_states_of_openai_are_those_of_its_package() -> None:
    statuses = get_args(openai_responses.ResponseStatus)
    (incomplete, status) = STATES["openai_responses"]
    assert set(status.states) == set(statuses)
    details = openai_responses.response.IncompleteDetails.model_fields["reason"].annotation
    assert set(incomplete.states) >= {value for member in get_args(details) for value in get_args(member)}
    reasons = chat_completion.Choice.model_fields["finish_reason"].annotation
    assert set(STATES["openai_chat"][0].states) == set(get_args(reasons))


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_events_are_read_as_the_standard_has_them(line_end: str) -> None:
    lines = [
        ": a comment",
        "id: 1",
        'data: {"choices": [{"delta": {"content": "Yes.",',
        'data: "context": {"citations": []}}}]}',
        "",
        "retry: 3",
        "data:[DONE]",
        "",
        "data: after the end",
    ]
    found = adapt("\ufeff" + line_end.join(lines), "azure_on_your_data")
    assert found.text == "Yes."


@pytest.mark.parametrize("text", ["", "\n\n", "hello", ": only a comment\n\n"])
def test_a_text_without_events_is_no_answer(text: str) -> None:
    with pytest.raises(ContractViolation):
        adapt(text, "anthropic")


def test_citations_of_a_streamed_message_are_those_of_the_whole_one() -> None:
    citation = {"type": "char_location", "cited_text": "t", "document_index": 0, "start_char_index": 0}
    block = {"type": "text", "text": "Yes.", "citations": [{**citation, "end_char_index": 1}]}
    message: dict[str, Any] = {"type": "message", "role": "assistant", "content": [block]}
    message |= {"stop_reason": "end_turn", "usage": {"output_tokens": 3}}
    stream = frames("anthropic", ["Yes."], {"/stop_reason": "end_turn"})
    delta = {"type": "citations_delta", "citation": block["citations"][0]}
    stream.insert(3, {"type": "content_block_delta", "index": 0, "delta": delta})
    assert adapt(stream, "anthropic") == adapt(message, "anthropic")
    cited = {"title": "T", "sourceContent": [{"text": "t"}]}
    content = [{"citationsContent": {"content": [{"text": "Yes."}], "citations": [cited]}}]
    bedrock = {"output": {"message": {"content": content}}, "stopReason": "end_turn"}
    events = frames("bedrock_converse", ["Yes."], {})
    events.insert(2, {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"citation": cited}}})
    assert adapt(events, "bedrock_converse") == adapt(bedrock, "bedrock_converse")
    assert adapt({"stream": events}, "bedrock_converse") == adapt(bedrock, "bedrock_converse")
