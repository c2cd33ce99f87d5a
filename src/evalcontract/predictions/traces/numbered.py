"""Messages spread over numbered attributes: gen_ai.completion.0.tool_calls.0.name and the like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_KEY = re.compile(r"([0-9]{1,4})\.(role|content|tool_call_id|tool_calls\.([0-9]{1,4})\.(id|name|arguments))")


def numbered_messages(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """The messages under `prefix`, in the shape of a chat API."""
    messages: dict[int, dict[str, Any]] = {}
    calls: dict[int, dict[int, dict[str, Any]]] = {}
    for key, value in attributes.items():
        match = _KEY.fullmatch(key.removeprefix(f"{prefix}.")) if key.startswith(f"{prefix}.") else None
        if match is None:
            continue
        message = messages.setdefault(int(match[1]), {"role": "assistant"})
        if match[3] is None:
            message[match[2]] = value
        else:
            calls.setdefault(int(match[1]), {}).setdefault(int(match[3]), {})[match[4]] = value
    for index, found in calls.items():
        messages[index]["tool_calls"] = [found[each] for each in sorted(found)]
    return [messages[index] for index in sorted(messages)]
