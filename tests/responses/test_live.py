"""validate_rag_response against plain dictionary access and the models, and the errors that it raises."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.errors import ContractError, ContractViolation
from evalcontract.models import RAGCitation, RAGContext
from evalcontract.responses import (
    InvalidCitations,
    MissingPart,
    NoChoices,
    iter_rag_response_errors,
    validate_rag_response,
)


def reference(response: dict[str, Any]) -> list[RAGCitation]:
    """What a service does by hand."""
    return RAGContext.model_validate(response["choices"][0]["message"]["context"]).citations


def answer(context: Any, **message: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": "x", "context": context, **message}}]}


PASSAGE = {"retrieved_context": "Opened in 1879.", "document_id": "d1", "score": 0.5, "source_id": "idx"}

texts = st.sampled_from([None, "", "a", "é", 3])
citations = st.fixed_dictionaries(
    {"retrieved_context": st.sampled_from(["a", "é b", "a", "", None, 1])},
    optional={
        "document_id": texts,
        "score": st.sampled_from([None, 0, 0.5, 1, -0.1, 1.1, 2, "0.5", True]),
        "source_id": texts,
        "title": texts,
    },
)
contexts = st.fixed_dictionaries(
    {}, optional={"citations": st.lists(citations, max_size=3) | st.none(), "intent": texts}
)
messages = st.fixed_dictionaries({}, optional={"context": contexts | st.none(), "content": texts})
choices = st.fixed_dictionaries({}, optional={"message": messages, "index": st.integers(0, 2)})
responses = st.fixed_dictionaries({}, optional={"choices": st.lists(choices, max_size=2)})


def outcome(call: Callable[[Any], Any], response: Any) -> Any:
    try:
        return call(response)
    except (KeyError, IndexError, pydantic.ValidationError) as error:
        return next(
            kind for kind in (KeyError, IndexError, pydantic.ValidationError) if isinstance(error, kind)
        )


@given(response=responses)
def test_it_does_what_dictionary_access_and_the_models_do_and_is_stricter_only_on_types(
    response: Any,
) -> None:
    before = copy.deepcopy(response)
    ours, theirs = outcome(validate_rag_response, response), outcome(reference, response)
    assert response == before
    if ours != theirs:
        # A model reads "0.5" and true as numbers; the schema does not.
        assert ours is pydantic.ValidationError
        scores = [each.get("score") for each in response["choices"][0]["message"]["context"]["citations"]]
        assert isinstance(theirs, list)
        assert any(isinstance(score, str | bool) for score in scores)


@given(response=responses)
def test_all_errors_are_found_and_a_clean_response_has_none(response: Any) -> None:
    found = list(iter_rag_response_errors(response))
    if not found:
        assert isinstance(validate_rag_response(response), list)
    elif outcome(validate_rag_response, response).__class__ is list:
        assert all(each.pointer.startswith("/choices/1") for each in found)


@pytest.mark.parametrize(
    ("response", "kind", "pointer"),
    [
        ({}, KeyError, "/choices"),
        ({"choices": [{}]}, KeyError, "/choices/0/message"),
        ({"choices": [{"delta": {"content": "x"}}]}, KeyError, "/choices/0/message"),
        (
            {"choices": [{"message": {"content": None, "tool_calls": [{"id": "c1"}]}}]},
            KeyError,
            "/choices/0/message/context",
        ),
        ({"choices": []}, IndexError, "/choices"),
        (answer({}), pydantic.ValidationError, "/choices/0/message/context/citations"),
        (answer({"citations": None}), pydantic.ValidationError, "/choices/0/message/context/citations"),
        (answer(None), pydantic.ValidationError, "/choices/0/message/context"),
        (
            answer({"citations": [{**PASSAGE, "retrieved_context": ""}]}),
            pydantic.ValidationError,
            "/choices/0/message/context/citations/0/retrieved_context",
        ),
        (
            answer({"citations": [PASSAGE, {**PASSAGE, "score": 1.01}]}),
            pydantic.ValidationError,
            "/choices/0/message/context/citations/1/score",
        ),
        (
            answer({"citations": [{**PASSAGE, "score": float("nan")}]}),
            pydantic.ValidationError,
            "/choices/0/message/context/citations/0/score",
        ),
        ({"choices": [{"message": None}]}, pydantic.ValidationError, "/choices/0/message"),
        ({"choices": "none"}, pydantic.ValidationError, "/choices"),
        ([], pydantic.ValidationError, ""),
    ],
)
def test_each_fault_has_its_documented_class_and_its_place(
    response: Any, kind: type[Exception], pointer: str
) -> None:
    with pytest.raises(kind) as caught:
        validate_rag_response(response)
    error = caught.value
    assert isinstance(error, ContractViolation)
    assert [each.pointer for each in error.violations] == [pointer]  # type: ignore[attr-defined]
    assert (pointer or "(document)") in str(error) or isinstance(error, MissingPart | NoChoices)
    assert pickle.loads(pickle.dumps(error)).violations == error.violations  # noqa: S301 - our own bytes
    assert str(copy.copy(error)) == str(error)


def test_a_tool_call_without_content_but_with_context_is_fine() -> None:
    response = answer({"citations": []}, content=None, tool_calls=[{"id": "c1"}])
    assert validate_rag_response(response) == []


def test_only_the_first_choice_is_returned_but_every_choice_is_checked() -> None:
    response = answer({"citations": [PASSAGE]})
    response["choices"].append({"message": {"context": {"citations": [{}]}}})
    (found,) = validate_rag_response(response)
    assert found == RAGCitation(**PASSAGE)
    assert [each.pointer for each in iter_rag_response_errors(response)] == [
        "/choices/1/message/context/citations/0/retrieved_context"
    ]


def test_pydantic_sees_the_same_faults() -> None:
    with pytest.raises(pydantic.ValidationError) as caught:
        validate_rag_response(answer({"citations": [{"retrieved_context": "{braces}", "score": 2}, {}]}))
    assert isinstance(caught.value, InvalidCitations)
    assert isinstance(caught.value, ContractError)
    assert caught.value.error_count() == 2
    assert [(each["type"], each["loc"], each["input"]) for each in caught.value.errors()] == [
        ("less_than_equal", ("citations", 0, "score"), 2),
        ("missing", ("citations", 1, "retrieved_context"), {}),
    ]


class Completion(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    choices: list[Any]


class Dumped:
    def __init__(self, document: Any) -> None:
        self.document = document

    def model_dump(self) -> Any:
        return self.document


def test_objects_with_model_dump_are_read_at_every_level() -> None:
    document = answer({"citations": [PASSAGE]})
    expected = [RAGCitation(**PASSAGE)]
    assert validate_rag_response(Completion(**document)) == expected
    assert validate_rag_response(Dumped(document)) == expected
    assert validate_rag_response({"choices": [Dumped(document["choices"][0])]}) == expected
    nested = answer(RAGContext(citations=[RAGCitation(**PASSAGE)]))
    assert validate_rag_response(nested) == expected
    assert list(iter_rag_response_errors(nested)) == []


def test_an_unchecked_sdk_object_gives_a_verdict_and_no_warning() -> None:
    built = Completion.model_construct(choices=({"message": {"context": {"citations": [PASSAGE]}}},))
    assert validate_rag_response(built) == [RAGCitation(**PASSAGE)]


def test_own_fields_of_a_citation_are_kept() -> None:
    (found,) = validate_rag_response(answer({"citations": [{**PASSAGE, "title": "Bridge"}]}))
    assert found.model_dump()["title"] == "Bridge"
