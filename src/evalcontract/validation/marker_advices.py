"""Advices about citation markers: what a response uses against what its citations declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evalcontract.validation.violation import Steps, Violation, advice
from evalcontract.values import cut, listed

if TYPE_CHECKING:
    from evalcontract.texts import MarkerReport

_NAMED = 5
_LONGEST = 40
_FEW = 50
_MOST = 200

_OTHER_BRACKETS = "【】［］"
_OPENING = "[【［"
_MARKERS = re.compile(rf"[\[【［](?:[^\[\]【】［］]{{0,{_LONGEST - 2}}}[\]】］])?")


def markers_agree(response: str, declared: Iterable[str | None]) -> bool:
    """Whether the response uses every declared marker and no other bracket opens in it.

    Where that is so, there is nothing to say about its markers; where it isn't, there may still be nothing.
    It is so only with markers that are one pair of brackets each: two of these can't begin at one bracket.
    """
    wanted = set(declared)
    wanted.discard(None)
    wanted.discard("")
    if len(wanted) > _FEW:
        return False
    if not response.isascii() and any(map(response.__contains__, _OTHER_BRACKETS)):
        found = set(_MARKERS.findall(response))
        return found == wanted and found.isdisjoint(_OPENING)
    found = set()
    at = response.find("[")
    while at >= 0:
        end = response.find("]", at, at + _LONGEST) + 1
        marker = response[at:end]
        if marker not in wanted:
            return False
        found.add(marker)
        at = response.find("[", at + 1)
        if 0 <= at < end:
            return False
    return len(found) == len(wanted)


def marker_advices(output: Mapping[str, object], path: Steps, supplied: int) -> Iterator[Violation]:
    """Advices about the markers of `output`, which holds a response and its citations.

    Without a list of citations nothing is declared, so nothing is missing. Where no citation has a marker, [n]
    means the n-th of the `supplied` documents.
    """
    response, citations = output.get("response"), output.get("citations")
    if not isinstance(response, str) or not isinstance(citations, list):
        return
    if not markers_agree(response, map(_marker_of, citations)):
        yield from disagreements(output, path, supplied)


def disagreements(output: Mapping[str, Any], path: Steps, supplied: int) -> Iterator[Violation]:
    """The same for a response and citations of which it isn't known that they agree."""
    response: str = output["response"]
    declared = [_marker_of(citation) for citation in output["citations"]]
    if len(set(declared)) > _MOST:  # searching takes time by the number of markers; data may be hostile
        message = f"more than {_MOST} different markers, which were not looked for"
        yield advice("many-markers", message, (*path, "citations"))
        return
    from evalcontract.texts import find_markers  # loaded for the few that need a closer look

    report = find_markers(response, filter(None, declared))
    unused = set(report.unused)
    for index, marker in enumerate(declared):
        if marker in unused:
            place = (*path, "citations", index, "response_marker")
            yield advice(
                "unused-marker", f"the response does not contain {cut(str(marker), _LONGEST)}", place
            )
    if undeclared := _undeclared(report, 0 if any(declared) else supplied):
        message = f"no citation declares {_listed(undeclared)}, which the response contains"
        hint = "give the citation that is meant this response_marker"
        yield advice("undeclared-marker", message, (*path, "response"), hint)
    if report.marker_like:
        message = f"no citation declares {_listed(report.marker_like)}, which may be a marker"
        hint = "if it is one, give the citation that is meant this response_marker"
        yield advice("marker-like", message, (*path, "response"), hint)


def _marker_of(citation: object) -> str | None:
    marker = citation.get("response_marker") if isinstance(citation, dict) else None
    return marker if isinstance(marker, str) else None


def _undeclared(report: MarkerReport, supplied: int) -> list[str]:
    """The unresolved keys as they stand in the response, but for [1] to [supplied]."""
    from evalcontract.texts import number_of

    unresolved = {key for key in report.unresolved if not 1 <= number_of(key) <= supplied}
    if not unresolved:
        return []
    found: dict[str, str] = {}
    for marker in report.markers:
        for key in marker.keys:
            if key in unresolved:
                found.setdefault(key, marker.text if len(marker.keys) == 1 else f"{key} of {marker.text}")
    return list(found.values())


def _listed(texts: Iterable[str]) -> str:
    return listed((cut(text, _LONGEST) for text in texts), _NAMED)
