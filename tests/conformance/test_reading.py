"""The vectors for strict readers: this package's reader and an independent one agree with each of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalcontract.reading import Document, Fault, read
from tests.reading.support import NotStrict, same, strict_loads
from tests.support.vectors import CONFORMANCE

BOM = b"\xef\xbb\xbf"
READING = CONFORMANCE / "reading"
EXPECTED: dict[str, str] = json.loads((READING / "expected.json").read_bytes())
ACCEPTED = sorted((READING / "accepted").iterdir())
REFUSED = sorted((READING / "refused").iterdir())


def named(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", ACCEPTED, ids=named)
def test_an_accepted_text_is_one_document(path: Path) -> None:
    (document,) = (event for event in read(path, items=False) if isinstance(event, Document | Fault))
    assert isinstance(document, Document), document
    assert same(document.value, strict_loads(path.read_bytes().removeprefix(BOM)))


@pytest.mark.parametrize("path", REFUSED, ids=named)
def test_a_refused_text_is_refused_for_the_reason_that_is_told(path: Path) -> None:
    faults = [event.code for event in read(path, items=False) if isinstance(event, Fault)]
    assert faults == [EXPECTED[path.stem]]


@pytest.mark.parametrize("path", ACCEPTED + REFUSED, ids=named)
def test_an_independent_strict_reader_agrees(path: Path) -> None:
    raw = path.read_bytes().removeprefix(BOM)
    try:
        strict_loads(raw)
    except NotStrict:
        assert path in REFUSED
    else:
        assert path in ACCEPTED


def test_every_refused_text_has_a_reason_and_no_two_texts_are_the_same() -> None:
    assert EXPECTED.keys() == {path.stem for path in REFUSED}
    assert list(EXPECTED) == sorted(EXPECTED)
    texts = [path.read_bytes() for path in ACCEPTED + REFUSED]
    assert len(texts) == len(set(texts))
