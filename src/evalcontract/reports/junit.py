"""JUnit XML: a suite for each file, a failed case for each error."""

from __future__ import annotations

from evalcontract.checking import FileResult, RunResult
from evalcontract.reports.wording import place, rest, sentence
from evalcontract.validation import Violation
from evalcontract.values import visible


def junit(result: RunResult) -> str:
    """Suites with `tests` = checked items; advices are left out unless the run is strict."""
    suites = [_suite(file, result) for file in result.files]
    suites += [_unreadable(file, reason) for file, reason in result.unreadable]
    body = "\n".join(suites)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="evalcontract">\n{body}\n</testsuites>\n'
    )


def _suite(file: FileResult, result: RunResult) -> str:
    severities = ("error", "advice") if result.strict else ("error",)
    failures = [
        _failure(violation)
        for violation in result.violations
        if violation.file == file.file and violation.severity in severities
    ]
    failures += [
        _case(file.file, group.code, group.code, rest(group))
        for group in result.groups
        if group.file == file.file and group.severity in severities
    ]
    passed = max(file.items - file.invalid, 0)
    cases = (
        [f"  <testcase classname={_attribute(file.file)} name={_attribute(f'{passed} items')}/>"]
        if passed
        else []
    )
    lines = [*cases, *failures]
    head = f"<testsuite name={_attribute(file.file)} tests={_attribute(str(len(lines)))} "
    return "\n".join([f'{head}failures={_attribute(str(len(failures)))} errors="0">', *lines, "</testsuite>"])


def _failure(violation: Violation) -> str:
    name = f"{violation.item_id or 'file'} {violation.pointer}".strip()
    return _case(violation.file or "-", name, violation.code, f"{place(violation)}: {sentence(violation)}")


def _case(file: str, name: str, code: str, message: str) -> str:
    failure = f"<failure type={_attribute(code)} message={_attribute(message)}>{_text(message)}</failure>"
    return f"  <testcase classname={_attribute(file)} name={_attribute(name)}>{failure}</testcase>"


def _unreadable(file: str, reason: str) -> str:
    return (
        f'<testsuite name={_attribute(file)} tests="1" failures="0" errors="1">\n'
        f'  <testcase classname={_attribute(file)} name="readable"><error message={_attribute(reason)}/></testcase>\n'
        "</testsuite>"
    )


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr  # late: it loads an HTTP client

    return quoteattr(visible(text))


def _text(text: str) -> str:
    from xml.sax.saxutils import escape

    return escape(visible(text))
