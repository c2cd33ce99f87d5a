"""Questions that bring more than their text: the turn that answers them, and the choices to choose from."""

from __future__ import annotations

from evalcontract.importing.choices import CHOICES_OPTION, lines_of, with_choices
from evalcontract.importing.conversations import ANSWER_OPTION, answer_of, start_of_answer
from evalcontract.importing.converted import ConvertedRow, fill
from evalcontract.importing.mapping import MappedField
from evalcontract.importing.targets import PREDICTION, TargetField
from evalcontract.importing.values import (
    MISSING,
    Form,
    Path,
    Refused,
    look_up,
    source_name,
    source_path,
    structure,
)
from evalcontract.values import actual


def answered(
    found: ConvertedRow,
    entry: MappedField,
    path: Path,
    raw: object,
    messages: list[dict[str, object]],
    rests: list[tuple[Path, object]],
    *,
    records: bool,
) -> list[dict[str, object]]:
    """The messages without the turn that answers them, which fills the part of the contract that the field names."""
    start = start_of_answer(messages)
    if start == len(messages) or not isinstance(raw, list):
        return messages
    part = str(entry.options[ANSWER_OPTION])
    whole = False
    if part != PREDICTION or records:
        answer = answer_of(raw[start:], part)
        whole = answer.whole
        for name, value in answer.fields.items():
            fill(found, TargetField("record" if part == PREDICTION else "item", (part, name)), value, path)
        for name, value in answer.inputs.items():
            fill(found, TargetField("item", ("input", name)), value, path)
        found.findings += [
            found.row.violation("odd-value", said, path, severity="advice") for said in answer.notices
        ]
    if not whole:
        rests.append((path, raw[start:]))
    return messages[:start]


def shown_choices(
    found: ConvertedRow, entry: MappedField, messages: list[dict[str, object]], form: Form
) -> list[dict[str, object]]:
    """The messages with the choices of the row in the last question; an advice where they can't be shown."""
    for path in choices_sources(entry):
        try:
            value = structure(look_up(found.row.value, path), form)
        except Refused:
            value = look_up(found.row.value, path)
        if value is MISSING or value is None or value == "" or value == []:
            continue
        lines = lines_of(value)
        if lines is not None:
            return with_choices(messages, lines)
        found.findings.append(
            found.row.violation(
                "choices-not-shown",
                f"{source_name(path)} are kept in the metadata, and not shown in the question",
                path,
                expected="a list of at most 26 texts",
                actual=actual(value),
                severity="advice",
            )
        )
    return messages


def choices_sources(entry: MappedField) -> list[Path]:
    """The keys that may hold the choices of a question."""
    names = entry.options.get(CHOICES_OPTION, ())
    return list(map(source_path, [names] if isinstance(names, str) else names))  # type: ignore[call-overload]
