"""The base of all contract models. It is part of the models so that they need nothing but pydantic."""

from pydantic import BaseModel, ConfigDict


class ContractModel(BaseModel):
    """What all contract models share: unknown fields are kept, and what is dumped is valid JSON.

    A field's docstring is its description. NaN and infinities are refused, since JSON has none. A value
    whose class is derived from the declared one is dumped with all of its own fields.
    """

    model_config = ConfigDict(
        extra="allow",
        use_attribute_docstrings=True,
        allow_inf_nan=False,
        polymorphic_serialization=True,
    )
