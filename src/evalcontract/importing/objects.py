"""Transforms of lists of objects: messages, tool calls, documents, judgements, citations, assertions.

Each reads the names that another tool gives to the keys of these objects, and writes them back. Keys that
the contract doesn't know stay in the objects, which are open.
"""

from __future__ import annotations

from collections.abc import Mapping

from evalcontract.importing.values import Form, Path, Refused, cell, structure
from evalcontract.reading.scanner import Refusal
from evalcontract.reading.strict import parse

Options = Mapping[str, object]
_GRADES = (0, 1, 2)
_RELEVANCE = 2


def _text_option(options: Options, name: str, default: str) -> str:
    return str(options.get(name, default))


def _objects(value: object, expected: str) -> list[dict[str, object]]:
    if not isinstance(value, list):
        raise Refused(expected, value)
    for index, each in enumerate(value):
        if not isinstance(each, dict):
            raise Refused("object", each, below=(str(index),))
    return value


def _renamed(each: dict[str, object], names: Mapping[str, str], below: Path) -> dict[str, object]:
    """The object with its keys renamed; refused when the new name is taken already."""
    found: dict[str, object] = {}
    for key, value in each.items():
        name = names.get(key, key)
        if name in found or (name != key and name in each):
            raise Refused(
                f"one of {key} and {name}",
                each,
                below=below,
                message=f"both {key} and {name} are there",
                hint="keep the one that is meant",
            )
        found[name] = value
    return found


# messages


def read_messages(value: object, options: Options, form: Form) -> object:
    if isinstance(value, str) and not (form.cells and _holds_messages(value)):
        return [{"role": "user", "content": value}]
    role_key = _text_option(options, "role_key", "role")
    roles = _roles(options)
    messages = []
    for index, each in enumerate(_objects(structure(value, form), "string or array of messages")):
        message = _renamed(each, {role_key: "role"}, (str(index),))
        role = message.get("role")
        if isinstance(role, str):
            message["role"] = roles.get(role, role)
        messages.append(message)
    return messages


def write_messages(value: object, options: Options, form: Form) -> object:
    messages = _objects(value, "array of messages")
    if len(messages) == 1 and messages[0].keys() == {"role", "content"} and messages[0]["role"] == "user":
        content = messages[0]["content"]
        if isinstance(content, str) and not (form.cells and _holds_messages(content)):
            return content
    names = {"role": _text_option(options, "role_key", "role")}
    roles = {ours: theirs for theirs, ours in reversed(_roles(options).items())}
    found = []
    for index, each in enumerate(messages):
        message = _renamed(each, names, (str(index),))
        role = message.get(names["role"])
        message[names["role"]] = roles.get(str(role), role)
        found.append(message)
    return cell(found, form)


def _roles(options: Options) -> dict[str, str]:
    roles = options.get("roles")
    return {str(key): str(role) for key, role in roles.items()} if isinstance(roles, dict) else {}


def _holds_messages(text: str) -> bool:
    stripped = text.strip()
    return stripped.startswith("[") and stripped[1:].lstrip().startswith("{") and stripped.endswith("]")


# tool calls


def read_tool_calls(value: object, options: Options, form: Form) -> object:
    names = {
        _text_option(options, "name_key", "name"): "name",
        **dict.fromkeys(_args_keys(options), "args"),
    }
    calls = []
    for index, each in enumerate(_objects(structure(value, form), "array of tool calls")):
        call = _renamed(each, names, (str(index),))
        key = next((key for key in _args_keys(options) if key in each), "args")
        call["args"] = _arguments(call.get("args"), (str(index), key), form)
        calls.append(call)
    return calls


def write_tool_calls(value: object, options: Options, form: Form) -> object:
    names = {"name": _text_option(options, "name_key", "name"), "args": _args_keys(options)[0]}
    calls = _objects(value, "array of tool calls")
    return cell([_renamed(each, names, (str(index),)) for index, each in enumerate(calls)], form)


def _args_keys(options: Options) -> list[str]:
    keys = options.get("args_key", "args")
    return [str(each) for each in keys] if isinstance(keys, list) else [str(keys)]


def _arguments(value: object, below: Path, form: Form) -> object:
    """Arguments as an object. Text is parsed once; what is inside stays as it is."""
    if value is None:
        return {}
    if isinstance(value, str):
        if not value.strip():
            form.notice("the arguments are empty text, read as no arguments", below)
            return {}
        try:
            value = parse(value.encode("utf-8"))[0]
        except Refusal as refusal:
            raise Refused(
                "object, or JSON text of one", value, below=below, hint=f"{refusal.message}; write JSON"
            ) from None
    if not isinstance(value, dict):
        raise Refused("object", value, below=below, hint="arguments are given by name")
    return value


# documents that were retrieved, or judged


def read_documents(value: object, options: Options, form: Form) -> object:
    names = {
        _text_option(options, ours.removeprefix("document_") + "_key", ours): ours
        for ours in ("document_id", "score", "content")
    }
    documents = []
    for index, each in enumerate(_objects(structure(value, form), "array of documents")):
        document = _renamed(each, names, (str(index),))
        document["document_id"] = _document_id(document.get("document_id"), (str(index),))
        documents.append(document)
    return documents


def write_documents(value: object, options: Options, form: Form) -> object:
    names = {
        ours: _text_option(options, ours.removeprefix("document_") + "_key", ours)
        for ours in ("document_id", "score", "content")
    }
    documents = _objects(value, "array of documents")
    return cell([_renamed(each, names, (str(index),)) for index, each in enumerate(documents)], form)


