"""What a worker is told: plain texts and numbers, out of which it builds its judge once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from evalcontract._version import __version__
from evalcontract.catalog import Catalogue, PackedCatalogue, default_catalogue, packed
from evalcontract.checking import CellCheck, Plan, plan
from evalcontract.errors import UsageError
from evalcontract.reading import Limits, current_limits
from evalcontract.values import not_json, pointer


@dataclass(frozen=True, slots=True)
class TableJob:
    """How cells are judged, in words that every worker understands in the same way.

    `metadata` is the JSON text of the metadata of the dataset that the items belong to.
    """

    version: str
    catalogue: PackedCatalogue
    limits: Limits
    contract: str | None = None
    schema_type: str | None = None
    own_types: tuple[str, ...] = ()
    metadata: str | None = None

    def plan(self, catalogue: Catalogue) -> Plan:
        """What the cells are checked against. Raises UsageError and UnknownContract."""
        return plan(
            contract=self.contract,
            schema_type=self.schema_type,
            own_types=self.own_types,
            catalogue=catalogue,
        )

    def check(self, catalogue: Catalogue) -> CellCheck:
        """The judge of the cells. Raises UsageError and UnknownContract."""
        return CellCheck(self.plan(catalogue), None if self.metadata is None else json.loads(self.metadata))


def job_of(
    contract: str | None,
    catalogue: Catalogue | None,
    *,
    schema_type: str | None = None,
    own_types: tuple[str, ...] = (),
    metadata: Mapping[str, object] | None = None,
) -> TableJob:
    """The job as the caller words it, tried out here so that nothing unknown reaches a worker.

    Raises UsageError, UnknownContract or UnknownVersion, and SchemaError for a damaged layer.
    """
    told = catalogue or default_catalogue()
    job = TableJob(
        __version__,
        packed(told),
        current_limits(),
        contract,
        schema_type,
        own_types,
        None if metadata is None else _as_text(metadata),
    )
    job.check(told).check(b"{}")
    return job


def _as_text(metadata: object) -> str:
    fault = next(not_json(metadata), None)
    if fault is not None or not isinstance(metadata, dict):
        said = "not an object" if fault is None else f"{fault.message} at {pointer(fault.path) or 'its top'}"
        raise UsageError(
            f"the metadata are no JSON object: {said}", hint="give what the metadata file holds, as a dict"
        )
    return json.dumps(metadata)


@lru_cache(maxsize=8)
def catalogue_of(job: TableJob) -> Catalogue:
    """The catalogue that a job brought with it. Raises UsageError where another version is installed here."""
    if job.version != __version__:
        raise UsageError(
            f"the driver has evalcontract {job.version}, this worker has {__version__}",
            hint="install one version on the driver and on the workers",
        )
    return job.catalogue.unpacked()


@lru_cache(maxsize=8)
def cell_check(job: TableJob) -> CellCheck:
    """The judge of a job, built for the first batch that a worker process sees and kept by it."""
    return job.check(catalogue_of(job))
