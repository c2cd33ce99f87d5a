"""A dataset written to the server, each item once however often it is pushed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from evalcontract.catalog import Catalogue, SchemaType, default_catalogue, flat
from evalcontract.checking import ItemIds
from evalcontract.datasets import Contents, DatasetSource
from evalcontract.errors import ContractViolation, UsageError
from evalcontract.exchange.client import LangfuseError, Server
from evalcontract.exchange.mapping import State, differing, to_server
from evalcontract.reading import Document
from evalcontract.validation import Declaration, choose, declaration_of
from evalcontract.values import cut, first_rounded, numbers_as_written, shown

_NAMED = 50


@dataclass(slots=True)
class PushReport:
    """What was done, or would be, in numbers of items, and which items the server didn't take as they are.

    `refused` are (item_id, what the server said) and `changed` (item_id, fields) of items that came back
    other than they were sent; both name the first only, `refused_count` and `changed_count` count all.
    `only_there` counts items of the server that the dataset doesn't have: they are left alone.
    """

    dataset: str
    dry_run: bool
    new_dataset: bool = False
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    only_there: int = 0
    schemas: tuple[str, ...] = ()
    refused: list[tuple[str, str]] = field(default_factory=list)
    refused_count: int = 0
    changed: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    changed_count: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every item is on the server as it was sent."""
        return not (self.refused_count or self.changed_count)


def push(
    server: Server,
    name: str,
    source: DatasetSource,
    *,
    dry_run: bool = False,
    set_schemas: bool = False,
    progress: Callable[[str, int], None] | None = None,
    catalogue: Catalogue | None = None,
) -> PushReport:
    """Write the items of a dataset to the server's dataset `name`, which is created when there is none.

    Items are joined by item_id: an item that is there and equal isn't sent. Nothing is deleted. With
    `set_schemas` the server gets the schemas of the declared type, one of `catalogue` (by default the built-in
    one), and refuses items that break them from then on. `dry_run` sends nothing. The source is read twice,
    and not sent at all when an item has no usable id (ContractViolation). Raises LangfuseError when the server
    can't be reached or refuses the lot.
    """
    metadata = _checked(source)
    report = PushReport(name, dry_run)
    schemas = _schemas(catalogue or default_catalogue(), metadata) if set_schemas else {}
    there = server.dataset(name)
    report.new_dataset = there is None
    known = {} if there is None else {item.id: State.of(item) for item in server.items(name)}
    if not dry_run:
        _save_dataset(server, name, there, metadata, schemas)
    report.schemas = tuple(schemas)
    contents = Contents(source)
    for number, document in enumerate(contents.items(), 1):
        fields = to_server(cast("dict[str, Any]", document.value))
        before = known.pop(fields["id"], None)
        if before is not None and before.holds(fields):
            report.unchanged += 1
        else:
            _send(server, name, fields, report, is_new=before is None)
        if progress:
            progress(source.label, number)
    report.only_there = len(known)
    lost = [key for key in contents.envelope or {} if key != "metadata"]
    if lost:
        report.notes.append(f"the server has no place for the dataset's own keys: {', '.join(lost)}")
    return report


def _checked(source: DatasetSource) -> Mapping[str, Any]:
    """The metadata, after a first reading in which every item is found fit to be sent."""
    contents, ids = Contents(source), ItemIds()
    for document in _as_written(contents):
        if not isinstance(document.value, dict):
            raise ContractViolation(f"item {document.index + 1} of {source.label} is not an object")
        item_id = str(to_server(document.value)["id"])
        if (number := first_rounded(document.value)) is not None:
            raise ContractViolation(
                f"item {shown(item_id)} of {source.label} holds {cut(number, 60)}, which the server would round",
                hint="write the number as text, or with the digits that a double has",
            )
        if ids.add(item_id, document.index) != document.index:
            raise ContractViolation(
                f"two items of {source.label} have the id {shown(item_id)}",
                hint="give each item an id of its own",
            )
    metadata = (contents.envelope or {}).get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _as_written(contents: Contents) -> Iterator[Document]:
    """The items, with their numbers kept as they were written."""
    with numbers_as_written():
        yield from contents.items()


def _save_dataset(
    server: Server, name: str, there: Any, metadata: Mapping[str, Any], schemas: Mapping[str, Any]
) -> None:
    changes: dict[str, Any] = dict(schemas)
    if metadata and (there is None or there.metadata != metadata):
        changes["metadata"] = dict(metadata)
    if there is None or changes:
        server.save_dataset(name, **changes)


def _send(server: Server, name: str, fields: dict[str, Any], report: PushReport, *, is_new: bool) -> None:
    if is_new:
        report.created += 1
    else:
        report.updated += 1
    if report.dry_run:
        return
    try:
        came = server.save_item(dataset_name=name, **fields)
    except LangfuseError as error:
        if error.status not in (400, 404, 413, 422):
            raise
        report.created -= is_new
        report.updated -= not is_new
        report.refused_count += 1
        if len(report.refused) < _NAMED:
            report.refused.append((fields["id"], error.message))
        return
    wrong = differing(fields, came)
    if wrong:
        report.changed_count += 1
        if len(report.changed) < _NAMED:
            report.changed.append((fields["id"], wrong))


def _schemas(catalogue: Catalogue, metadata: Mapping[str, Any]) -> dict[str, Any]:
    type_ = choose(catalogue, Declaration(), declaration_of(metadata)).type
    if type_ is None:
        raise UsageError(
            f"{shown(metadata.get('input_schema_type'))} has no schemas to set on the server",
            hint="the dataset's metadata declares a known input_schema_type and input_schema_version",
        )
    return server_schemas(catalogue, type_)


def server_schemas(catalogue: Catalogue, type_: SchemaType) -> dict[str, Any]:
    """The schemas of a type as the server takes them: it compiles them by draft 7, which refuses the name of
    any other dialect. The contracts use no keyword whose meaning differs.
    """
    made = {}
    for field_name, ref in (("input_schema", type_.input), ("expected_output_schema", type_.expected_output)):
        schema = flat(catalogue, ref)
        made[field_name] = {key: value for key, value in schema.items() if key not in ("$schema", "$id")}
    return made
