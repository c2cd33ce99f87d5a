"""How an answer ended, as each provider says it, and what that means: the one table.

Looked up in the providers' own definitions: the types of the packages openai, anthropic, cohere and google-genai,
and the service models of Bedrock in botocore.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evalcontract.errors import NoAnswer
from evalcontract.responses.adapters.adapted import Collected
from evalcontract.responses.shapes import Node
from evalcontract.validation import Violation
from evalcontract.values import follow, pointer_tokens, short


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a state makes of an answer: nothing to say, a notice with this code, or no answer at all."""

    code: str
    said: str
    outcome: str


WHOLE = Meaning("whole", "the answer is whole", "nothing")
UNSAID = Meaning("unsaid", "nothing happened", "nothing")
CALLS_TOOLS = Meaning("calls-tools", "the model calls tools and waits for their results", "notice")
PAUSED = Meaning("paused", "the provider paused before the answer was whole", "notice")
CUT_OFF = Meaning("cut-off", "the answer was cut off", "notice")
FILTERED = Meaning("filtered", "the answer was filtered", "notice")
REFUSED = Meaning("refused", "the model refused to answer", "notice")
INTERVENED = Meaning("intervened", "a guardrail took the place of the answer", "notice")
FAILED = Meaning("failed", "the answer failed", "error")
CANCELLED = Meaning("cancelled", "the answer was cancelled", "error")
RUNNING = Meaning("running", "the answer is still being made", "error")

MEANINGS = (
    CALLS_TOOLS,
    PAUSED,
    CUT_OFF,
    FILTERED,
    REFUSED,
    INTERVENED,
    FAILED,
    CANCELLED,
    RUNNING,
)
"""Those that are said."""


@dataclass(frozen=True, slots=True)
class StateField:
    """A field of the answer that says how it ended: where it stands, and what each of its values means.

    `places` are JSON pointers, the first that is there counts. `words` are places where the provider says in
    words why.
    """

    places: tuple[str, ...]
    states: Mapping[str, Meaning]
    words: tuple[str, ...] = ()


_CHAT = (
    StateField(
        ("/choices/0/finish_reason",),
        {
            "stop": WHOLE,
            "tool_calls": CALLS_TOOLS,
            "function_call": CALLS_TOOLS,
            "length": CUT_OFF,
            "content_filter": FILTERED,
        },
        ("/choices/0/message/refusal",),
    ),
)

STATES: Mapping[str, tuple[StateField, ...]] = {
    "openai_chat": _CHAT,
    "azure_on_your_data": _CHAT,
    "openai_responses": (
        StateField(
            ("/incomplete_details/reason",),
            {
                "max_output_tokens": CUT_OFF,
                "max_messages": CUT_OFF,
                "steered": CUT_OFF,
                "content_filter": FILTERED,
            },
        ),
        StateField(
            ("/status",),
            {
                "completed": WHOLE,
                "incomplete": CUT_OFF,
                "failed": FAILED,
                "cancelled": CANCELLED,
                "in_progress": RUNNING,
                "queued": RUNNING,
            },
            ("/error/message",),
        ),
    ),
    "anthropic": (
        StateField(
            ("/stop_reason",),
            {
                "end_turn": WHOLE,
                "stop_sequence": WHOLE,
                "tool_use": CALLS_TOOLS,
                "pause_turn": PAUSED,
                "max_tokens": CUT_OFF,
                "model_context_window_exceeded": CUT_OFF,
                "refusal": REFUSED,
            },
            ("/stop_details/explanation",),
        ),
    ),
    "cohere": (
        StateField(
            ("/finish_reason",),
            {
                "COMPLETE": WHOLE,
                "STOP_SEQUENCE": WHOLE,
                "TOOL_CALL": CALLS_TOOLS,
                "MAX_TOKENS": CUT_OFF,
                "ERROR_LIMIT": CUT_OFF,
                "ERROR_TOXIC": FILTERED,
                "ERROR": FAILED,
                "TIMEOUT": FAILED,
                "USER_CANCEL": CANCELLED,
            },
            ("/error",),
        ),
    ),
    "gemini": (
        StateField(
            ("/promptFeedback/blockReason", "/prompt_feedback/block_reason"),
            dict.fromkeys(
                (
                    "BLOCKED_REASON_UNSPECIFIED",
                    "SAFETY",
                    "OTHER",
                    "BLOCKLIST",
                    "PROHIBITED_CONTENT",
                    "IMAGE_SAFETY",
                    "MODEL_ARMOR",
                    "JAILBREAK",
                ),
                FILTERED,
            ),
            ("/promptFeedback/blockReasonMessage", "/prompt_feedback/block_reason_message"),
        ),
        StateField(
            ("/candidates/0/finishReason", "/candidates/0/finish_reason"),
            {
                "STOP": WHOLE,
                "FINISH_REASON_UNSPECIFIED": UNSAID,
                "MAX_TOKENS": CUT_OFF,
                "CONTINUATION": CUT_OFF,
                "TOO_MANY_TOOL_CALLS": CUT_OFF,
                "OTHER": CUT_OFF,
                "IMAGE_OTHER": CUT_OFF,
                **dict.fromkeys(
                    (
                        "SAFETY",
                        "RECITATION",
                        "LANGUAGE",
                        "BLOCKLIST",
                        "PROHIBITED_CONTENT",
                        "SPII",
                        "IMAGE_SAFETY",
                        "IMAGE_PROHIBITED_CONTENT",
                        "IMAGE_RECITATION",
                        "ESCALATION",
                        "MODEL_ARMOR",
                    ),
                    FILTERED,
                ),
                **dict.fromkeys(
                    (
                        "MALFORMED_FUNCTION_CALL",
                        "MALFORMED_RESPONSE",
                        "UNEXPECTED_TOOL_CALL",
                        "MISSING_THOUGHT_SIGNATURE",
                        "NO_IMAGE",
                        "PUP_LIMITED_DISABLED",
                    ),
                    FAILED,
                ),
            },
            ("/candidates/0/finishMessage", "/candidates/0/finish_message"),
        ),
    ),
    "bedrock_rag": (StateField(("/guardrailAction",), {"NONE": UNSAID, "INTERVENED": INTERVENED}),),
    "bedrock_converse": (
        StateField(
            ("/stopReason",),
            {
                "end_turn": WHOLE,
                "stop_sequence": WHOLE,
                "tool_use": CALLS_TOOLS,
                "max_tokens": CUT_OFF,
                "model_context_window_exceeded": CUT_OFF,
                "content_filtered": FILTERED,
                "guardrail_intervened": INTERVENED,
                "malformed_model_output": FAILED,
                "malformed_tool_use": FAILED,
            },
        ),
    ),
}
"""By the name of the provider: the fields that say how an answer ended, the telling one first."""


