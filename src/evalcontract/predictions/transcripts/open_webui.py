"""Open WebUI: an exported chat. The branch that was last shown counts, from `currentId` up to the root."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from evalcontract.errors import IncompleteTrace
from evalcontract.predictions.chat import said
from evalcontract.predictions.json_text import json_or_text
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.transcripts.turn import Turn
from evalcontract.responses import Identities, JsonNode, misshapen
from evalcontract.values import Notice

_ATTRIBUTE = re.compile(r'([a-z_]{1,20})="([^"]*)"')
_MARKER = re.compile(r"\[([1-9][0-9]{0,2})(?:#[^\]\n]{0,80})?\]")
_HIDDEN = ("tool_calls", "reasoning", "code_interpreter")


def is_open_webui(value: Any) -> bool:
    """Whether a value looks like an export of Open WebUI."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(chat, dict) and is_open_webui(chat) for chat in value)
    chat = value.get("chat", value) if isinstance(value, dict) else None
    return isinstance(chat, dict) and isinstance(chat.get("history"), dict)


def read_open_webui(document: JsonNode, conversation_id: str | None, notices: list[Notice]) -> Turn:
    """The last turn of a chat. Raises IncompleteTrace when the assistant has not answered."""
    chat = _chat(document, conversation_id)
    branch = _branch((chat.get("chat") or chat).need("history"))
    last = branch[-1] if branch else None
    if last is None or last.need("role").text() != "assistant":
        raise IncompleteTrace("the chat has no answer to its last message", missing=("the answer",))
    if last.object().get("done") is False:
        raise IncompleteTrace(
            "the answer is still being written",
            missing=("the end of the answer",),
            hint="export the chat again",
        )
    answered = [last]
    for message in reversed(branch[:-1]):
        if message.need("role").text() == "user":
            break
        answered.insert(0, message)
    uses: list[ToolUse] = []
    text = ""
    for message in answered:
        text, found = _visible(message, notices)
        uses += found
    if not text.strip():
        raise IncompleteTrace("the answer is empty", missing=("the answer",))
    identities = Identities()
    documents, groups = _sources(last, identities)
    notices += identities.notices()
    citations = _citations(text, groups, notices) if documents is not None else None
    # Calls that the model did not make natively leave no block, so no block says nothing.
    return Turn(text, uses or None, documents, citations)


def _chat(document: JsonNode, conversation_id: str | None) -> JsonNode:
    chats = document.items() if isinstance(document.value, list) else [document]
    if conversation_id is not None:
        chats = [chat for chat in chats if chat.text_at("id") == conversation_id]
    if len(chats) != 1:
        raise misshapen((), f"{len(chats)} chats", "name one with conversation_id")
    return chats[0]


def _branch(history: JsonNode) -> list[JsonNode]:
    messages = history.need("messages")
    current = history.text_at("currentId")
    branch: list[JsonNode] = []
    seen: set[str] = set()
    while current is not None:
        if current in seen:
            raise messages.unlike("a tree", f"the message {current[:60]} is its own ancestor")
        seen.add(current)
        message = messages.get(current)
        if message is None:
            raise IncompleteTrace(
                f"the chat lacks the message {current[:60]}", missing=(f"the message {current[:60]}",)
            )
        branch.append(message)
        current = message.text_at("parentId")
    return branch[::-1]


def _visible(message: JsonNode, notices: list[Notice]) -> tuple[str, list[ToolUse]]:
    """The text that a reader sees, and the tool calls that are written into it as folded blocks."""
    read = said(message, notices)
    content = read.text if read is not None else ""
    uses: list[ToolUse] = []
    kept: list[str] = []
    shown = 0
    for start, end, attributes in _folded(content):
        kind = attributes.get("type")
        if kind not in _HIDDEN:
            continue
        kept.append(content[shown:start])
        shown = end
        if kind == "tool_calls" and "name" in attributes:
            written = JsonNode(_unquoted(attributes.get("arguments")), (*message.path, "content"))
            use = ToolUse(attributes["name"], attributes.get("id"), written)
            if attributes.get("done") == "true":
                use = use.with_output(_unquoted(attributes.get("result")))
            uses.append(use)
    return ("".join([*kept, content[shown:]]).strip() if kept else content), uses


