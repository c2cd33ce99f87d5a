"""How an answer ended, as each provider says it, and what that means: the one table.

Looked up in the providers' own definitions: the types of the packages openai, anthropic, cohere and google-genai,
and the service models of Bedrock in botocore.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
