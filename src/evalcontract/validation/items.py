"""Verdicts on evaluation items and the envelope of their dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from evalcontract.catalog import DIALECT, Catalogue, Schema, SchemaType
from evalcontract.validation.advices import Look, advices_of, null_bytes, uneven, unremarkable
from evalcontract.validation.choice import (
    Choice,
    Declaration,
    Origin,
    choose,
    declaration_of,
    item_declaration,
)
from evalcontract.validation.compiled import CompiledContract, Engine
from evalcontract.validation.own_schemas import OwnChecks, notes_of
from evalcontract.validation.sources import SchemaSource, from_catalogue
from evalcontract.validation.violation import Violation, bounded
from evalcontract.values import numbers_are_kept, plain


@dataclass(frozen=True, slots=True)
class Told:
    """What the caller says about the items, which wins over what they declare.

    `formats`: whether texts must have the formats that the caller's schemas name.
    """

    type: SchemaType | None = None
    input: SchemaSource | None = None
    expected_output: SchemaSource | None = None
    own_types: frozenset[str] = frozenset()
    formats: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the caller's schemas: how they were read, and what of them is not checked."""
        named = (("input", self.input), ("expected_output", self.expected_output))
        return tuple(
            note
            for name, source in named
            if source is not None and not source.in_catalogue
            for note in notes_of(name, source, self.formats)
        )


