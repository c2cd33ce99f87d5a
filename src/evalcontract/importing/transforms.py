"""The transforms that a mapping can name: each reads a source value into a contract value, and writes it back.

The set is fixed. What `write` gives, `read` reads as the same contract value, or the export refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evalcontract.importing import documents, equality, objects
from evalcontract.importing.values import (
    Form,
    Path,
    Refused,
    Several,
    bracketed,
    cell,
    cell_of_texts,
    parted,
    structure,
)
from evalcontract.values import json_text

Options = Mapping[str, object]
Read = Callable[[object, Options, Form], object]
Write = Callable[[object, Options, Form], object]


@dataclass(frozen=True, slots=True)
class ValueTransform:
    """One transform: `read` takes a source value, never null, and raises Refused; `write` is its inverse.

    One that `shares` takes a part of a list; one that fills fields `beside` its target reads them from the same
    value. Both read `Several`, and the latter writes it. `lists`: its value is a list, which a cell may part.
    """

    name: str
    why: str
    read: Read
    write: Write
    options: frozenset[str] = frozenset()
    shares: bool = False
    beside: tuple[str, ...] = ()
    lists: bool = False


def read_text(value: object, _: Options, __: Form) -> object:
    if not isinstance(value, str):
        raise Refused("string", value)
    return value


def write_same(value: object, _: Options, __: Form) -> object:
    return value


def read_id(value: object, _: Options, form: Form) -> object:
    return _id(value, ())


def _id(value: object, below: Path) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise Refused("string or integer", value, below=below)
    return value


def read_single(value: object, options: Options, form: Form) -> object:
    if form.cells and isinstance(value, str) and bracketed(value):
        value = structure(value, form)
    if not isinstance(value, list):
        return read_text(value, options, form)
    if not value:
        return None
    if len(value) > 1:
        raise Refused(
            "one value",
            value,
            hint="keep one of them, or give each an item of its own; nothing is joined or left out silently",
            message=f"{len(value)} references, one allowed",
        )
    if not isinstance(value[0], str):
        raise Refused("string", value[0], below=("0",))
    return value[0]


def write_single(value: object, _: Options, form: Form) -> object:
    if form.cells and isinstance(value, str) and bracketed(value):
        return json_text([value])
    return value


ALTERNATIVES = "alternative_responses"


def read_references(value: object, options: Options, form: Form) -> object:
    if form.cells and isinstance(value, str) and bracketed(value):
        value = structure(value, form)
    if not isinstance(value, list):
        return read_text(value, options, form)
    key = options.get("content_key")
    texts = [_text_of(element, key, (str(index),)) for index, element in enumerate(value)]
    if not texts:
        return None
    rest = value if any(isinstance(element, dict) and len(element) > 1 for element in value) else ()
    others = texts[1:] if key is None else [text for text in dict.fromkeys(texts) if text != texts[0]]
    return Several(texts[0], {ALTERNATIVES: others} if others else {}, tuple(rest))


def _text_of(element: object, key: object, below: Path) -> str:
    """A text of a list, or the text that an object of the list has under a key."""
    if isinstance(element, dict) and isinstance(key, str):
        element, below = element.get(key), (*below, key)
    if not isinstance(element, str):
        raise Refused("string", element, below=below)
    return element


def write_references(value: object, options: Options, form: Form) -> object:
    assert isinstance(value, Several)
    others = value.beside.get(ALTERNATIVES)
    if isinstance(others, list) and others:
        return cell([value.value, *others], form)
    return write_single(value.value, options, form)


def _elements(value: object, form: Form) -> list[object]:
    found = parted(value, form)
    if not isinstance(found, list):
        hint = None if form.cells else "write a JSON array, even for one element"
        raise Refused("array of strings", found, hint=hint)
    return found


def read_list(value: object, _: Options, form: Form) -> object:
    found = _elements(value, form)
    for index, element in enumerate(found):
        if not isinstance(element, str):
            raise Refused("string", element, below=(str(index),))
    return found


def write_list(value: object, _: Options, form: Form) -> object:
    return cell_of_texts(value, form)


def read_ids(value: object, _: Options, form: Form) -> object:
    return [_id(element, (str(index),)) for index, element in enumerate(_elements(value, form))]


def read_wrap(value: object, options: Options, form: Form) -> object:
    return [read_text(value, options, form)]


def write_wrap(value: object, _: Options, __: Form) -> object:
    if not isinstance(value, list) or len(value) != 1:
        raise Refused("exactly one element", value, hint="this format holds one text only")
    return value[0]


def read_json(value: object, _: Options, form: Form) -> object:
    return structure(value, form)


def write_structure(value: object, _: Options, form: Form) -> object:
    return cell(value, form)


def write_json(value: object, _: Options, form: Form) -> object:
    return json_text(value) if form.cells else value


def read_number(value: object, _: Options, form: Form) -> object:
    found = structure(value, form)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise Refused("number", value)
    return found


def read_boolean(value: object, options: Options, form: Form) -> object:
    found = value
    if form.cells and isinstance(value, str):
        found = {"true": True, "false": False}.get(value.strip().lower(), value)
    if not isinstance(found, bool):
        raise Refused("true or false", value)
    return found != bool(options.get("negated"))


def write_boolean(value: object, options: Options, form: Form) -> object:
    if not isinstance(value, bool):
        raise Refused("true or false", value)
    return cell(value != bool(options.get("negated")), form)


TRANSFORMS: tuple[ValueTransform, ...] = (
    ValueTransform("text", "a string, as it is", read_text, write_same),
    ValueTransform("id", "a string, or an integer written as one", read_id, write_same),
    ValueTransform("single", "a string, or a list of exactly one", read_single, write_single),
    ValueTransform(
        "references",
        "a string, or a list of equally good ones: the first, and the others as alternative_responses",
        read_references,
        write_references,
        frozenset({"content_key"}),
        beside=(ALTERNATIVES,),
    ),
    ValueTransform("list", "a list of strings; in CSV, JSON text", read_list, write_list, lists=True),
    ValueTransform("ids", "a list of strings or integers, as strings", read_ids, write_list, lists=True),
    ValueTransform("wrap", "a string, as a list of one", read_wrap, write_wrap),
    ValueTransform("json", "any JSON value, as it is; in CSV, JSON text", read_json, write_json),
    ValueTransform("number", "a number", read_number, write_structure),
    ValueTransform("boolean", "true or false", read_boolean, write_boolean, frozenset({"negated"})),
    ValueTransform(
        "messages",
        "the text of one user message, or a list of messages",
        objects.read_messages,
        objects.write_messages,
        frozenset({"role_key", "roles", "answer", "choices"}),
    ),
    ValueTransform(
        "tool-calls",
        "a list of tool calls; arguments as an object or as JSON text",
        objects.read_tool_calls,
        objects.write_tool_calls,
        frozenset({"name_key", "args_key"}),
    ),
    ValueTransform(
        "documents",
        "a list of retrieved documents, best first",
        documents.read_documents,
        documents.write_documents,
        frozenset({"id_key", "score_key", "content_key"}),
    ),
    ValueTransform(
        "passages",
        "a list of texts, as retrieved documents without ids",
        documents.read_passages,
        documents.write_passages,
        lists=True,
    ),
    ValueTransform(
        "judgements",
        "grades of documents: a list of objects, or an object of grades by document",
        documents.read_judgements,
        documents.write_judgements,
        frozenset({"id_key", "grade_key", "grades"}),
    ),
    ValueTransform(
        "relevant-ids",
        "a document id or a list of them, all judged with one grade",
        documents.read_relevant_ids,
        documents.write_relevant_ids,
        frozenset({"relevance"}),
    ),
    ValueTransform(
        "cited-ids",
        "a document id or a list of them, as citations",
        documents.read_cited_ids,
        documents.write_cited_ids,
    ),
    ValueTransform(
        "equals-assertion",
        "the value of the one assertion of type equals",
        objects.read_equals_assertion,
        objects.write_equals_assertion,
        shares=True,
    ),
    ValueTransform(
        "equals-text",
        "a text that stands alone or after `equals:`; other assertions are kept",
        equality.read_equals_text,
        equality.write_equals_text,
        frozenset({"assertion_types"}),
    ),
)
BY_NAME = {transform.name: transform for transform in TRANSFORMS}
