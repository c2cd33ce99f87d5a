"""The base of all contract models. It is part of the models so that they need nothing but pydantic."""

import typing
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetJsonSchemaHandler, Strict
from pydantic_core import CoreSchema, PydanticCustomError


class ContractModel(BaseModel):
    """What all contract models share: unknown fields are kept, and what is dumped is valid JSON.

    A field of a contract takes what the schema takes: no number from text or a boolean, no text from bytes.
    Fields that a derived class adds behave as pydantic's do. A field's docstring is its description. NaN and
    infinities are refused, since JSON has none. A value whose class is derived from the declared one is dumped
    with all of its own fields.
    """

    model_config = ConfigDict(
        extra="allow",
        use_attribute_docstrings=True,
        allow_inf_nan=False,
        polymorphic_serialization=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Writes the bounds of an integer as JSON Schema does; pydantic doesn't behind a validator like `_whole`."""
        written = handler(core_schema)
        _write_bounds(handler.resolve_ref_schema(written).get("properties", {}).values())
        return written


def _write_bounds(schemas: Iterable[Any]) -> None:
    for schema in schemas:
        for word, keyword in (("ge", "minimum"), ("le", "maximum")):
            if schema.get("type") == "integer" and word in schema:
                schema[keyword] = schema.pop(word)
        inner = (
            schema[part] for part in ("items", "additionalProperties") if isinstance(schema.get(part), dict)
        )
        _write_bounds([*schema.get("anyOf", ()), *inner])


def _whole(value: Any) -> Any:
    """2 for 2.0, which is an integer in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _not_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "Input should be a valid integer")
    return value


if TYPE_CHECKING:
    from typing import Literal as Literal  # noqa: PLC0414 - the models import it from here

    StrictInt = int
else:
    StrictInt = Annotated[int, Strict(), BeforeValidator(_whole)]

    class Literal:
        """`typing.Literal`, but true is not 1."""

        def __class_getitem__(cls, values: Any) -> Any:
            literal = typing.Literal[values]
            if any(type(value) is int for value in typing.get_args(literal)):
                return Annotated[literal, BeforeValidator(_not_boolean)]
            return literal
