"""A contract made ready: built once, then verdict after verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, get_args

from evalcontract.catalog import Catalogue, Schema, note_judge
from evalcontract.validation.engine.dereference import dereferenced
from evalcontract.validation.json_values import violations_of_json
from evalcontract.validation.violation import MOST_FINDINGS, Violation, bounded
from evalcontract.values import numbers_are_kept, on_deep_stack, plain

if TYPE_CHECKING:
    from jsonschema import ValidationError

    from evalcontract.validation.engine.listing import ErrorLister

Engine = Literal["fast", "reference"]
ENGINES: tuple[Engine, ...] = get_args(Engine)


class CompiledContract:
    """Verdicts under one schema. Never changes what it is given.

    `schema` must have been checked; `own` are documents that it refers to beside the catalogue's, by URI.
    With the engine `fast` a compiled validator may accept a value; whatever it doesn't accept is the
    reference's to judge, so the verdicts of the two engines are the same.
    """

    def __init__(
        self,
        label: str,
        schema: Schema,
        catalogue: Catalogue,
        own: Mapping[str, Schema] | None = None,
        engine: Engine = "fast",
    ) -> None:
        self.label = label
        self.schema = schema
        self.engine = engine
        if catalogue.labels:
            from evalcontract.validation.layers import check_layers

            check_layers(catalogue)
        note_judge(catalogue, schema, (own or {}).values())
        self._documents = {**dict(catalogue.documents()), **(own or {})}
        self.accepts: Callable[[object], bool] = self._quick() if engine == "fast" else _never

    @cached_property
    def _without_references(self) -> Schema | None:
        return dereferenced(self.schema, self._documents)

    @cached_property
    def _reference(self) -> Any:
        # Built for the first value that isn't accepted: clean data never pays for jsonschema.
        from evalcontract.validation.engine.reference import reference_validator

        if self._without_references is None:
            return reference_validator(self.schema, self._documents.items())
        return reference_validator(self._without_references, (), sparing=self.engine == "fast")

    @cached_property
    def _lister(self) -> ErrorLister | None:
        schema = self._without_references
        if schema is None or not self.asks_the_fast_engine:
            return None
        from evalcontract.validation.engine.fast import refused_places
        from evalcontract.validation.engine.listing import ErrorLister

        places = refused_places(schema)
        return ErrorLister(schema, places, self._reference) if places else None

    def _errors(self, instance: object) -> Iterable[ValidationError]:
        """The errors of the reference, which looks itself where the compiled engine can't say where they are."""
        listed = self._lister.errors(instance) if self._lister else None
        found: Iterable[ValidationError] = self._reference.iter_errors(instance)
        return found if listed is None else listed

    @property
    def asks_the_fast_engine(self) -> bool:
        """Whether a compiled engine takes part."""
        return self.accepts is not _never

    def _quick(self) -> Callable[[object], bool]:
        from evalcontract.validation.engine.fast import quick_acceptance

        return quick_acceptance(*self._to_compile) or _never

    def accepts_small_under(self, rules: Schema) -> Callable[[object], bool]:
        """A function that is true only for values that `accepts` and a further schema accept.

        Their numbers are finite and within 2^53-1.
        """
        if not self.asks_the_fast_engine:
            return _never
        from evalcontract.validation.engine.fast import compiled
        from evalcontract.validation.engine.small_numbers import narrowed

        schema, documents = self._to_compile
        return compiled(narrowed(schema, rules), documents) or _never

    @property
    def _to_compile(self) -> tuple[Schema, dict[str, Schema]]:
        if self._without_references is None:
            return self.schema, self._documents
        return self._without_references, {}

    def violations(self, instance: object) -> Iterator[Violation]:
        """Every violation of a JSON value, such as the readers give."""
        if numbers_are_kept():
            instance = plain(instance)
        if not self.accepts(instance):
            yield from self.refusals(instance)

    def refusals(self, instance: object, briefly: bool = False) -> Iterator[Violation]:
        """The same without asking whether there are any; `briefly` leaves out what is only read by people."""
        return bounded(self._refusals(instance, briefly))

    def _refusals(self, instance: object, briefly: bool) -> Iterator[Violation]:
        given = 0
        try:
            for violation in self._judged(instance, briefly):
                yield violation
                given += 1
        except RecursionError:  # a recursive schema, which can only be a user's own
            yield from on_deep_stack(
                lambda: list(islice(self._judged_deep(instance), given, MOST_FINDINGS + 1))
            )

    def _judged_deep(self, instance: object) -> Iterator[Violation]:
        try:
            yield from self._judged(instance)
        except RecursionError:
            yield _too_deep(self.label)

    def _judged(self, instance: object, briefly: bool = False) -> Iterator[Violation]:
        from evalcontract.validation.engine.patterns import PatternUndecided
        from evalcontract.validation.messages import violations_of

        try:
            for violation in violations_of(self._errors(instance), briefly):
                yield violation if briefly else replace(violation, contract=self.label)
        except PatternUndecided:  # of a user's own schema
            yield _undecided(self.label)

    def violations_in_python_value(self, value: object) -> Iterator[Violation]:
        """The same for a value built in Python, which may hold what JSON can't."""
        refused = False
        for violation in violations_of_json(value):
            refused = True
            yield replace(violation, contract=self.label)
        if not refused:  # the engine knows no subclasses of str, int and float
            yield from self.violations(plain(value))


def _never(_: object) -> bool:
    return False


def _too_deep(contract: str) -> Violation:
    return Violation(
        "too-deep",
        "nested deeper than this recursive schema can be followed",
        hint="flatten the value",
        contract=contract,
    )


def _undecided(contract: str) -> Violation:
    return Violation(
        "pattern-undecided",
        "a text is too long for a pattern of this schema that looks around",
        hint="write the pattern without look-arounds, or shorten the text",
        contract=contract,
    )
