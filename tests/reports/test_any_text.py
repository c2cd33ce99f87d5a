"""Every format of every result is well-formed, and shows what can't be printed as an escape, whatever the text."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from typing import get_type_hints

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from evalcontract import reports
from evalcontract.reports import PLAIN, Formats
from evalcontract.reports.json_text import json_text
from tests.support.results import TEXT, any_of

ROWS = {name: found for name, found in vars(reports).items() if isinstance(found, Formats)}
MADE = (
    "NORMALIZED",
    "MIGRATED",
    "PUSH",
    "NAME",
    "BREAKING",
    "STATS",
    "CARD",
    "PUBLISH",
)  # hold what isn't made of plain values alone
CASES = [(name, format_) for name in ROWS if name not in MADE for format_ in ROWS[name].names]
HALF = re.compile(r"[\ud800-\udfff]")


def check(format_: str, printed: str) -> None:
    """Whether a report is what its format says."""
    printed.encode()
    if format_ in ("json", "sarif"):
        document = json.loads(printed, parse_constant=pytest.fail)
        assert printed.isascii()
        assert not HALF.search(json.dumps(document, ensure_ascii=False))
        return
    assert all(line.isprintable() for line in printed.split("\n"))
    if format_ == "junit":
        ElementTree.fromstring(printed)  # noqa: S314 our own output
    elif format_ == "csv":
        assert len(set(map(len, csv.reader(io.StringIO(printed, newline=""))))) == 1
    elif format_ == "github":
        commands = [line for line in printed.splitlines() if line.startswith("::")]
        assert all(re.match(r"::(error|warning|notice) [^:]*::", line) for line in commands)


@pytest.mark.parametrize(("name", "format_"), CASES, ids=lambda part: str(part))
@settings(max_examples=8, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_report_holds_any_text(name: str, format_: str, data: st.DataObject) -> None:
    writer = ROWS[name].writer(format_)
    kind = next(iter(get_type_hints(writer).values()))
    check(format_, ROWS[name].write(format_, data.draw(any_of(kind)), PLAIN))


@given(st.recursive(TEXT, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=8))
def test_json_keeps_all_text_that_is_text(document: object) -> None:
    whole = json.loads(HALF.sub("x", json.dumps(document, ensure_ascii=False)))
    made = json.loads(json_text(whole))
    assert made == whole
    assert not HALF.search(json.dumps(json.loads(json_text(document)), ensure_ascii=False))
