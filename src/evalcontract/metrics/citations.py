"""Citations: do they resolve, are they the expected ones, and do the cited documents support the sentences?

A citation is `{"document_id": ..., "response_marker": ...}`; other keys are ignored. `documents` maps the ids
of the supplied documents to their text (None where the text is unknown), in the order in which they were
supplied: without declared markers, [1] in the answer means the first of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics._result import TEXTS_UNKNOWN, MetricScore, overlap_scores, rests_on, undefined
from evalcontract.metrics._sentences import blank_markers, sentence_spans
from evalcontract.metrics.contexts import ContextIndex, require_text
from evalcontract.metrics.grounding import groundedness
from evalcontract.texts import Marker, MarkerReport, find_markers, number_of, without_markers

Citation = Mapping[str, Any]

NO_EXPECTED = "no expected citations are annotated"
NO_CITATIONS = "there is no citation"


def citation_validity(
    citations: Sequence[Citation],
    documents: Collection[str],
    response: str | None = None,
    numbered: Sequence[str] | None = None,
) -> MetricScore:
    """Citations whose id or marker resolves to a supplied document / citations; None if there are none.

    Counted are the declared citations and each marker of the response that they don't declare. An unknown id,
    a marker that nothing declares and a number out of range are invalid. `numbered` are the ids that [1], [2], ...
    stand for where these aren't `documents` in their order. `details` lists what is invalid, and the unused markers.
    """
    supplied = list(documents if numbered is None else numbered)
    known = frozenset(documents)
    ids = _document_ids(citations)
    report = find_markers(require_text(response or "", "response"), declared_markers(citations))
    unknown = [id_ for id_ in ids if id_ not in known]
    out_of_reach = [key for key in report.unresolved if _by_position(key, citations, supplied) is None]
    total = len(ids) + len(report.unresolved)
    details = {
        "unknown_documents": sorted(set(unknown)),
        "unresolved_markers": out_of_reach,
        "unused_markers": list(report.unused),
        "marker_like": list(report.marker_like),
    }
    if not total:
        return undefined(NO_CITATIONS, **details)
    return MetricScore((total - len(unknown) - len(out_of_reach)) / total, None, details)


def cited_documents(
    citations: Sequence[Citation], documents: Collection[str], response: str | None = None
) -> list[str]:
    """Distinct ids that an answer cites: those of its citations, then those its markers mean by position."""
    supplied = list(documents)
    report = find_markers(require_text(response or "", "response"), declared_markers(citations))
    by_position = [_by_position(key, citations, supplied) for key in report.unresolved]
    return list(dict.fromkeys([*_document_ids(citations), *filter(None, by_position)]))


def citation_precision(cited: Iterable[str], expected: Iterable[str] | None) -> MetricScore:
    """Cited ids that are expected / cited ids, de-duplicated; both empty: 1, one empty: 0, expected None:
    None.
    """
    return _overlap(cited, expected, 0)


def citation_recall(cited: Iterable[str], expected: Iterable[str] | None) -> MetricScore:
    """Expected ids that are cited / expected ids, de-duplicated; both empty: 1, one empty: 0, expected None:
    None.
    """
    return _overlap(cited, expected, 1)


def citation_f1(cited: Iterable[str], expected: Iterable[str] | None) -> MetricScore:
    """Harmonic mean of `citation_precision` and `citation_recall`."""
    return _overlap(cited, expected, 2)


def citation_support_recall(
    response: str, citations: Sequence[Citation], documents: Mapping[str, str | None], threshold: float
) -> MetricScore:
    """Answer sentences whose cited documents jointly reach groundedness >= threshold / all answer sentences.

    An uncited sentence counts 0; None if there is no sentence with a scorable term. A sentence that the known
    texts don't support, and that cites a document whose text isn't known (None), is left out, and the reason says
    how many sentences the value rests on. (after ALCE, Gao et al. 2023)
    """
    return support_recall_of(CitedSentences(response, citations, documents, threshold))


def citation_support_precision(
    response: str, citations: Sequence[Citation], documents: Mapping[str, str | None], threshold: float
) -> MetricScore:
    """Citations that count / citations of the answer's sentences; None if there are none.

    A citation counts when its sentence is supported, and the cited document alone supports it or leaving it
    out breaks the support. A citation that resolves to nothing doesn't count. Left out are citations of a document
    whose text isn't known (None), and those of a sentence that this leaves open; the reason says how many
    citations the value rests on. (after ALCE, Gao et al. 2023)
    """
    return support_precision_of(CitedSentences(response, citations, documents, threshold))


def support_recall_of(sentences: CitedSentences) -> MetricScore:
    """`citation_support_recall` of the sentences of an answer."""
    if not sentences.cited:
        return undefined("the answer has no scorable sentence")
    supported = {
        number: is_supported
        for number in range(len(sentences.cited))
        if (is_supported := sentences.supported(number)) is not None
    }
    if not supported:
        return undefined(TEXTS_UNKNOWN)
    unsupported = [sentences.span(number) for number, is_supported in supported.items() if not is_supported]
    reason = rests_on(len(supported), len(sentences.cited) - len(supported), "sentences")
    value = sum(supported.values()) / len(supported)
    return MetricScore(value, reason, {"unsupported_sentences": unsupported})


def support_precision_of(sentences: CitedSentences) -> MetricScore:
    """`citation_support_precision` of the sentences of an answer."""
    total = sum(map(len, sentences.cited))
    if not total:
        return undefined(NO_CITATIONS)
    judged = [sentences.judged(number) for number in range(len(sentences.cited))]
    known = sum(of for _, of in judged)
    if not known:
        return undefined(TEXTS_UNKNOWN)
    return MetricScore(
        sum(counted for counted, _ in judged) / known, rests_on(known, total - known, "citations")
    )


class CitedSentences:
    """The scorable sentences of an answer with what each of them cites: document ids, or markers that resolve
    to none. `index` has the known texts of the documents, in order and before any other, where they were read
    already; `numbered` are the ids that [1], [2], ... stand for where these aren't `documents` in their order.
    """

    def __init__(
        self,
        response: str,
        citations: Sequence[Citation],
        documents: Mapping[str, str | None],
        threshold: float,
        index: ContextIndex | None = None,
        numbered: Sequence[str] | None = None,
    ) -> None:
        if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
            raise MetricValueError(f"the threshold must lie in 0..1, not {threshold!r}")
        self._threshold = threshold
        self._response = require_text(response, "response")
        self._unknown = {id_ for id_, text in documents.items() if text is None}
        texts = {id_: text for id_, text in documents.items() if text is not None}
        self._index = index or ContextIndex(list(texts.values()))
        self._position = {id_: number for number, id_ in enumerate(texts)}
        report = find_markers(response, declared_markers(citations))
        targets = _targets(citations, report, list(documents if numbered is None else numbered))
        self._blanked = blank_markers(without_markers(response, report))
        spans = sentence_spans(self._blanked)
        cited_by_span: list[dict[str, None]] = [{} for _ in spans]
        for marker in report.markers:
            owner = max((n for n, (start, _) in enumerate(spans) if start <= marker.start), default=0)
            if spans:
                for key in marker.keys:
                    cited_by_span[owner].update(dict.fromkeys(targets.get(key, (key,))))
        scorable = [
            n
            for n, (start, end) in enumerate(spans)
            if groundedness(self._blanked[start:end], ()).value is not None
        ]
        self._spans = [spans[n] for n in scorable]
        self.cited = [list(cited_by_span[n]) for n in scorable]

    def span(self, number: int) -> dict[str, int]:
        start, end = self._spans[number]
        return {"start": start, "end": end}

    def supported(self, number: int) -> bool | None:
        """Whether what a sentence cites supports it; None when unknown texts leave that open."""
        cited = self.cited[number]
        if cited and self._is_supported_by(number, cited):
            return True
        return None if self._unknown.intersection(cited) else False

    def judged(self, number: int) -> tuple[int, int]:
        """How many citations of a sentence count, of those that can be judged."""
        cited = self.cited[number]
        supported = self.supported(number)
        if supported is None:
            return 0, 0
        known = [id_ for id_ in cited if id_ not in self._unknown]
        if not supported:
            return 0, len(known)
        counted = sum(
            1
            for id_ in known
            if id_ in self._position
            and (
                self._is_supported_by(number, [id_])
                or not self._is_supported_by(number, [other for other in cited if other != id_])
            )
        )
        return counted, len(known)

    def _is_supported_by(self, number: int, ids: Sequence[str]) -> bool:
        start, end = self._spans[number]
        chosen = self._index.only(self._position[id_] for id_ in ids if id_ in self._position)
        value = groundedness(self._blanked[start:end], chosen).value
        return bool(chosen.texts) and value is not None and value >= self._threshold


def _targets(
    citations: Sequence[Citation], report: MarkerReport, supplied: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Which documents each marker key stands for; keys that resolve to nothing are absent."""
    targets: dict[str, tuple[str, ...]] = {}
    for citation, id_ in zip(citations, _document_ids(citations), strict=True):
        marker = citation.get("response_marker")
        if marker:
            targets[marker] = (*targets.get(marker, ()), id_)
    for key in report.unresolved:
        document = _by_position(key, citations, supplied)
        if document is not None:
            targets[key] = (document,)
    return targets


