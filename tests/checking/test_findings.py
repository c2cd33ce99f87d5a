"""Findings are bounded, in number and in size."""

from __future__ import annotations

from evalcontract.checking.findings import Findings
from evalcontract.validation import Violation


def test_what_is_kept_of_an_id_and_a_place_is_bounded() -> None:
    findings = Findings(1)
    long = Violation("code", "message", "/" + "k" * 1_000_000, item_id="i" * 1_000_000, file="a.json")
    short = Violation("code", "message", "/a", item_id="i", file="a.json")
    findings.add([long, long])
    (kept,) = findings.kept
    (group,) = findings.counted()
    assert max(map(len, (kept.pointer, kept.item_id or "", group.place))) <= 500
    one = Findings(1)
    one.add([short])
    assert one.kept == [short]
