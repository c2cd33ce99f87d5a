"""The columns that are added to a table or made of it, for Arrow and for Spark alike."""

from __future__ import annotations

from typing import Any

from evalcontract.errors import UsageError

Fields = tuple[tuple[str, Any], ...]

VERDICT = "evalcontract"
"""The column with the verdict on a row."""
COPY = "evalcontract_copy"
"""The number of a row among those with its key, until it stands in the verdict."""
TEXT = "evalcontract_text"
"""The text of a variant."""

FINDING: Fields = (
    ("item_id", "string"),
    ("pointer", "string"),
    ("code", "string"),
    ("keyword", "string"),
    ("message", "string"),
    ("hint", "string"),
    ("contract", "string"),
    ("severity", "string"),
    ("expected", "string"),
    ("actual", "string"),
    ("schema_pointer", "string"),
    ("line", "int"),
    ("column", "int"),
)
"""A violation. Line and column are those in the text of the cell."""

GROUP: Fields = (("code", "string"), ("place", "string"), ("severity", "string"), ("count", "int"))
"""Violations of one row beyond those that are kept in full."""

JUDGED: Fields = (
    ("item_id", "string"),
    ("key", "string"),
    ("asked", "string"),
    ("folded", "string"),
    ("rank", "string"),
    ("contract", "string"),
    ("errors", "int"),
    ("advices", "int"),
    ("violations", [FINDING]),
    ("more", [GROUP]),
)
"""What one row says by itself.

`key` is what no other row may have, `asked` a digest of what an item asks, `folded` what its id folds to, None where
there is none; `rank` orders rows with equal keys: those without an error first. `more` counts by code what was found
beyond `violations`. `contract` is None where the text couldn't be read.
"""


STATE: Fields = (("state", "string"),)
"""Sums over a part of the rows, as JSON text."""

SCORED: Fields = (("kind", "string"), ("name", "string"), ("text", "string"), ("numbers", "binary"))
"""What scoring gives, by `kind`.

`record`: the text of the score record of the item `name`; `missing`, `extra`, `incomplete`: the id of an item;
`crowded`: one with more predictions than were told, and their number; `state`: sums; `numbers`: doubles measured in the
slice `name`, None for all items, by the name in `text`.
"""


SURVEYED: Fields = (("kind", "string"), ("name", "string"), ("text", "string"))
"""What a look at items gives: `state` is the survey of a part, `expected` what an item expects of the input `name`."""

RELEASE: Fields = (
    ("file", "string"),
    ("text", "string"),
    ("series", "string"),
    ("major", "int"),
    ("minor", "int"),
    ("fault", "string"),
)
"""A release file, the series that it is of, its version, or why it can't be read."""

OUTCOME: Fields = (
    ("file", "string"),
    ("release", "string"),
    ("kind", "string"),
    ("previous", "string"),
    ("check", "string"),
    ("severity", "string"),
    ("status", "string"),
    ("reason", "string"),
    ("hint", "string"),
    ("findings", "int"),
)
"""What one check says of one release file."""


def arrow_type(kind: Any) -> Any:
    """The type of a field for Arrow; a tuple of fields is a struct, a list of one kind an array."""
    import pyarrow as pa

    if isinstance(kind, tuple):
        return pa.struct([(name, arrow_type(of)) for name, of in kind])
    if isinstance(kind, list):
        return pa.list_(arrow_type(kind[0]))
    return {"string": pa.string(), "int": pa.int32(), "binary": pa.binary()}[kind]


def spark_type(kind: Any) -> Any:
    """The same for Spark."""
    from pyspark.sql import types

    if isinstance(kind, tuple):
        return types.StructType([types.StructField(name, spark_type(of)) for name, of in kind])
    if isinstance(kind, list):
        return types.ArrayType(spark_type(kind[0]))
    return {"string": types.StringType(), "int": types.IntegerType(), "binary": types.BinaryType()}[kind]


def expression(sql: str) -> Any:
    """An expression of SQL, such as an aggregate."""
    from pyspark.sql.functions import expr

    return expr(sql)


def quoted(name: str) -> str:
    """A column's name as SQL has it."""
    return "`" + name.replace("`", "``") + "`"


def text_column(df: Any, column: str, *, from_struct: bool = False) -> str:
    """The kind of a column that holds items: `string`, `binary`, or with `from_struct` anything else.

    Raises UsageError where there is no such column, where it is no text, and for a frame that can't be judged.
    """
    if not hasattr(df, "mapInArrow"):
        raise UsageError(
            f"{type(df).__name__} is no DataFrame of Spark",
            hint="spark.createDataFrame(rows, 'value string') makes one",
        )
    names = list(df.columns)
    if column not in names:
        close = f"the columns are {', '.join(names[:20])}"
        raise UsageError(f"the table has no column {column}", hint=f"{close}: name the one with the items")
    folded = [name.casefold() for name in names]
    twice = next((name for name in names if folded.count(name.casefold()) > 1), None)
    if twice is not None:
        raise UsageError(
            f"the table has two columns {twice}, as case counts for nothing", hint="rename one of them"
        )
    ours = next((name for name in names if name.casefold() in (VERDICT, COPY, TEXT)), None)
    if ours is not None:
        raise UsageError(f"the table has a column {ours} already", hint="rename it, or drop it")
    kind = str(df.schema[column].dataType.typeName())
    if kind in ("char", "varchar"):
        kind = "string"
    if kind in ("string", "binary") or (from_struct and kind in ("struct", "map", "variant")):
        return kind
    if kind in ("struct", "map", "variant"):
        raise UsageError(
            f"the column {column} is a {kind}, not text",
            hint="read the JSON as text; from_struct=True judges what a struct has kept of it",
        )
    raise UsageError(
        f"the column {column} is of the type {kind}, not text", hint="name the column with the JSON texts"
    )
