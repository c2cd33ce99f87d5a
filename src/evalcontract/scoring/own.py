"""Metrics of one's own: functions of an item and a prediction, named as `package.module:function`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from copy import deepcopy
from functools import cache
from importlib import import_module
from typing import Any

from evalcontract.errors import MetricValueError, UsageError
from evalcontract.metrics import METRICS, Case, Metric, MetricScore, undefined
from evalcontract.values import cut

_PATH = re.compile(r"([A-Za-z_][\w.]{0,200}):([A-Za-z_]\w{0,100})")
_TYPES = ("qa", "rag", "agent", "rag_agent")
_LONGEST = 200

Function = Callable[[Any, Any], Any]


@cache
def own_metric(path: str) -> Metric:
    """The metric that a function is, by the function's name.

    The function takes the item and the prediction, both in the contract's shapes and its own to keep, and gives a
    number from 0 to 1, a MetricScore, or None where it has nothing to say. Raises UsageError for a path that leads to
    no function, and for the name of a metric that there is.
    """
    found = _PATH.fullmatch(path)
    if found is None:
        raise UsageError(
            f"{path!r} is no function", hint="write for example --metric my_package.metrics:politeness"
        )
    name = found[2]
    if any(metric.name == name for metric in METRICS):
        raise UsageError(f"there is a metric {name} already", hint="give your function another name")
    function = _function(found[1], name)

    def measure(case: Case) -> MetricScore:
        return _score(path, function, case)

    return Metric(name, "own", path, "the function gives None", path, _TYPES, (), (), measure)


def _function(module: str, name: str) -> Function:
    try:
        with redirect_stdout(sys.stderr):  # what another's module prints is no part of the report
            function = getattr(import_module(module), name, None)
    except (Exception, SystemExit) as error:  # whatever another's module raises while it is imported
        raise UsageError(f"{module} can't be imported: {_said(error)}") from error
    if not callable(function):
        raise UsageError(f"{module} has no function {name}")
    return function  # type: ignore[no-any-return]


def _score(path: str, function: Function, case: Case) -> MetricScore:
    item_id = case.item.get("item_id")
    try:
        with redirect_stdout(sys.stderr):
            value = function(deepcopy(case.item), deepcopy(case.prediction))
    except (Exception, SystemExit) as error:  # whatever another's function raises
        raise UsageError(f"{path} failed on item {item_id!r}: {_said(error)}") from error
    details = {"evaluator": path}
    if value is None:
        return undefined(f"{path.rpartition(':')[2]} gives none", **details)
    if isinstance(value, MetricScore):
        return MetricScore(value.value, value.reason, details)
    if not isinstance(value, int | float):
        raise UsageError(
            f"{path} gave {type(value).__name__} for item {item_id!r}",
            hint="give a number, a MetricScore or None",
        )
    try:
        return MetricScore(float(value), None, details)
    except (MetricValueError, OverflowError):
        raise UsageError(
            f"{path} gave {cut(str(value), 40)} for item {item_id!r}", hint="a score lies from 0 to 1"
        ) from None


def _said(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return cut(f"{type(error).__name__}: {text}" if text else type(error).__name__, _LONGEST)