def _folded(content: str) -> Iterator[tuple[int, int, dict[str, str]]]:
    """Where each folded block begins and ends, and its attributes."""
    at = 0
    while (start := content.find("<details", at)) >= 0:
        head = content.find(">", start)
        end = content.find("</details>", head)
        if head < 0 or end < 0:
            return
        at = end + len("</details>")
        yield (
            start,
            at,
            {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(content[start:head])},
        )


def _unquoted(value: str | None) -> Any:
    """Arguments and results are JSON; arguments that are JSON text already are written as a JSON string."""
    if value is None or not value.startswith('"'):
        return json_or_text(value)
    # A JSON string as the only element of an array is read by the same strict parser.
    read = json_or_text(f"[{value}]")
    return read[0] if isinstance(read, list) and len(read) == 1 else value


def _sources(
    message: JsonNode, identities: Identities
) -> tuple[list[dict[str, Any]] | None, dict[str, dict[str, Any]]]:
    """Retrieved documents, and the groups that markers count: one for each id, in order of first use."""
    sources = message.get("sources", "citations")
    if sources is None:
        return None, {}
    documents: list[dict[str, Any]] = []
    groups: dict[str, dict[str, Any]] = {}
    for entry in sources.items():
        if not entry.object():
            continue
        source = entry.get("source") or JsonNode({}, entry.path)
        metadata = entry.items("metadata")
        distances = entry.items("distances")
        for index, passage in enumerate(entry.items("document")):
            about = metadata[index] if index < len(metadata) else JsonNode({}, passage.path)
            document = _document(passage, source, about, identities)
            if index < len(distances):
                document["metadata"] = {**(document["metadata"] or {}), "distance": distances[index].value}
            documents.append(document)
            groups.setdefault(about.text_at("source") or source.text_at("id") or "N/A", document)
    return documents, groups


def _document(passage: JsonNode, source: JsonNode, about: JsonNode, identities: Identities) -> dict[str, Any]:
    text = passage.text() or None
    document_id = identities.of(
        passage,
        own=about.text_at("file_id") or source.text_at("id"),
        filepath=about.text_at("source"),
        url=about.text_at("url") or source.text_at("url"),
        title=about.text_at("name") or source.text_at("name"),
        content=text,
    )
    document: dict[str, Any] = {
        "document_id": document_id,
        "content": text,
        "score": None,
        "source_id": None,
        "title": about.text_at("name") or source.text_at("name"),
        "url": about.text_at("url") or source.text_at("url"),
        "metadata": None,
    }
    page = about.object().get("page")
    if isinstance(page, int) and not isinstance(page, bool) and page >= 0:
        # The loaders of Open WebUI count pages from 0; its own pages show the number plus 1.
        document["metadata"] = {"page_number": page + 1}
    return document


def _citations(text: str, groups: dict[str, dict[str, Any]], notices: list[Notice]) -> list[dict[str, Any]]:
    numbered = list(groups.values())
    found: dict[str, dict[str, Any]] = {}
    unresolved: dict[str, None] = {}
    for match in _MARKER.finditer(text):
        position = int(match[1]) - 1
        if position < len(numbered):
            document = numbered[position]
            found[match[0]] = {
                "document_id": document["document_id"],
                "response_marker": match[0],
                "page_number": (document["metadata"] or {}).get("page_number"),
                "quotes": None,
            }
        else:
            unresolved[match[0]] = None
    if unresolved:
        names = ", ".join(list(unresolved)[:5])
        notices.append(
            Notice("unresolved-marker", f"the answer has {names}; number of its sources: {len(numbered)}")
        )
    return list(found.values())
