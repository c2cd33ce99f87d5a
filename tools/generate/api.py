"""The reference of the Python interface as Markdown: every public name, with its signature and its docstring."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from types import ModuleType
from typing import Any

import evalcontract

API_PAGE = "docs/api.md"
_LONGEST = 40
_HEAD = """<!-- Generated from the docstrings by python -m tools.generate. Do not edit. -->

# Python interface

What stands here is public: names of `evalcontract`, and of the submodules that it names. It changes with a note in the
changelog only; everything else may change in any release. All errors that are raised on purpose are `ContractError`s.
The classes of `evalcontract.models` are described in [contracts.md](contracts.md), the formulas of
`evalcontract.metrics` in [metrics.md](metrics.md)."""


def api_page() -> str:
    """The page that describes every public name."""
    names = {name: getattr(evalcontract, name) for name in evalcontract.__all__}
    modules = {name: found for name, found in names.items() if isinstance(found, ModuleType)}
    rest = {name: found for name, found in names.items() if name not in modules}
    parts = [_HEAD, "## evalcontract", *_described(rest)]
    for name, module in modules.items():
        parts += [f"## evalcontract.{name}", _text(module.__doc__)]
        parts += _described({each: getattr(module, each) for each in module.__all__})
    return "\n\n".join(parts) + "\n"


def _described(names: dict[str, Any]) -> Iterator[str]:
    for name, found in names.items():
        if _is_model(found):
            continue
        doc = "" if _is_constant(found) else _text(inspect.getdoc(found))
        yield f"### `{name}{_signature(found)}`" + (f"\n\n{doc}" if doc else "")


def _is_model(found: Any) -> bool:
    return isinstance(found, type) and found.__module__.startswith("evalcontract_models")


def _is_constant(found: Any) -> bool:
    return not (inspect.isroutine(found) or isinstance(found, type))


class _Written(str):
    """Text that stands in a signature as it is."""

    def __repr__(self) -> str:
        return str(self)


def _signature(found: Any) -> str:
    told_by_doc = isinstance(found, type) and (issubclass(found, BaseException | Enum) or _is_protocol(found))
    if _is_constant(found) or told_by_doc:
        return ""
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return ""
    parameters = [_written(parameter) for parameter in signature.parameters.values()]
    given = signature.return_annotation
    returned = given if given in (signature.empty, None, "None") else _Written(given)
    end = signature.empty if returned in (None, "None") else returned
    return str(signature.replace(parameters=parameters, return_annotation=end))


def _is_protocol(found: type) -> bool:
    return bool(getattr(found, "_is_protocol", False)) or "TypedDict" in type(found).__name__


def _written(parameter: inspect.Parameter) -> inspect.Parameter:
    """The parameter with its type as it is written, and `...` for a default that is more than a plain value."""
    default = parameter.default
    if default is not parameter.empty:
        if isinstance(default, Enum):
            default = default.value
        text = repr(default)
        default = _Written(text if len(text) <= _LONGEST and "<" not in text else "...")
    annotation = parameter.annotation
    if isinstance(annotation, str):
        annotation = _Written(annotation)
    return parameter.replace(default=default, annotation=annotation)


def _text(doc: str | None) -> str:
    """A docstring as Markdown: one line for each paragraph, and no links."""
    paragraphs = inspect.cleandoc(doc or "").split("\n\n")
    text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    return text.replace("](", "]\\(")
