"""Advices: what a schema can't say and a curator wants to know. They fail a run only when it is strict."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from evalcontract.catalog import Schema
from evalcontract.validation.hints import close_key, did_you_mean
from evalcontract.validation.marker_advices import disagreements, marker_advices, markers_agree
from evalcontract.validation.rules import keeps_rules, rules_of_answer, rules_of_item
from evalcontract.validation.violation import Steps, Violation, advice

Look = Callable[[Mapping[str, Any]], Iterator[Violation]]
"""What one kind of advice has to say about an item."""

_DECLARATION = ("input_schema_type", "input_schema_version")
_HOMES = dict.fromkeys(_DECLARATION, ("metadata", "raw_metadata")) | {"raw_metadata": ("metadata",)}
"""Where in an item the keys belong that say what it follows."""
_UNDECLARED: dict[str, Schema] = {name: {"type": "null"} for name in _DECLARATION}
_LIST = ["array", "null"]
_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": _LIST, "items": _TEXT}
_CITATION: Schema = {"response_marker": {"type": ["string", "null"]}, "quotes": _TEXTS}
_JUDGED: Schema = {"type": "object", "required": ["document_id"], "properties": {"document_id": _TEXT}}
_EXPECTED: dict[str, Schema] = {
    "item_id": _TEXT,
    "input": {
        "type": "object",
        "properties": {"context": _TEXTS, "document_ids": _TEXTS, **_UNDECLARED},
    },
    "metadata": {"properties": _UNDECLARED},
    "expected_output": {
        "type": ["object", "null"],
        "required": ["response"],
        "properties": {
            "response": _TEXT,
            "citations": {"type": _LIST, "items": {"type": "object", "properties": _CITATION}},
            "retrieval_ground_truth": {"type": _LIST, "items": _JUDGED},
            "alternative_responses": _TEXTS,
        },
    },
}


def unremarkable(known_keys: Mapping[str, frozenset[str]]) -> Schema:
    """A schema that leaves only `uneven` and null bytes to look at: nothing else can call for a finding."""
    item: Schema = {"type": "object", "required": ["item_id", "input"], "properties": deepcopy(_EXPECTED)}
    for name, keys in known_keys.items():
        part = item["properties"][name] if name else item
        part["additionalProperties"] = False
        part["properties"] = {key: part["properties"].get(key, True) for key in sorted(keys)}
    return item


def uneven(item: Any) -> tuple[Look, ...]:
    """Who must look closely at an item that passed as unremarkable: most often nobody.

    Each may still find nothing. Null bytes are not looked for.
    """
    input_, output = item["input"], item.get("expected_output")
    looks: tuple[Look, ...] = ()
    if (context := input_.get("context")) is not None:
        ids = input_.get("document_ids")
        if (ids is not None and len(ids) != len(context)) or "" in context or any(map(str.isspace, context)):
            looks += (_passages,)
    keeps = keeps_rules(input_, output)
    if output and (citations := output.get("citations")) is not None:
        markers = [marker for citation in citations if (marker := citation.get("response_marker"))]
        keeps = keeps and len(set(markers)) == len(markers)
        for citation in citations:
            if (quotes := citation.get("quotes")) and any(map(str.isspace, quotes)):
                keeps = False
        if not markers_agree(output["response"], markers):
            looks += (_uneven_markers,)
    return looks if keeps else (*looks, rules_of_item)


def advices_of(
    item: object, known_keys: Mapping[str, frozenset[str]], may_holdnull_bytes: bool = True
) -> Iterator[Violation]:
    """Advices about one item. `known_keys` are the defined keys of the item and of its parts, by part name.

    `may_holdnull_bytes` is false when it is known that no text of the item has one.
    """
    if not isinstance(item, dict):
        return
    for part, known in known_keys.items():
        holder = item.get(part) if part else item
        if isinstance(holder, dict) and not holder.keys() <= known:
            yield from _misspelt_keys(part, holder, known)
    yield from _misplaced_keys(item)
    for look in _LOOKS:
        yield from look(item)
    if may_holdnull_bytes:
        yield from null_bytes(item)


def advices_of_record(record: object, may_holdnull_bytes: bool = True) -> Iterator[Violation]:
    """Advices about one prediction record, `may_holdnull_bytes` as above."""
    if not isinstance(record, dict):
        return
    prediction = record.get("prediction")
    if isinstance(prediction, dict):
        documents = prediction.get("retrieved_documents")
        supplied = len(documents) if isinstance(documents, list) else sys.maxsize
        yield from marker_advices(prediction, ("prediction",), supplied)
        yield from rules_of_answer(prediction, ("prediction",))
    if may_holdnull_bytes:
        yield from null_bytes(record)


def _misspelt_keys(part: str, holder: Mapping[str, object], known: frozenset[str]) -> Iterator[Violation]:
    absent = sorted(known - holder.keys())
    for key in holder:
        meant = close_key(key, absent) if key not in known and key not in _HOMES else None
        if meant:
            path: Steps = (part, key) if part else (key,)
            yield advice("unknown-key", did_you_mean(key, meant), path, f"rename it to {meant}")


def _misplaced_keys(item: Mapping[str, Any]) -> Iterator[Violation]:
    """What the item declares where nobody looks for it."""
    for place in ("", "metadata", "input"):
        holder: Any = item.get(place) if place else item
        for key, home in _HOMES.items() if isinstance(holder, dict) else ():
            if holder.get(key) is None or (key == "raw_metadata" and place):
                continue
            if _at(item, (*home, key)) is None:
                path: Steps = (place, key) if place else (key,)
                where = f"in {place}" if place else "beside item_id"
                hint = f"move it into {'.'.join(home)}"
                yield advice("misplaced-key", f"{key} stands {where}, where nothing reads it", path, hint)


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _passages(item: Mapping[str, Any]) -> Iterator[Violation]:
    input_ = item.get("input")
    if not isinstance(input_, dict) or not isinstance(context := input_.get("context"), list):
        return
    ids = input_.get("document_ids")
    for index, passage in enumerate(context):
        if isinstance(passage, str) and (not passage or passage.isspace()):
            hint = "leave it out, with its document id"
            yield advice("empty-passage", "empty passage", ("input", "context", index), hint)
    if isinstance(ids, list) and len(ids) != len(context):
        message = f"document_ids and context differ in length: {len(ids)} and {len(context)}"
        yield advice(
            "not-parallel", message, ("input", "document_ids"), "give one id for each passage, in order"
        )


def _markers(item: Mapping[str, Any]) -> Iterator[Violation]:
    output = item.get("expected_output")
    if isinstance(output, dict):
        yield from marker_advices(output, ("expected_output",), _supplied(item.get("input")))


def _uneven_markers(item: Mapping[str, Any]) -> Iterator[Violation]:
    """The same for an item of which it is known that there may be something to say."""
    return disagreements(item["expected_output"], ("expected_output",), _supplied(item["input"]))


_LOOKS: tuple[Look, ...] = (_passages, _markers, rules_of_item)
"""In the order of what they find."""


def _supplied(input_: object) -> int:
    """How many documents the input supplies, as far as it says."""
    parts = map(input_.get, ("context", "document_ids")) if isinstance(input_, dict) else ()
    return max((len(part) for part in parts if isinstance(part, list)), default=0)


def null_bytes(item: Mapping[str, object]) -> Iterator[Violation]:
    """Advices about the texts of an item in which a null byte stands."""
    levels: list[tuple[Steps, Iterator[tuple[str | int, object]]]] = [((), _from_the_end(item))]
    while levels:
        path, children = levels[-1]
        for step, node in children:
            if isinstance(node, str) and "\x00" in node:
                hint = "many tools cut text there; remove it"
                yield advice("null-byte", "a null byte in the text", (*path, step), hint)
            elif isinstance(node, Mapping | list):
                levels.append(((*path, step), _from_the_end(node)))
                break
        else:
            levels.pop()


def _from_the_end(node: Mapping[str, object] | list[object]) -> Iterator[tuple[str | int, object]]:
    if isinstance(node, list):
        return zip(range(len(node) - 1, -1, -1), reversed(node), strict=True)
    return iter(reversed([*node.items()]))
