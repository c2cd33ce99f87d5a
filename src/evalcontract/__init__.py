"""evalcontract: the contract layer for RAG and agent evaluation data.

What is public is in `__all__`: the names here, and the submodules among them, whose own `__all__` says what is public
in them. Everything else may change in any release. Names and submodules are imported when they are first used, so
that `import evalcontract` is quick. docs/api.md describes each.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from evalcontract._version import __version__
from evalcontract.errors import (
    CatalogError,
    ContractError,
    ContractViolation,
    IncompleteTrace,
    OffsetMismatch,
    SchemaError,
    UnexpectedShape,
    UnknownContract,
    UnknownVersion,
    UnreadableInput,
    UsageError,
)

if TYPE_CHECKING:
    from referencing import Registry

    from evalcontract import (
        codegen,
        datasets,
        evolution,
        importing,
        metrics,
        models,
        predictions,
        rag,
        release,
        responses,
        scoring,
        spark,
    )
    from evalcontract.catalog import Catalogue, load_schema, schema_path, versions
    from evalcontract.checking import RunResult, check_files, plan
    from evalcontract.datasets import normalize_dataset_item
    from evalcontract.release import DatasetName, ReleaseReport, check_release, volume_path
    from evalcontract.responses import iter_rag_response_errors, validate_rag_response
    from evalcontract.validation import Violation, is_valid, iter_violations, validate

    REGISTRY: Registry[Any]

__all__ = [
    "REGISTRY",
    "CatalogError",
    "Catalogue",
    "ContractError",
    "ContractViolation",
    "DatasetName",
    "IncompleteTrace",
    "OffsetMismatch",
    "ReleaseReport",
    "RunResult",
    "SchemaError",
    "UnexpectedShape",
    "UnknownContract",
    "UnknownVersion",
    "UnreadableInput",
    "UsageError",
    "Violation",
    "__version__",
    "check_files",
    "check_release",
    "codegen",
    "datasets",
    "evolution",
    "importing",
    "is_valid",
    "iter_rag_response_errors",
    "iter_violations",
    "load_schema",
    "metrics",
    "models",
    "normalize_dataset_item",
    "plan",
    "predictions",
    "rag",
    "release",
    "responses",
    "schema_path",
    "scoring",
    "spark",
    "validate",
    "validate_rag_response",
    "versions",
    "volume_path",
]

_SUBMODULES = {
    "codegen",
    "datasets",
    "evolution",
    "importing",
    "metrics",
    "models",
    "predictions",
    "rag",
    "release",
    "responses",
    "scoring",
    "spark",
}
_HOMES = {
    "Catalogue": "catalog",
    "RunResult": "checking",
    "check_files": "checking",
    "plan": "checking",
    "DatasetName": "release",
    "ReleaseReport": "release",
    "Violation": "validation",
    "check_release": "release",
    "is_valid": "validation",
    "iter_rag_response_errors": "responses",
    "iter_violations": "validation",
    "load_schema": "catalog",
    "normalize_dataset_item": "datasets",
    "schema_path": "catalog",
    "validate": "validation",
    "validate_rag_response": "responses",
    "versions": "catalog",
    "volume_path": "release",
}


def __getattr__(name: str) -> Any:
    if name == "REGISTRY":
        found: Any = import_module("evalcontract.catalog").default_registry()
    elif name in _SUBMODULES:
        found = import_module(f"evalcontract.{name}")
    elif name in _HOMES:
        found = getattr(import_module(f"evalcontract.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'evalcontract' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
