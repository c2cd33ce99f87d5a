"""Text for people, in the manner of a good compiler: place first, then what is wrong and the way out."""

from __future__ import annotations

from collections.abc import Iterator

from evalcontract.checking import ITEM, FileResult, RunResult
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.tables import aligned
from evalcontract.reports.wording import left_out, outcome, place, rest
from evalcontract.validation import Violation
from evalcontract.values import counted, visible

_RED, _YELLOW, _GREEN, _BOLD, _DIM = "31", "33", "32", "1", "2"
_MAX_CONTRACTS = 3
_OF_ITEMS = ("items", "dataset")
_PLAIN = f"{ITEM}@"


def text(result: RunResult, look: Look = PLAIN) -> str:
    """All findings, a table with a row a file, and the outcome. Colours only when asked for."""
    return "\n".join(_lines(result, look.colour)) + "\n"


def _lines(result: RunResult, colour: bool) -> Iterator[str]:
    for violation in result.violations:
        yield from finding(violation, colour=colour)
    for group in result.groups:
        yield rest(group)
    for file, reason in result.unreadable:
        yield f"{paint('error', _RED, colour)}: {visible(reason if file in reason else f'{file}: {reason}')}"
    if result.violations or result.groups or result.unreadable:
        yield ""
    if result.files:
        yield from _table(result.files)
        yield from _unseen(result.files)
    if result.layers:
        yield layers_line(result.layers)
    if result.skipped:
        yield f"note: {left_out(result)}"
    yield paint(outcome(result), _GREEN if result.exit_code == 0 else _RED, colour)


def finding(violation: Violation, colour: bool = False) -> Iterator[str]:
    """One finding: its place, what is wrong, and the way out on a line of its own."""
    severity = paint(violation.severity, _RED if violation.severity == "error" else _YELLOW, colour)
    item = f" [{visible(violation.item_id)}]" if violation.item_id else ""
    pointer = f" {visible(violation.pointer)}" if violation.pointer else ""
    where = paint(place(violation), _BOLD, colour)
    yield f"{where}: {severity}{item}{pointer}: {visible(violation.message)} [{violation.code}]"
    if violation.hint:
        yield f"  {paint('hint:', _DIM, colour)} {visible(violation.hint)}"


def _table(files: tuple[FileResult, ...]) -> Iterator[str]:
    rows = [("file", "items", "invalid", "errors", "advices", "checked against")]
    rows += [
        (
            visible(file.file),
            f"{file.items:,}",
            f"{file.invalid:,}",
            f"{file.errors:,}",
            f"{file.advices:,}",
            _contracts(file),
        )
        for file in files
    ]
    yield from aligned(rows, right=(1, 2, 3, 4))


def _contracts(file: FileResult) -> str:
    named = [f"{visible(name)} ({counted(count, 'item')})" for name, count in file.contracts[:_MAX_CONTRACTS]]
    more = len(file.contracts) - len(named)
    return ", ".join(named) + (f" and {more} more" if more > 0 else "") or "nothing"


def _unseen(files: tuple[FileResult, ...]) -> Iterator[str]:
    contracts = (contract for file in files if file.kind in _OF_ITEMS for contract in file.contracts)
    plain = sum(count for name, count in contracts if name.startswith(_PLAIN))
    if plain:
        yield (
            f"note: no schema type applies to {counted(plain, 'item')}, so that input and expected_output may hold "
            "anything: declare input_schema_type in an item's metadata.raw_metadata or in the dataset's metadata, "
            "or give --type"
        )


def layers_line(layers: tuple[str, ...]) -> str:
    """Which layers of contracts judged, the lowest first."""
    return f"layers: {visible(', '.join(layers))}"


def paint(words: str, code: str, colour: bool) -> str:
    """Words in a colour of the terminal, or as they are."""
    return f"\x1b[{code}m{words}\x1b[0m" if colour else words
