"""A YAML file: one document, an array of items, a dataset, or several documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from evalcontract.reading.dataset import ITEMS
from evalcontract.reading.events import START, Assembled, Document, Event, Opened
from evalcontract.reading.limits import raise_it
from evalcontract.reading.refusals import Refusal, decoded
from evalcontract.reading.strict import has_big_integer
from evalcontract.reading.tally import Tally
from evalcontract.reading.yaml_composer import Composer, Path, YamlNode


def read_yaml(stream: BinaryIO, tally: Tally, *, items: bool) -> Iterator[Event]:
    """The events of a YAML file; several documents in one come one by one, as JSON Lines do."""
    raw = stream.read(tally.limits.document_bytes + 1)
    if len(raw) > tally.limits.document_bytes:
        yield tally.fault(
            "too-long",
            f"more than {tally.limits.document_bytes:,} bytes of YAML",
            START,
            f"write the items to a .jsonl file, or {raise_it('document-bytes', tally.limits)}",
            fatal=True,
        )
        return
    roots: list[YamlNode] = []
    failure: Refusal | None = None
    composer: Composer | None = None
    try:
        composer = Composer(decoded(raw), tally.limits)
        roots.extend(composer.documents())
    except Refusal as refusal:
        failure = refusal
    if not roots and failure is None:
        yield tally.empty()
        return
    refusals = composer.refusals if composer else []
    if len(roots) == 1 and failure is None:
        yield from _single(roots[0], [(path, refusal) for _, path, refusal in refusals], tally, items)
        return
    yield Opened(tally.file, "yaml", "lines" if roots else "document")
    for number, root in enumerate(roots):
        yield from _document(root, [refusal for at, _, refusal in refusals if at == number], tally)
    if failure:
        yield tally.refused(failure, START, fatal=True)


def _single(
    root: YamlNode, refusals: list[tuple[Path, Refusal]], tally: Tally, items: bool
) -> Iterator[Event]:
    below: Path = ()
    container = root
    if items and isinstance(root.value, dict) and isinstance(root.value.get(ITEMS), list):
        below = (ITEMS,)
        container = root.children[ITEMS]
    if not items or not isinstance(container.value, list):
        yield Opened(tally.file, "yaml", "document")
        yield from _document(root, [refusal for _, refusal in refusals], tally)
        return
    envelope = _envelope(root, tally) if below else None
    yield Opened(tally.file, "yaml", "dataset" if below else "array", envelope)
    by_item: dict[str, list[Refusal]] = {}
    for path, refusal in refusals:
        if len(path) > len(below) and path[: len(below)] == below:
            by_item.setdefault(path[len(below)], []).append(refusal)
        else:
            yield tally.refused(refusal, START)
    for name, element in container.children.items():
        yield from _document(element, by_item.get(name, []), tally)
    tally.envelope = envelope


def _envelope(root: YamlNode, tally: Tally) -> Document:
    assert isinstance(root.value, dict)
    value = {key: item for key, item in root.value.items() if key != ITEMS}
    return Document(value, tally.file, 0, Assembled(root.position, root.children))


def _document(node: YamlNode, refusals: list[Refusal], tally: Tally) -> Iterator[Event]:
    for refusal in refusals:
        yield tally.refused(refusal, START)
    if refusals:
        tally.index += 1
        return
    if has_big_integer(node.value):
        yield tally.big_integer(node.value, node)
    yield tally.document(node.value, node)
