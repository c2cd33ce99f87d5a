"""Whose answer it is: every provider's own answers, and what only looks like one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalcontract.responses.adapters import PROVIDERS, recognised, resembled
from tests.support.fixtures import fixtures_in, load, name_of

DATA = Path(__file__).parent / "data"
CASES = fixtures_in(DATA)
WITHOUT_MARKS = {
    "anthropic/other_locations",
    "azure_on_your_data/fails_no_choices",
    "openai_responses/last_character_inclusive",
}
"""Cut down to what the adapter reads."""


@pytest.mark.parametrize("path", [*CASES.good, *CASES.bad], ids=name_of)
def test_an_answer_is_taken_for_its_providers_or_for_nobodys(path: Path) -> None:
    provider = path.parent.name
    expected = None if f"{provider}/{path.stem}" in WITHOUT_MARKS else provider
    assert recognised(load(path)["response"]) == expected


def test_every_provider_can_be_recognised() -> None:
    found = {recognised(load(path)["response"]) for path in CASES.good}
    assert found - {None} == {each.name for each in PROVIDERS}


CITED = {"context": {"citations": [{"content": "text"}]}}
OWN = {"context": {"citations": [{"retrieved_context": "text", "score": 2}]}}


@pytest.mark.parametrize("filters", ["prompt_filter_results", "content_filter_results"])
def test_the_filter_results_of_azure_are_a_mark_with_citations_of_its_shape_only(filters: str) -> None:
    def answer(message: dict[str, Any]) -> dict[str, Any]:
        if filters == "prompt_filter_results":
            return {"object": "chat.completion", filters: [], "choices": [{"message": message}]}
        return {"object": "chat.completion", "choices": [{"message": message, filters: {}}]}

    assert recognised(answer(CITED)) == "azure_on_your_data"
    assert recognised(answer(OWN)) is None
    assert recognised(answer({"content": "Hello"})) is None


def test_a_service_that_hands_on_the_keys_of_azure_keeps_the_contract_of_its_own() -> None:
    assert recognised({"object": "extensions.chat.completion", "choices": [{"message": OWN}]}) is None


def test_citations_with_their_text_in_content_resemble_those_of_azure() -> None:
    assert resembled({"choices": [{"message": CITED}]}) == "azure_on_your_data"
    assert resembled({"choices": [{"message": OWN}, {"message": CITED}]}) is None
    assert resembled({"choices": [{"message": {"context": {"citations": []}}}]}) is None


@pytest.mark.parametrize(
    "value",
    [
        None,
        1,
        "data: {}",
        [],
        [1, None],
        {},
        {"choices": None},
        {"choices": [1]},
        {"choices": [{"message": 1}]},
    ],
)
def test_anything_else_is_nobodys(value: Any) -> None:
    assert recognised(value) is None
    assert resembled(value) is None
