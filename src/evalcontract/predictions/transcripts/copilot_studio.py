"""Copilot Studio: the activities of a conversation transcript. What follows the user's last message counts."""

from __future__ import annotations

from typing import Any

from evalcontract.errors import IncompleteTrace
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.transcripts.turn import Turn
from evalcontract.responses import Identities, JsonNode, inside, misshapen
from evalcontract.responses.adapters import described
from evalcontract.values import Notice

_USER = (1, "user")
_HANDED_OVER = ("handoff.initiate", "EscalationRequested")


def is_copilot_studio(value: Any) -> bool:
    """Whether a value looks like a conversation transcript of Copilot Studio."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(row, dict) and is_copilot_studio(row) for row in value)
    return isinstance(value, dict) and ("activities" in value or "conversationtranscriptid" in value)


def read_copilot_studio(document: JsonNode, conversation_id: str | None, notices: list[Notice]) -> Turn:
    """The last turn of a transcript. Raises IncompleteTrace when the agent has not answered."""
    row = _row(document, conversation_id)
    content = row.get("content")
    activities = (inside(content) if content is not None else row).need("activities").items()
    asked = max((index for index, activity in enumerate(activities) if _is_user(activity)), default=-1)
    turn = activities[asked + 1 :]
    answers = [
        text for activity in turn if _type(activity) == "message" and (text := activity.text_at("text"))
    ]
    uses, documents, citations = _steps(turn), _documents(turn, notices), _citations(turn)
    if len(answers) > 1:
        notices.append(
            Notice("several-messages", f"the response is {len(answers)} messages, joined by blank lines")
        )
    response = "\n\n".join(answers) or _withheld(turn, notices)
    if not response:
        raise IncompleteTrace(
            "the transcript has no answer to the last message of the user",
            missing=("the answer",),
            hint="transcripts are written some minutes after the conversation",
        )
    handed_off = any(_type(step) in _HANDED_OVER or step.text_at("name") in _HANDED_OVER for step in turn)
    if handed_off:
        message = "the conversation was handed over; the transcript does not name to whom"
        notices.append(Notice("handed-over", message))
    latency = _latency(activities[asked] if asked >= 0 else None, turn)
    # Agents without generative orchestration record no steps, so no step says nothing.
    return Turn(response, uses or None, documents, citations, latency, handed_off or None)


def _row(document: JsonNode, conversation_id: str | None) -> JsonNode:
    rows = document.items() if isinstance(document.value, list) else [document]
    if conversation_id is not None:
        rows = [row for row in rows if row.text_at("conversationtranscriptid") == conversation_id]
    if len(rows) != 1:
        raise misshapen((), f"{len(rows)} transcripts", "name one with conversation_id")
    return rows[0]


def _is_user(activity: JsonNode) -> bool:
    sender = activity.get("from")
    return _type(activity) == "message" and sender is not None and sender.object().get("role") in _USER


def _type(activity: JsonNode) -> str:
    """The kind of an activity: traces and events name theirs in valueType or in name."""
    kind = activity.text_at("type") or ""
    return kind if kind == "message" else activity.text_at("valueType", "name") or kind


def _values(turn: list[JsonNode], kind: str) -> list[JsonNode]:
    return [
        value for activity in turn if _type(activity) == kind and (value := activity.get("value")) is not None
    ]


def _steps(turn: list[JsonNode]) -> list[ToolUse]:
    """Steps of the plan are tool calls; their arguments and results come in later activities."""
    uses: dict[str, ToolUse] = {}
    for value in _values(turn, "DynamicPlanStepTriggered"):
        step = value.need("stepId").text()
        uses[step] = ToolUse(value.need("taskDialogId").text(), step, JsonNode({}, value.path))
    for value in _values(turn, "DynamicPlanStepBindUpdate"):
        use = uses.get(value.need("stepId").text())
        written = value.get("arguments")
        if use is not None and written is not None and use.call_id is not None:
            uses[use.call_id] = ToolUse(use.name, use.call_id, written)
    for value in _values(turn, "DynamicPlanStepFinished"):
        use = uses.get(value.need("stepId").text())
        if use is not None and use.call_id is not None:
            uses[use.call_id] = use.with_output(value.object().get("observation"))
    unfinished = tuple(f"the end of the step {use.name[:80]}" for use in uses.values() if not use.answered)
    if unfinished:
        raise IncompleteTrace(f"the transcript lacks {', '.join(unfinished[:5])}", missing=unfinished)
    return list(uses.values())


def _documents(turn: list[JsonNode], notices: list[Notice]) -> list[dict[str, Any]] | None:
    generated = _values(turn, "ResponseGeneratorSupportData")
    if not generated:
        return None
    identities = Identities()
    documents = []
    for citation in [cited for value in generated for cited in value.items("citations")]:
        text = citation.text_at("Text", "text")
        document_id = identities.of(
            citation,
            url=citation.text_at("Url", "url"),
            title=citation.text_at("Title", "title", "Name", "name"),
            own=None,
            content=text,
        )
        documents.append(
            {
                "document_id": document_id,
                "content": text,
                "score": None,
                "source_id": None,
                **described(_lower(citation.without("Text", "text"))),
            }
        )
    notices += identities.notices()
    return documents


def _lower(kept: dict[str, Any]) -> dict[str, Any]:
    """Titles and addresses under the names of the contract: some versions write them with a capital."""
    return {name.lower() if name in ("Title", "Url") else name: value for name, value in kept.items()}


def _citations(turn: list[JsonNode]) -> list[dict[str, Any]] | None:
    searched = _values(turn, "KnowledgeTraceData")
    if not searched:
        return None
    cited = dict.fromkeys(
        source.text() for value in searched for source in value.items("citedKnowledgeSources")
    )
    return [
        {"document_id": source, "response_marker": None, "page_number": None, "quotes": None}
        for source in cited
    ]


def _withheld(turn: list[JsonNode], notices: list[Notice]) -> str | None:
    """Answers from some knowledge sources are blanked in the transcript, but not in its support data."""
    generated = [
        text for value in _values(turn, "ResponseGeneratorSupportData") if (text := value.text_at("response"))
    ]
    if not generated:
        return None
    message = "the message is blank; the response is what the generator recorded"
    notices.append(Notice("withheld-answer", message))
    return generated[-1]


def _latency(question: JsonNode | None, turn: list[JsonNode]) -> float | None:
    """From the user's message to the first answer, where times are in milliseconds."""
    answer = next((activity for activity in turn if _type(activity) == "message"), None)
    asked = question.get("timestampMs") if question is not None else None
    answered = answer.get("timestampMs") if answer is not None else None
    return answered.number() - asked.number() if asked is not None and answered is not None else None
