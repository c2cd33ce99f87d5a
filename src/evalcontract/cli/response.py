"""`evalcontract response`: does a live answer carry its sources as the contract says."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from click.exceptions import Exit

from evalcontract.cli.options import Limit
from evalcontract.cli.output import STDOUT, emit, refuse_misnamed, say
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.roles import READS_FILE, SAYS, WRITES_FILE
from evalcontract.errors import UsageError
from evalcontract.values import Notice, json_text, no_command, numbers_as_written, visible

Source = Annotated[
    str,
    Argument(
        help="A .json file, chunks of a stream as .jsonl, an event stream as .sse, or - for standard input."
    ),
    READS_FILE,
]
Provider = Annotated[
    str | None,
    Option(
        help="Whose answer it is, for example bedrock_rag. Without it, an answer that keeps the contract "
        "rag_response is valid, and one that only one provider can have written is taken for that provider's; "
        "rag_response here insists on the contract."
    ),
    SAYS,
]
Documents = Annotated[
    list[Path] | None,
    Option(
        "--document",
        help="Text of a document of the request, in order; offsets into it are proved. May be repeated.",
    ),
    READS_FILE,
]
Output = Annotated[
    Path | None, Option("--output", "-o", help="Write the answer as a rag_response to a file."), WRITES_FILE
]
Strict = Annotated[bool, Option("--strict", help="Notices fail the run too.")]


_CONTRACT = "rag_response"


def response(
    source: Source,
    provider: Provider = None,
    document: Documents = None,
    output: Output = None,
    limit: Limit = None,
    strict: Strict = False,
) -> None:
    """Check one live RAG answer, of any provider, against the contract rag_response.

    Exit code: 0 valid, 1 violations, 2 wrong usage or unreadable input.
    """
    from evalcontract.cli.source import naming, read_source
    from evalcontract.responses.adapters import adapt

    refuse_misnamed(output, "json")
    with numbers_as_written():
        read = read_source(source)
    name = _provider(source, provider, read)
    if name is None:
        if document or output:
            raise UsageError("--document and --output go with --provider", hint=_whose(read))
        raise Exit(_check(source, read, insist=provider is not None))
    texts = [_text(path) for path in document or ()]
    with naming(source), numbers_as_written():
        adapted = adapt(read, name, documents=texts)
    show_notices(adapted.notices)
    if output is not None:
        emit(json_text(adapted.as_rag_response(), indent=2) + "\n", output)
    counts = f"sources: {len(adapted.sources)}, citations: {len(adapted.citations)}"
    said = f"ok: {visible(source)} is a valid answer of {name} ({counts})"
    if output is not None and str(output) == STDOUT:
        print(said, file=sys.stderr)  # standard output is the answer alone
    else:
        say(said)
    raise Exit(1 if strict and adapted.notices else 0)


def show_notices(notices: Iterable[Notice]) -> None:
    """Print notices to standard error, so that standard output stays the result."""

    for notice in notices:
        print(no_command(f"notice: {visible(str(notice))} [{notice.code}]"), file=sys.stderr)


def _provider(source: str, told: str | None, read: object) -> str | None:
    """The provider whose answer it is; None when it has to keep the contract rag_response itself."""
    from evalcontract.cli.source import naming
    from evalcontract.responses import iter_rag_response_errors
    from evalcontract.responses.adapters import provider_named, recognised, refuse_failure

    if told == _CONTRACT:
        return None
    if told is not None:
        return provider_named(told).name
    if next(iter_rag_response_errors(read), None) is None:
        return None
    found = recognised(read)
    if found is None:
        with naming(source):
            refuse_failure(read)
        return None
    print(
        f"note: read as an answer of {found}; --provider {_CONTRACT} insists on the contract", file=sys.stderr
    )
    return found


def _whose(read: object) -> str:
    from evalcontract.responses.adapters import PROVIDERS, resembled

    likely = resembled(read)
    if likely:
        return f"if this is an answer of {likely}, say --provider {likely}"
    return f"name whose answer it is: --provider {', '.join(row.name for row in PROVIDERS)}"


def _check(source: str, document: object, *, insist: bool) -> int:
    from evalcontract.responses import iter_rag_response_errors

    name = visible(source)
    found = list(iter_rag_response_errors(document))
    for fault in found:
        say(f"{name}: error {visible(str(fault))} [{fault.code}]")
    if not insist and not all(
        "/citations/" in fault.pointer and fault.actual != "nothing" for fault in found
    ):
        say(f"  hint: {_whose(document)}")
    say(f"failed: {name}, errors: {len(found)}" if found else f"ok: {name} is a valid rag_response")
    return 1 if found else 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read as UTF-8 text") from error
