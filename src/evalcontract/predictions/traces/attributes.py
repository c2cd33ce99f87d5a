"""Attributes of spans: values under dotted and numbered keys, which are the only way that spans have to nest them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MAX_TOKENS = 12
_MAX_INDEX = 9999


def unflattened(attributes: Mapping[str, Any], prefix: str) -> Any:
    """What stands under `prefix`: `a.0.b` and `a.1.b` are the list `[{"b"}, {"b"}]` under `a`; None for nothing.

    Numbers that leave gaps close up. A key that is both a value and the beginning of others is its value.
    """
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if key.startswith(f"{prefix}."):
            tokens = key[len(prefix) + 1 :].split(".")
            if len(tokens) <= _MAX_TOKENS:
                _put(tree, tokens, value)
    return _listed(tree) if tree else None


def _put(tree: dict[str, Any], tokens: list[str], value: Any) -> None:
    for token in tokens[:-1]:
        inner = tree.setdefault(token, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    if not isinstance(tree.get(tokens[-1]), dict):
        tree[tokens[-1]] = value


def _listed(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    if tree and all(token.isascii() and token.isdecimal() and int(token) <= _MAX_INDEX for token in tree):
        return [_listed(tree[token]) for token in sorted(tree, key=int)]
    return {token: _listed(inner) for token, inner in tree.items()}


def flattened(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes that an exporter nested (`{"llm": {"model_name"}}`), under their dotted keys."""
    found: dict[str, Any] = {}
    for key, value in attributes.items():
        if "." not in key and isinstance(value, dict):
            found |= _flat(key, value, 0)
        else:
            found[key] = value
    return found


def _flat(prefix: str, value: Any, depth: int) -> dict[str, Any]:
    pairs: Any = value.items() if isinstance(value, dict) else enumerate(value) if _nested(value) else None
    if pairs is None or depth >= _MAX_TOKENS:
        return {prefix: value}
    found: dict[str, Any] = {}
    for key, inner in pairs:
        found |= _flat(f"{prefix}.{key}", inner, depth + 1)
    return found


def _nested(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(element, dict) for element in value)
