"""Rows of other tools as hypothesis makes them, different values in every field."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from evalcontract.importing.mapping import MappedField, Mapping
from evalcontract.importing.targets import Part, TargetField
from evalcontract.importing.values import put

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=20)
NAMES = st.text(st.sampled_from("abcdefgh_"), min_size=1, max_size=8)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
IDS = TEXT | st.integers(0, 2**53 - 1)


def calls(options: Any) -> st.SearchStrategy[Any]:
    key = options.get("args_key", "args")
    args_key = st.sampled_from(key) if isinstance(key, list) else st.just(key)
    return st.lists(
        args_key.flatmap(
            lambda args: st.fixed_dictionaries(
                {options.get("name_key", "name"): TEXT, args: st.dictionaries(NAMES, JSON, max_size=3)},
                optional={"reasoning": TEXT},
            )
        ),
        max_size=3,
    )


def messages(options: Any) -> st.SearchStrategy[Any]:
    roles = [*options.get("roles", {}), "user", "assistant", "system"]
    message = st.fixed_dictionaries(
        {options.get("role_key", "role"): st.sampled_from(roles), "content": TEXT}, optional={"name": TEXT}
    )
    return TEXT | st.lists(message, min_size=1, max_size=3)


def values_of(field: MappedField) -> st.SearchStrategy[Any]:
    """Source values that the transform of a field takes."""
    options: Any = field.options
    id_key = options.get("id_key", "document_id")
    judged = st.integers(0, 2)
    by_transform = {
        "text": TEXT,
        "id": IDS.filter(bool),
        "single": TEXT | st.lists(TEXT, min_size=1, max_size=1),
        "references": TEXT | st.lists(TEXT, min_size=1, max_size=3),
        "list": st.lists(TEXT, max_size=3),
        "passages": st.lists(TEXT, max_size=3),
        "ids": st.lists(IDS, max_size=3),
        "wrap": TEXT,
        "json": st.lists(st.fixed_dictionaries({"document_id": TEXT}), max_size=3)
        if field.target.path[-1] == "citations"
        else JSON.filter(lambda value: value is not None),
        "number": st.integers(0, 10**6) | st.floats(0, 1e6),
        "boolean": st.booleans(),
        "messages": messages(options),
        "tool-calls": calls(options),
        "documents": st.lists(
            st.fixed_dictionaries(
                {id_key: TEXT, options.get("score_key", "score"): st.floats(-1e6, 1e6)},
                optional={options.get("content_key", "content"): TEXT},
            ),
            max_size=3,
        ),
        "judgements": st.lists(
            st.fixed_dictionaries({id_key: TEXT, options.get("grade_key", "relevance"): judged}),
            max_size=3,
            unique_by=lambda row: row[id_key],
        )
        if "id_key" in options
        else st.dictionaries(TEXT, judged, max_size=3),
        "relevant-ids": TEXT | st.lists(TEXT | st.integers(1, 99), min_size=1, max_size=3, unique_by=str),
        "cited-ids": TEXT | st.lists(TEXT, min_size=1, max_size=3),
        "equals-text": TEXT.filter(lambda text: text == text.strip()),
        "equals-assertion": st.lists(
            st.fixed_dictionaries({"type": st.sampled_from(["contains", "llm-rubric"]), "value": TEXT}),
            max_size=2,
        ).flatmap(
            lambda others: st.tuples(TEXT, st.permutations(others)).map(
                lambda pair: [*pair[1], {"type": "equals", "value": pair[0]}]
            )
        ),
    }
    return by_transform[field.transform.name]


def answered_by(field: MappedField, value: Any) -> set[TargetField]:
    """The fields that messages fill which end with the assistant's turn: other keys may not fill them too."""
    part = field.options.get("answer")
    if part is None or not isinstance(value, list):
        return set()
    holder: Part = "record" if part == "prediction" else "item"
    names = ("response", "tool_calls", "retrieved_documents", "alternative_responses")
    return {TargetField(holder, (str(part), name)) for name in names} | {
        TargetField("item", ("input", "context"))
    }


@st.composite
def rows(draw: st.DrawFn, mapping: Mapping) -> dict[str, Any]:
    """A row: the required fields, others now and then, known keys that are kept, and one unknown key."""
    row: dict[str, Any] = {}
    filled = set()
    for field in mapping.fields:
        if field.target in filled or not (field.required or draw(st.integers(0, 3))):
            continue
        filled.add(field.target)
        source = draw(st.sampled_from(field.sources))
        value = draw(values_of(field))
        if put(row, source, value):
            filled |= answered_by(field, value)
        else:
            assert source[:1] in mapping.forked
            assert not field.required
    nested = {path[0] for field in mapping.fields for path in field.sources if len(path) > 1}
    nested |= {path[0] for path in mapping.id_sources if len(path) > 1}
    for path in sorted(mapping.keep):
        if draw(st.booleans()) and path[0] not in nested:
            row[path[0]] = draw(JSON)
    row["zz"] = draw(JSON)
    return row