def meaning_of(reason: str) -> Meaning | None:
    """What a reason means in whichever provider's words it is; None for whole answers and unknown words.

    That tools are called says nothing here: it is said of messages and traces, which show the calls.
    """
    for fields in STATES.values():
        for field in fields:
            for value, meaning in field.states.items():
                if (
                    value.lower() == reason.lower()
                    and meaning.outcome != "nothing"
                    and meaning is not CALLS_TOOLS
                ):
                    return meaning
    return None


def judge(answer: Node, found: Collected) -> None:
    """Note how the answer ended. Raises NoAnswer when there is none, with the provider's own message."""
    refuse_error(answer)
    for field in STATES[found.provider]:
        place = next((node for node in _at(answer, field.places) if node.value is not None), None)
        if place is None:
            continue
        value = place.text()
        meaning = field.states.get(value)
        if meaning is None:
            found.notice(
                "unknown-state", f"{short(value, 60)} is no state that the provider documents", place
            )
        elif meaning.outcome == "error":
            raise no_answer(meaning, place, value, _words(answer, field))
        elif meaning.outcome == "notice":
            why = _words(answer, field)
            found.notice(
                meaning.code, f"{meaning.said} ({value})" + (f": {short(why, 200)}" if why else ""), place
            )
        if found.finish_reason is None and meaning is not UNSAID:
            found.finish_reason = value or None
        if meaning is not None and meaning.outcome == "notice":
            return


def no_answer(meaning: Meaning, place: Node, value: str, words: str | None) -> NoAnswer:
    """The error for a state that means that there is no answer."""
    message = f"{meaning.said} ({value})" + (f": {words}" if words else "")
    hint = "ask again when it is done" if meaning is RUNNING else None
    violation = Violation(meaning.code, message, place.pointer, hint=hint)
    return NoAnswer(f"{place.pointer}: {message}", violations=(violation,), hint=hint)


def refuse_error(answer: Node) -> None:
    """Raise NoAnswer for the object that a provider sends in place of an answer or within a stream."""
    found = _error_in(answer)
    if found is not None:
        place, words = found
        raise no_answer(FAILED, place, "error", words)


def _error_in(answer: Node) -> tuple[Node, str] | None:
    value = answer.value
    if not isinstance(value, dict):
        return None
    error = answer.get("error", "Error")
    if error is not None and value.get("object") != "response" and "finish_reason" not in value:
        return error, _message(error.value)
    if value.get("type") == "error":
        return answer, _message(value)
    for name in value:
        if name.endswith(("Exception", "_exception")):
            place = Node(value[name], (*answer.path, name))
            return place, f"{name}: {_message(place.value)}"
    words = value.get("message", value.get("Message"))
    if isinstance(words, str) and not {"content", "choices", "output", "candidates"} & value.keys():
        return answer, words
    return None


def _message(value: Any) -> str:
    """What an error object says, with its code or type where it has one."""
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return short(value)
    inner = value.get("error")
    if isinstance(inner, dict):
        return _message(inner)
    words = next(
        (value[name] for name in ("message", "Message", "msg") if isinstance(value.get(name), str)), ""
    )
    names = (value.get(name) for name in ("code", "type", "status"))
    code = next((str(name) for name in names if isinstance(name, str | int) and name != "error"), "")
    return f"{words} [{code}]" if words and code else words or code or short(value)


def _words(answer: Node, field: StateField) -> str | None:
    for place in _at(answer, field.words):
        if isinstance(place.value, str) and place.value.strip():
            return place.value
    return None


def _at(answer: Node, places: tuple[str, ...]) -> Iterator[Node]:
    for place in places:
        try:
            path, value = follow(answer.value, pointer_tokens(place))
        except LookupError:
            continue
        yield Node(value, path)
