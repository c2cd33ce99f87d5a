"""The contracts as pydantic models, and `from_contract`, which lets the schema decide before the model.

A product derives its own class from one of these and adds its fields:

    class ProductInput(RAGInput):
        tenant: str
"""

from __future__ import annotations

from typing import Any, TypeVar

from evalcontract_models import *  # noqa: F403 - the package lists its names
from evalcontract_models import __all__ as _generated
from evalcontract_models.registry import CONTRACTS
from pydantic import BaseModel

from evalcontract.errors import SchemaError
from evalcontract.validation import validate

__all__ = [*_generated, "contract_of", "from_contract"]  # noqa: PLE0604 - they are strings

Model = TypeVar("Model", bound=BaseModel)


def contract_of(model: type[BaseModel]) -> tuple[str, str]:
    """Name and version of the contract that a model, or the model that it is derived from, was made from.

    Raises SchemaError when the class is not derived from a model of a contract.
    """
    for ancestor in model.__mro__:
        if ancestor in CONTRACTS:
            return CONTRACTS[ancestor]
    raise SchemaError(
        f"{model.__name__} is not derived from a model of a contract",
        hint="derive it from a class of evalcontract.models, such as RAGInput",
    )


def from_contract(model: type[Model], data: Any) -> Model:
    """An instance of `model` from parsed JSON that is valid by the schema of its contract.

    `model.model_validate` gives the same verdict on JSON. Here the schema decides first, so that what is wrong is
    told as everywhere else, and what isn't JSON, such as a tuple, is refused. Raises ContractViolation when `data`
    breaks the contract, pydantic.ValidationError when it breaks what a derived class adds, and SchemaError when
    the class stands for no contract.
    """
    name, version = contract_of(model)
    validate(data, name, version)
    return model.model_validate(data)
