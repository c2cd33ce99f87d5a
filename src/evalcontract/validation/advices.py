"""Advices: what a schema can't say and a curator wants to know. They fail a run only when it is strict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evalcontract.validation.hints import close_key, did_you_mean
from evalcontract.validation.pointers import pointer
from evalcontract.validation.violation import Violation

_ESCAPED_NULL = b"\\u0000"
_Path = tuple[str | int, ...]


def advices_of(
    item: object, known_keys: Mapping[str, frozenset[str]], raw: bytes | None = None
) -> Iterator[Violation]:
    """Advices about one item. `known_keys` are the defined keys of the item and of its parts, by part name.

    `raw` is the item's JSON text, where there is one; it tells quickly what the item can't contain.
    """
    if not isinstance(item, dict):
        return
    yield from _misspelt_keys(item, known_keys)
    yield from _passages(item.get("input"))
    yield from _markers(item.get("expected_output"))
    if raw is None or _ESCAPED_NULL in raw:
        yield from _null_bytes(item)


def _advice(code: str, message: str, path: _Path, hint: str | None = None) -> Violation:
    return Violation(code, message, pointer(path), hint=hint, severity="advice")


def _misspelt_keys(
    item: Mapping[str, object], known_keys: Mapping[str, frozenset[str]]
) -> Iterator[Violation]:
    for part, known in known_keys.items():
        holder = item.get(part) if part else item
        if not isinstance(holder, dict) or holder.keys() <= known:
            continue
        absent = sorted(known - holder.keys())
        for key in holder.keys() - known:
            meant = close_key(key, absent)
            if meant:
                path: _Path = (part, key) if part else (key,)
                yield _advice("unknown-key", did_you_mean(key, meant), path, f"rename it to {meant}")


def _passages(input_: object) -> Iterator[Violation]:
    if not isinstance(input_, dict):
        return
    context, ids = input_.get("context"), input_.get("document_ids")
    if not isinstance(context, list):
        return
    for index, passage in enumerate(context):
        if isinstance(passage, str) and (not passage or passage.isspace()):
            hint = "leave it out, with its document id"
            yield _advice("empty-passage", "empty passage", ("input", "context", index), hint)
    if isinstance(ids, list) and len(ids) != len(context):
        message = f"document_ids and context differ in length: {len(ids)} and {len(context)}"
        yield _advice(
            "not-parallel", message, ("input", "document_ids"), "give one id for each passage, in order"
        )


def _markers(output: object) -> Iterator[Violation]:
    if not isinstance(output, dict):
        return
    response, citations = output.get("response"), output.get("citations")
    if not isinstance(response, str) or not isinstance(citations, list):
        return
    for index, citation in enumerate(citations):
        marker = citation.get("response_marker") if isinstance(citation, dict) else None
        if isinstance(marker, str) and marker not in response:
            path = ("expected_output", "citations", index, "response_marker")
            yield _advice("unused-marker", f"the response does not contain {marker[:40]}", path)


def _null_bytes(item: Mapping[str, object]) -> Iterator[Violation]:
    waiting: list[tuple[object, _Path]] = [(item, ())]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, str):
            if "\x00" in node:
                yield _advice(
                    "null-byte", "a null byte in the text", path, "many tools cut text there; remove it"
                )
        elif isinstance(node, dict):
            waiting.extend((child, (*path, key)) for key, child in node.items())
        elif isinstance(node, list):
            waiting.extend((child, (*path, index)) for index, child in enumerate(node))
