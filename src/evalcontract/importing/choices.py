"""Multiple choice: the choices of a question as lines of its text, for a contract without a field for them."""

from __future__ import annotations

from string import ascii_uppercase

CHOICES_OPTION = "choices"
"""Option of a field of messages: the keys that may hold the choices."""


def lines_of(choices: object) -> str | None:
    """The choices as lines, lettered from A; None for what is no list of texts or numbers, or too long for letters.

    Choices that bring labels of their own (`{"label": [...], "text": [...]}`) keep them.
    """
    labels: object = list(ascii_uppercase)
    if isinstance(choices, dict) and choices.keys() == {"label", "text"}:
        labels, choices = choices["label"], choices["text"]
    if not isinstance(choices, list) or not isinstance(labels, list) or not 0 < len(choices) <= len(labels):
        return None
    if not all(isinstance(value, str | int | float) for value in (*choices, *labels)):
        return None
    return "\n".join(f"{label}) {choice}" for label, choice in zip(labels, choices, strict=False))


def with_choices(messages: list[dict[str, object]], lines: str) -> list[dict[str, object]]:
    """The messages with the choices at the end of the last question, unless it ends with them."""
    at = _last_question(messages)
    if at is None or str(messages[at]["content"]).endswith("\n\n" + lines):
        return messages
    asked = {**messages[at], "content": f"{messages[at]['content']}\n\n{lines}"}
    return [*messages[:at], asked, *messages[at + 1 :]]


def without_choices(messages: list[dict[str, object]], lines: str) -> list[dict[str, object]]:
    """The opposite."""
    at = _last_question(messages)
    if at is None:
        return messages
    asked = {**messages[at], "content": str(messages[at]["content"]).removesuffix("\n\n" + lines)}
    return [*messages[:at], asked, *messages[at + 1 :]]


def _last_question(messages: list[dict[str, object]]) -> int | None:
    questions = [
        at
        for at, message in enumerate(messages)
        if message.get("role") == "user" and isinstance(message.get("content"), str)
    ]
    return questions[-1] if questions else None