def cited_by_markers(
    response: str, citations: Sequence[Citation], documents: Collection[str]
) -> list[tuple[Marker, list[str]]]:
    """Each marker of a response, in order, with the distinct ids of the documents that it means."""
    report = find_markers(require_text(response, "response"), declared_markers(citations))
    targets = _targets(citations, report, list(documents))
    return [
        (marker, list(dict.fromkeys(id_ for key in marker.keys for id_ in targets.get(key, ()))))
        for marker in report.markers
    ]


def _by_position(key: str, citations: Sequence[Citation], supplied: Sequence[str]) -> str | None:
    """The n-th supplied document for a key [n], unless the citations declare markers of their own."""
    if declared_markers(citations):
        return None
    number = number_of(key)
    return supplied[number - 1] if 1 <= number <= len(supplied) else None


def declared_markers(citations: Sequence[Citation]) -> list[str]:
    """The markers that citations declare."""
    return [marker for citation in citations if (marker := citation.get("response_marker"))]


def _document_ids(citations: Sequence[Citation]) -> list[str]:
    ids = []
    for position, citation in enumerate(citations):
        id_ = citation.get("document_id") if isinstance(citation, Mapping) else None
        if not isinstance(id_, str) or not id_:
            raise MetricTypeError(
                f"citations[{position}] must be an object with a document_id that is a string"
            )
        ids.append(id_)
    return ids


def _overlap(cited: Iterable[str], expected: Iterable[str] | None, which: int) -> MetricScore:
    if expected is None:
        return undefined(NO_EXPECTED)
    ours, theirs = _id_set(cited, "cited"), _id_set(expected, "expected")
    details = {"missing": sorted(theirs - ours), "unexpected": sorted(ours - theirs)}
    return MetricScore(overlap_scores(len(ours & theirs), len(ours), len(theirs))[which], None, details)


def _id_set(ids: Iterable[str], side: str) -> frozenset[str]:
    if isinstance(ids, str | Mapping):
        raise MetricTypeError(f"{side} must be a list of document ids, not {type(ids).__name__}")
    found = frozenset(ids)
    if not all(isinstance(id_, str) for id_ in found):
        raise MetricTypeError(f"{side} must hold strings only")
    return found
