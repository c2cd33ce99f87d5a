"""`evalcontract response`: does a live answer carry its sources as the contract says."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalcontract.cli.output import emit
from evalcontract.errors import UsageError
from evalcontract.files import refuse_input

if TYPE_CHECKING:
    from evalcontract.notices import Notice

Source = Annotated[
    str,
    typer.Argument(
        help="A .json file, chunks of a stream as .jsonl, an event stream as .sse, or - for standard input.",
        show_default=False,
    ),
]
Provider = Annotated[
    str | None,
    typer.Option(
        help="Whose answer it is, for example bedrock_rag; without it, it has to keep the contract rag_response.",
        show_default=False,
    ),
]
Documents = Annotated[
    list[Path] | None,
    typer.Option(
        "--document",
        help="Text of a document of the request, in order; offsets into it are proved. May be repeated.",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write the answer as a rag_response to a file.", show_default=False),
]
Strict = Annotated[bool, typer.Option("--strict", help="Notices fail the run too.")]


def response(
    source: Source,
    provider: Provider = None,
    document: Documents = None,
    output: Output = None,
    strict: Strict = False,
) -> None:
    """Check one live RAG answer, of any provider, against the contract rag_response.

    Exit code: 0 valid, 1 violations, 2 wrong usage or unreadable input.
    """
    from evalcontract.cli.source import naming, read_source

    refuse_input([output], [source, *(document or ())])
    if provider is None:
        if document or output:
            raise UsageError("--document and --output go with --provider", hint="name whose answer it is")
        raise typer.Exit(_check(source, read_source(source)))
    from evalcontract.reports.wording import visible
    from evalcontract.responses.adapters import adapt, provider_named

    name = provider_named(provider).name
    texts = [_text(path) for path in document or ()]
    with naming(source):
        adapted = adapt(read_source(source), name, documents=texts)
    show_notices(adapted.notices)
    if output is not None:
        emit(json.dumps(adapted.as_rag_response(), indent=2, ensure_ascii=False) + "\n", output)
    counts = f"sources: {len(adapted.sources)}, citations: {len(adapted.citations)}"
    emit(f"ok: {visible(source)} is a valid answer of {name} ({counts})\n", None)
    raise typer.Exit(1 if strict and adapted.notices else 0)


def show_notices(notices: Iterable[Notice]) -> None:
    """Print notices to standard error, so that standard output stays the result."""
    from evalcontract.reports.wording import visible

    for each in notices:
        print(f"notice: {visible(str(each))} [{each.code}]", file=sys.stderr)


def _check(source: str, document: object) -> int:
    from evalcontract.reports.wording import visible
    from evalcontract.responses import iter_rag_response_errors

    name = visible(source)
    found = list(iter_rag_response_errors(document))
    for each in found:
        emit(f"{name}: error {visible(str(each))} [{each.code}]\n", None)
    emit(
        f"failed: {name}, errors: {len(found)}\n" if found else f"ok: {name} is a valid rag_response\n",
        None,
    )
    return 1 if found else 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read as UTF-8 text") from error
