"""A pytest plugin: a test for each item of a dataset, whose answers are scored after the run.

Nothing but this module is imported until a test is marked with `evaldataset`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from evalcontract.pytest_plugin.session import Answers, Record

_MARK = "evaldataset"
_ANSWERED = "evalcontract_answer"
"""The attribute of a report that carries the record; reports of other processes keep it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("evalcontract")
    group.addoption(
        "--eval-output", metavar="FOLDER", help="Where predictions and scores are written (eval-results)."
    )
    group.addoption(
        "--eval-fail-under",
        action="append",
        default=[],
        metavar="METRIC=VALUE",
        help="Fail when this mean over a dataset is lower.",
    )
    group.addoption(
        "--eval-metrics", metavar="NAMES", help="Metrics such as answer_f1,recall_at_5; by default by type."
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{_MARK}(path, type=None): run the test with the fixture `item` for each item of a dataset",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker(_MARK)
    if marker is None:
        return
    from evalcontract.pytest_plugin.collecting import items_of

    found = items_of(metafunc.config.rootpath, marker, metafunc.fixturenames)
    metafunc.parametrize("item", [pytest.param(item, id=item["item_id"]) for item in found])


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Record:
    """Takes the answer to the item: `record(response=..., retrieved_documents=..., tool_calls=..., ...)`."""
    from evalcontract.pytest_plugin.session import recorder

    return recorder(request.node, request.node.get_closest_marker(_MARK))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    marker = item.get_closest_marker(_MARK)
    if marker is not None and call.when == "call":
        from evalcontract.pytest_plugin.session import answer_of

        setattr(report, _ANSWERED, answer_of(item, marker, call.excinfo, item.config.rootpath))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    answer = getattr(report, _ANSWERED, None)
    if answer is not None:
        from evalcontract.pytest_plugin.session import Answers

        Answers.of_this_process().add(answer)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    answers = _answers(session.config)
    if answers is not None and not answers.score(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    answers = _answers(config)
    for title, text in answers.said if answers is not None else ():
        terminalreporter.section(title)
        terminalreporter.write(text)


def pytest_unconfigure(config: pytest.Config) -> None:
    answers = _answers(config)
    if answers is not None:
        answers.forget()


def _answers(config: pytest.Config) -> Answers | None:
    """The answers of the run, in the process that reports it, when there are any."""
    import sys

    module = sys.modules.get("evalcontract.pytest_plugin.session")
    if module is None or hasattr(config, "workerinput"):
        return None
    answers: Answers = module.Answers.of_this_process()
    return answers if answers.datasets else None
