"""What a run checks against: the caller's words, made ready once for all files."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, default_catalogue
from evalcontract.errors import UsageError
from evalcontract.validation import Engine, Told, from_text, told_type

DATASET = "dataset"
ITEM = "evaluation_item"


@dataclass(frozen=True, slots=True)
class Plan:
    """How documents are checked. `contract` is None when the shape of each file decides."""

    catalogue: Catalogue
    contract: ContractRef | None = None
    told: Told = field(default_factory=Told)
    engine: Engine = "fast"

    @property
    def by_item(self) -> bool:
        """Whether files are read as evaluation items rather than as documents of one contract."""
        return self.contract is None or self.contract.name in (DATASET, ITEM)

    @property
    def dataset_contract(self) -> ContractRef:
        """The contract of a dataset's envelope."""
        if self.contract is not None and self.contract.name == DATASET:
            return self.contract
        return self.catalogue.resolve(DATASET)

    @property
    def item_contract(self) -> ContractRef:
        """The contract of an item's envelope: the one told, else the one that the dataset contract refers to."""
        if self.contract is not None and self.contract.name == ITEM:
            return self.contract
        dataset = self.dataset_contract
        to = self.catalogue.document(dataset)["properties"]["items"]["items"]["$ref"]
        return self.catalogue.ref_of(urljoin(self.catalogue.uri(dataset), to))


def plan(
    *,
    contract: str | None = None,
    schema_type: str | None = None,
    input_schema: str | None = None,
    expected_output_schema: str | None = None,
    own_types: tuple[str, ...] = (),
    formats: bool = False,
    engine: Engine = "fast",
    catalogue: Catalogue | None = None,
) -> Plan:
    """What `check_files` checks against, from the words that `evalcontract validate` takes.

    `contract` (`prediction_record`, `dataset@1.0`) checks whole documents. `schema_type` (`rag`, `rag@1.0`) is that of
    all items, whatever they declare. `input_schema` and `expected_output_schema` name a contract, a schema file or
    `package.module:Class` for these parts. `own_types` are types of one's own, checked by the envelope only.
    `formats` asserts the formats that these schemas name.

    Raises UsageError, UnknownContract or SchemaError when it can't be meant.
    """
    catalogue = catalogue or default_catalogue()
    ref = catalogue.resolve(contract) if contract else None
    told = Told(
        told_type(catalogue, schema_type) if schema_type else None,
        from_text(catalogue, input_schema) if input_schema else None,
        from_text(catalogue, expected_output_schema) if expected_output_schema else None,
        frozenset(own_types),
        formats,
    )
    made = Plan(catalogue, ref, told, engine)
    if not made.by_item and (told.type or told.input or told.expected_output):
        raise UsageError(
            f"--contract {ref} checks whole documents, the other options check the parts of items",
            hint="leave out --contract, or use --contract evaluation_item",
        )
    return made
