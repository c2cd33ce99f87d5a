"""Transforms of lists of objects: messages, tool calls and assertions.

Each reads the names that another tool gives to the keys of these objects, and writes them back. Keys that
the contract doesn't know stay in the objects, which are open.
"""

from __future__ import annotations

from collections.abc import Mapping

from evalcontract.importing.values import Form, Path, Refused, Several, cell, structure
from evalcontract.reading import Refusal, parse

Options = Mapping[str, object]


def text_option(options: Options, name: str, default: str) -> str:
    """An option of a mapping that is text."""
    return str(options.get(name, default))


def objects_in(value: object, expected: str) -> list[dict[str, object]]:
    """The value, when it is a list of objects; Refused otherwise."""
    if not isinstance(value, list):
        raise Refused(expected, value)
    for index, element in enumerate(value):
        if not isinstance(element, dict):
            raise Refused("object", element, below=(str(index),))
    return value


def renamed(raw: dict[str, object], names: Mapping[str, str], below: Path) -> dict[str, object]:
    """The object with its keys renamed; refused when the new name is taken already."""
    found: dict[str, object] = {}
    for key, value in raw.items():
        name = names.get(key, key)
        if name in found or (name != key and name in raw):
            raise Refused(
                f"one of {key} and {name}",
                raw,
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
    role_key = text_option(options, "role_key", "role")
    roles = _roles(options)
    messages = []
    for index, raw in enumerate(objects_in(structure(value, form), "string or array of messages")):
        message = renamed(raw, {role_key: "role"}, (str(index),))
        role = message.get("role")
        if isinstance(role, str):
            message["role"] = roles.get(role, role)
        messages.append(message)
    return messages


def write_messages(value: object, options: Options, form: Form) -> object:
    messages = objects_in(value, "array of messages")
    if len(messages) == 1 and messages[0].keys() == {"role", "content"} and messages[0]["role"] == "user":
        content = messages[0]["content"]
        if isinstance(content, str) and not (form.cells and _holds_messages(content)):
            return content
    return cell(written_messages(messages, options), form)


def written_messages(messages: list[dict[str, object]], options: Options) -> list[dict[str, object]]:
    """Messages with the other tool's names of keys and roles."""
    names = {"role": text_option(options, "role_key", "role")}
    roles = {ours: theirs for theirs, ours in reversed(_roles(options).items())}
    found = []
    for index, raw in enumerate(messages):
        message = renamed(raw, names, (str(index),))
        role = message.get(names["role"])
        message[names["role"]] = roles.get(str(role), role)
        found.append(message)
    return found


def _roles(options: Options) -> dict[str, str]:
    roles = options.get("roles")
    return {str(key): str(role) for key, role in roles.items()} if isinstance(roles, dict) else {}


def _holds_messages(text: str) -> bool:
    stripped = text.strip()
    return stripped.startswith("[") and stripped[1:].lstrip().startswith("{") and stripped.endswith("]")


# tool calls


def read_tool_calls(value: object, options: Options, form: Form) -> object:
    names = {
        text_option(options, "name_key", "name"): "name",
        **dict.fromkeys(_args_keys(options), "args"),
    }
    calls = []
    for index, raw in enumerate(objects_in(structure(value, form), "array of tool calls")):
        call = renamed(raw, names, (str(index),))
        key = next((key for key in _args_keys(options) if key in raw), "args")
        call["args"] = _arguments(call.get("args"), (str(index), key), form)
        calls.append(call)
    return calls


def write_tool_calls(value: object, options: Options, form: Form) -> object:
    names = {"name": text_option(options, "name_key", "name"), "args": _args_keys(options)[0]}
    calls = objects_in(value, "array of tool calls")
    return cell([renamed(call, names, (str(index),)) for index, call in enumerate(calls)], form)


def _args_keys(options: Options) -> list[str]:
    keys = options.get("args_key", "args")
    return [str(key) for key in keys] if isinstance(keys, list) else [str(keys)]


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


# assertions


def read_equals_assertion(value: object, _: Options, form: Form) -> object:
    assertions = objects_in(structure(value, form), "array of assertions")
    found = [
        assertion
        for assertion in assertions
        if assertion.keys() == {"type", "value"} and assertion["type"] == "equals"
    ]
    if len(found) > 1:
        raise Refused(
            "one assertion of type equals",
            found,
            message=f"{len(found)} references, one allowed",
            hint="keep one of them, or give each an item of its own",
        )
    if found and not isinstance(found[0]["value"], str):
        raise Refused("string", found[0]["value"], below=(str(assertions.index(found[0])), "value"))
    rest = [assertion for assertion in assertions if not any(assertion is one for one in found)]
    return Several(found[0]["value"] if found else None, rest=tuple(rest))


def write_equals_assertion(value: object, _: Options, form: Form) -> object:
    return cell([{"type": "equals", "value": value}], form)