@dataclass(frozen=True, slots=True)
class ItemVerdict:
    """What was found about one item, and the contract that it was checked against."""

    contract: str
    origin: Origin
    violations: tuple[Violation, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether no violation is an error."""
        return all(violation.severity == "advice" for violation in self.violations)


@dataclass(frozen=True, slots=True)
class _Contracts:
    """One choice made ready, for all items that make the same declaration."""

    choice: Choice
    compiled: CompiledContract
    unremarkable: Callable[[object], bool]
    regular: Callable[[object], bool]
    clean: ItemVerdict
    known_keys: dict[str, frozenset[str]]
    beyond: Mapping[str, OwnChecks]


class ItemChecker:
    """Checks the items of one dataset; keeps what it builds, one contract for each declaration it meets."""

    _MAX_DECLARATIONS = 1000

    def __init__(
        self,
        catalogue: Catalogue,
        told: Told | None = None,
        dataset_metadata: object = None,
        envelope: str = "evaluation_item",
        engine: Engine = "fast",
    ) -> None:
        self._catalogue = catalogue
        self._told = told or Told()
        self._engine = engine
        self._envelope = from_catalogue(catalogue, envelope)
        self._dataset = declaration_of(dataset_metadata)
        self._ready: dict[tuple[str | None, str | None], _Contracts] = {}
        self._accepted: Any = self  # no item
        self._looks: tuple[Look, ...] = ()

    def check(self, item: Any, may_hold_null_bytes: bool = True) -> ItemVerdict:
        """The verdict on one item, a JSON value such as the readers give. Nothing is changed in it.

        `may_hold_null_bytes` is false when it is known that no text of the item has one.
        """
        if numbers_are_kept():
            item = plain(item)
        clean = None if may_hold_null_bytes else self.clean(item)
        return clean or self.check_closely(item, may_hold_null_bytes)

    def clean(self, item: Any) -> ItemVerdict | None:
        """The verdict on most items about which there is nothing to say, quickly; None: look closely.

        Null bytes are not looked for. None also where a number is infinite or very large, as readers say
        something about those.
        """
        if item.__class__ is not dict:  # a list of scalars may be long
            return None
        contracts = self._contracts(item)
        if not contracts.unremarkable(item):
            return None
        if looks := uneven(item):
            self._accepted, self._looks = item, looks  # which `check_closely` needn't find again
            return None
        return contracts.clean

    def check_closely(
        self, item: Any, may_hold_null_bytes: bool = True, briefly: bool = False
    ) -> ItemVerdict:
        """What `check` says, without a quick look before.

        With `briefly` code, pointer and severity of each violation are right, and the rest may be missing.
        """
        contracts = self._contracts(item)
        if item is self._accepted:
            self._accepted = self  # the caller may change it
            found = list(bounded(_looked_at(item, self._looks, may_hold_null_bytes)))
        else:
            found = self._found(item, contracts, may_hold_null_bytes, briefly)
        if not found:
            return contracts.clean
        if briefly:
            return ItemVerdict(contracts.clean.contract, contracts.clean.origin, tuple(found))
        item_id = item.get("item_id") if isinstance(item, dict) else None
        name = item_id if isinstance(item_id, str) else None
        label = contracts.clean.contract
        placed = tuple(
            replace(violation, item_id=name, contract=violation.contract or label) for violation in found
        )
        return ItemVerdict(label, contracts.clean.origin, placed)

    def _found(
        self, item: Any, contracts: _Contracts, may_hold_null_bytes: bool, briefly: bool
    ) -> list[Violation]:
        found = list(contracts.choice.findings)
        if not contracts.compiled.accepts(item):
            refusals = contracts.compiled.refusals(item, briefly)
            found += refusals if briefly else map(_explained, refusals)
        if contracts.beyond and isinstance(item, dict) and not _has_error(found):
            for part, checks in contracts.beyond.items():
                found += checks.violations(item.get(part), (part,))
        if contracts.regular(
            item
        ):  # no key is misspelt or misplaced, and a short look tells who must look closely
            return [*found, *bounded(_looked_at(item, uneven(item), may_hold_null_bytes))]
        hints = {violation.hint for violation in found}
        found += (
            violation
            for violation in bounded(advices_of(item, contracts.known_keys, may_hold_null_bytes))
            if violation.message not in hints
        )
        return found

    def _contracts(self, item: Any) -> _Contracts:
        try:
            raw = item["metadata"]["raw_metadata"]
            return self._ready[raw["input_schema_type"], raw["input_schema_version"]]
        except (LookupError, TypeError):  # the first of its kind, or one that declares less
            declared = item_declaration(item)
        ready = self._ready.get(declared)
        if ready is None:
            if len(self._ready) >= self._MAX_DECLARATIONS:
                self._ready.clear()
            ready = self._ready[declared] = self._build(declared)
        return ready

    def _build(self, declared: Declaration) -> _Contracts:
        told, catalogue = self._told, self._catalogue
        if told.type is not None:
            choice = Choice(told.type, "told")
        else:
            choice = choose(catalogue, declared, self._dataset, self._own_types(declared))
        type_ = choice.type
        input_ = told.input or (from_catalogue(catalogue, str(type_.input)) if type_ else None)
        output = told.expected_output or (
            from_catalogue(catalogue, str(type_.expected_output)) if type_ else None
        )
        envelope = self._envelope
        schema = _item_schema(envelope, input_, output)
        own_documents = {
            uri: document for part in (input_, output) if part for uri, document in part.own.items()
        }
        origin: Origin = "told" if told.input or told.expected_output else choice.origin
        label = _label(envelope, type_, input_, output)
        compiled = CompiledContract(label, schema, catalogue, own_documents, self._engine)
        known = {
            name: keys
            for name, source in (("", envelope), ("input", input_), ("expected_output", output))
            if source is not None and (keys := _properties(catalogue, source))
        }
        beyond = self._beyond(input_, output)
        closely = bool(choice.findings or beyond)
        quietly = _refused if closely else compiled.accepts_small_under(unremarkable(known))
        regular = _when_asked(unremarkable(known)) if compiled.asks_the_fast_engine else _refused
        return _Contracts(choice, compiled, quietly, regular, ItemVerdict(label, origin), known, beyond)

    def _beyond(self, input_: SchemaSource | None, output: SchemaSource | None) -> dict[str, OwnChecks]:
        """What the caller's schemas ask of the parts beyond what a schema asserts."""
        documents = dict(self._catalogue.documents())
        found = {
            name: OwnChecks(source, documents, self._told.formats)
            for name, source in (("input", input_), ("expected_output", output))
            if source is not None and not source.in_catalogue
        }
        return {name: checks for name, checks in found.items() if checks}

    def _own_types(self, declared: Declaration) -> frozenset[str]:
        """Types that need no contract here: those named as the product's own, and those with a told schema."""
        name = declared.type if declared.type is not None else self._dataset.type
        unknown = name is not None and name not in self._catalogue.schema_types()
        return self._told.own_types | ({name} if self._told.input and unknown and name else frozenset())


def _looked_at(item: Any, looks: tuple[Look, ...], may_hold_null_bytes: bool) -> Iterator[Violation]:
    for look in looks:
        yield from look(item)
    if may_hold_null_bytes:
        yield from null_bytes(item)


def _refused(_: object) -> bool:
    return False


def _when_asked(rules: Schema) -> Callable[[object], bool]:
    """Whether the compiled engine accepts a value; it is built for the first."""

    @cache
    def accepts() -> Callable[[object], bool]:
        from evalcontract.validation.engine.fast import compiled

        return compiled(rules, {}) or _refused

    return lambda value: accepts()(value)


def _label(
    envelope: SchemaSource, type_: SchemaType | None, input_: SchemaSource | None, output: SchemaSource | None
) -> str:
    if type_ and input_ and output and input_.in_catalogue and output.in_catalogue:
        return f"{type_.name}@{type_.version}"
    return " + ".join(part.label for part in (input_, output) if part) or envelope.label


def _item_schema(
    envelope: SchemaSource, input_: SchemaSource | None, output: SchemaSource | None
) -> dict[str, Any]:
    """One schema for the whole item, so that pointers are those of the item."""
    schema: dict[str, Any] = {"$schema": DIALECT, "allOf": [{"$ref": envelope.uri}]}
    parts = {
        name: {"$ref": source.uri}
        for name, source in (("input", input_), ("expected_output", output))
        if source is not None
    }
    if parts:
        schema["properties"] = parts
    if output is not None:
        schema["required"] = ["expected_output"]
    return schema


def _has_error(found: list[Violation]) -> bool:
    return any(violation.severity == "error" for violation in found)


def _explained(violation: Violation) -> Violation:
    unexplained = violation.hint is None and violation.pointer == "/expected_output"
    if unexplained and violation.actual in ("null", "nothing"):
        hint = "an item of a declared schema type needs an expected output, with a response at least"
        return replace(violation, hint=hint)
    return violation


def _properties(catalogue: Catalogue, source: SchemaSource) -> frozenset[str]:
    """The keys that a contract of the catalogue defines, inherited ones included; empty for others' schemas."""
    from evalcontract.catalog import property_names

    if not source.in_catalogue:
        return frozenset()
    return frozenset(property_names(catalogue, catalogue.ref_of(source.uri)))


def dataset_violations(
    catalogue: Catalogue, envelope: object, contract: str = "dataset"
) -> Iterator[Violation]:
    """Violations of a dataset's envelope: everything but the items, which it is taken to have."""
    source = from_catalogue(catalogue, contract)
    compiled = CompiledContract(source.label, source.schema, catalogue)
    return compiled.violations({**envelope, "items": []} if isinstance(envelope, Mapping) else envelope)
