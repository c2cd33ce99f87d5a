"""`evalcontract prediction`: one prediction record from what a run left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from click.exceptions import Exit

from evalcontract.cli.options import Limit
from evalcontract.cli.output import emit, refuse_misnamed
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.response import show_notices
from evalcontract.cli.roles import READS_FILE, SAYS, WRITES_FILE
from evalcontract.errors import UsageError
from evalcontract.values import json_text, numbers_as_written

_OPTIONS: dict[str, tuple[str, ...]] = {
    "messages": ("handoff_prefix", "allow_missing"),
    "response": ("provider", "allow_missing"),
    "trace": ("answer", "retrieval", "expected", "handoff_prefix", "allow_missing"),
    "transcript": ("conversation_id", "allow_missing"),
}
"""The kinds of sources, and the options that go with each."""

Source = Annotated[str, Argument(help="A .json, .jsonl or .sse file, or - for standard input."), READS_FILE]
Kind = Annotated[str, Option("--from", help=f"What it is: {', '.join(_OPTIONS)}."), SAYS]
ItemId = Annotated[str, Option(help="The item that it answers."), SAYS]
Provider = Annotated[str | None, Option(help="response: whose answer it is."), SAYS]
ConversationId = Annotated[str | None, Option(help="transcript: which of several conversations."), SAYS]
Answer = Annotated[str | None, Option(help="trace: the observation whose output is the answer."), SAYS]
Retrieval = Annotated[
    list[str] | None, Option(help="trace: an observation that retrieves documents. May be repeated."), SAYS
]
Expected = Annotated[
    list[str] | None, Option(help="trace: an observation that has to be there. May be repeated."), SAYS
]
HandoffPrefix = Annotated[
    str | None, Option(help="messages, trace: tools with this prefix hand over, as in transfer_to_."), SAYS
]
AllowMissing = Annotated[
    list[str] | None,
    Option(
        help="Take the record without a part that is missing, with a notice: answer; of a trace also root, parent, "
        "end, observation, result, documents. May be repeated."
    ),
    SAYS,
]
Strict = Annotated[bool, Option("--strict", help="Notices fail the run too; the record is written.")]
NoSource = Annotated[bool, Option("--no-source", help="Do not keep the source in the record.")]
Output = Annotated[Path | None, Option("--output", "-o", help="Write the record to a file."), WRITES_FILE]


def prediction(
    source: Source,
    kind: Kind,
    item_id: ItemId,
    provider: Provider = None,
    conversation_id: ConversationId = None,
    answer: Answer = None,
    retrieval: Retrieval = None,
    expected: Expected = None,
    handoff_prefix: HandoffPrefix = None,
    allow_missing: AllowMissing = None,
    strict: Strict = False,
    no_source: NoSource = False,
    output: Output = None,
    limit: Limit = None,
) -> None:
    """Make one prediction record, as a line of JSON, from messages, a trace, a transcript or a response.

    Exit code: 0 made, 1 the source is partial, has no answer or is not as documented, 2 wrong usage or unreadable
    input.
    """
    refuse_misnamed(output, "json", "lines")
    given = {
        "provider": provider,
        "conversation_id": conversation_id,
        "answer": answer,
        "retrieval": retrieval,
        "expected": expected,
        "handoff_prefix": handoff_prefix,
        "allow_missing": allow_missing,
    }
    options = _fitting(kind, {name: value for name, value in given.items() if value})
    from evalcontract import predictions
    from evalcontract.cli.source import naming, read_source

    builders: dict[str, Any] = {
        "messages": predictions.from_messages,
        "response": predictions.from_response,
        "trace": predictions.from_trace,
        "transcript": predictions.from_transcript,
    }
    with naming(source), numbers_as_written():
        document = read_source(source)
        if kind == "messages" and isinstance(document, dict) and "messages" in document:
            document = document["messages"]
        built = builders[kind](item_id, document, keep_source=not no_source, **options)
    show_notices(built.notices)
    emit(json_text(built.record) + "\n", output)
    raise Exit(1 if strict and built.notices else 0)


def _fitting(kind: str, options: dict[str, Any]) -> dict[str, Any]:
    if kind not in _OPTIONS:
        raise UsageError(f"there is no source {kind[:40]!r}", hint=f"known: {', '.join(_OPTIONS)}")
    for name in options:
        if name not in _OPTIONS[kind]:
            fits = [source for source, known in _OPTIONS.items() if name in known]
            option = "--" + name.replace("_", "-")
            raise UsageError(
                f"{option} does not go with --from {kind}", hint=f"it goes with {', '.join(fits)}"
            )
    if kind == "response" and "provider" not in options:
        raise UsageError("--from response needs --provider", hint="name whose answer it is")
    return options