def _document_id(value: object, below: Path) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise Refused("document id, a string or integer", value, below=below)
    return value


def read_judgements(value: object, options: Options, form: Form) -> object:
    value = structure(value, form)
    if isinstance(value, dict) and "id_key" not in options:
        return [
            {"document_id": key, "relevance": _grade(grade, options, (key,))} for key, grade in value.items()
        ]
    id_key = _text_option(options, "id_key", "document_id")
    grade_key = _text_option(options, "grade_key", "relevance")
    judgements = []
    for index, each in enumerate(_objects(value, "array of judgements")):
        judgement = _renamed(each, {id_key: "document_id", grade_key: "relevance"}, (str(index),))
        judgement["document_id"] = _document_id(judgement.get("document_id"), (str(index), id_key))
        judgement["relevance"] = _grade(judgement.get("relevance"), options, (str(index), grade_key))
        judgements.append(judgement)
    return judgements


def write_judgements(value: object, options: Options, form: Form) -> object:
    grades = _grades(options)
    theirs = {ours: grade for grade, ours in reversed(grades.items())}
    theirs |= {grade: grade for grade in _GRADES if grades.get(grade, grade) == grade}
    judgements = [
        {**each, "relevance": theirs.get(_as_int(each["relevance"]), each["relevance"])}
        for each in _objects(value, "array of judgements")
    ]
    if "id_key" not in options:
        return cell(_by_document(judgements), form)
    names = {
        "document_id": _text_option(options, "id_key", "document_id"),
        "relevance": _text_option(options, "grade_key", "relevance"),
    }
    return cell([_renamed(each, names, (str(index),)) for index, each in enumerate(judgements)], form)


def _by_document(judgements: list[dict[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for index, each in enumerate(judgements):
        extra = [key for key, value in each.items() if key not in ("document_id", "relevance") and value]
        if extra:
            raise Refused("a document id and a grade alone", each, below=(str(index),))
        document_id = str(each["document_id"])
        if document_id in found:
            raise Refused("each document once", document_id, below=(str(index),))
        found[document_id] = each["relevance"]
    return found


def _grade(value: object, options: Options, below: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused("grade, an integer", value, below=below)
    grade = _grades(options).get(value, value)
    if grade not in _GRADES:
        raise Refused(
            "grade 0, 1 or 2",
            value,
            below=below,
            hint="say in the mapping what other grades mean, for example grades: {3: 2}",
        )
    return grade


def _grades(options: Options) -> dict[int, int]:
    grades = options.get("grades")
    return (
        {_as_int(theirs): _as_int(ours) for theirs, ours in grades.items()}
        if isinstance(grades, dict)
        else {}
    )


def _as_int(value: object) -> int:
    return int(value) if isinstance(value, int | str) else -1


def _ids(value: object, form: Form) -> list[object]:
    if form.cells and isinstance(value, str):
        if form.delimiter is not None:
            return list(value.split(form.delimiter))
        if not value.strip().startswith("["):
            return [value]
        value = structure(value, form)
    return value if isinstance(value, list) else [value]


def _written_ids(ids: list[str], form: Form) -> object:
    if form.cells and form.delimiter is not None:
        return form.delimiter.join(ids)
    if len(ids) == 1 and not (form.cells and ids[0].strip().startswith("[")):
        return ids[0]
    return cell(ids, form)


def read_relevant_ids(value: object, options: Options, form: Form) -> object:
    grade = options.get("relevance", _RELEVANCE)
    return [
        {"document_id": _document_id(each, (str(index),)), "relevance": grade}
        for index, each in enumerate(_ids(value, form))
    ]


def write_relevant_ids(value: object, options: Options, form: Form) -> object:
    grade = options.get("relevance", _RELEVANCE)
    judgements = _objects(value, "array of judgements")
    for index, each in enumerate(judgements):
        if each.get("relevance") != grade:
            hint = "this format has no grades"
            raise Refused(f"grade {grade}", each.get("relevance"), below=(str(index), "relevance"), hint=hint)
    return _written_ids([str(each["document_id"]) for each in judgements], form)


def read_cited_ids(value: object, _: Options, form: Form) -> object:
    return [
        {"document_id": _document_id(each, (str(index),))} for index, each in enumerate(_ids(value, form))
    ]


def write_cited_ids(value: object, _: Options, form: Form) -> object:
    return _written_ids([str(each["document_id"]) for each in _objects(value, "array of citations")], form)


# assertions


def read_equals_assertion(value: object, _: Options, form: Form) -> object:
    assertions = _objects(structure(value, form), "array of assertions")
    found = [each for each in assertions if each.keys() == {"type", "value"} and each["type"] == "equals"]
    if len(found) > 1:
        raise Refused(
            "one assertion of type equals",
            found,
            message=f"{len(found)} references, one allowed",
            hint="keep one of them, or give each an item of its own",
        )
    if found and not isinstance(found[0]["value"], str):
        raise Refused("string", found[0]["value"], below=(str(assertions.index(found[0])), "value"))
    rest = [each for each in assertions if not any(each is one for one in found)]
    return (found[0]["value"] if found else None), rest


def write_equals_assertion(value: object, _: Options, form: Form) -> object:
    return cell([{"type": "equals", "value": value}], form)
