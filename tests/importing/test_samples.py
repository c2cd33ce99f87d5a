"""Items as objects of ragas and deepeval; the tests of each need the library, and say so where it is missing."""

from __future__ import annotations

from typing import Any

import pytest

from evalcontract.errors import UsageError
from evalcontract.importing import from_deepeval, from_ragas, to_deepeval, to_ragas

ITEM: dict[str, Any] = {
    "item_id": "q1",
    "input": {"messages": [{"role": "user", "content": "When?"}], "context": ["Doors open at nine."]},
    "expected_output": {"response": "At nine."},
}
CALLS = [{"name": "clock", "args": {"tz": "UTC"}}]
RECORD = {"item_id": "q1", "prediction": {"response": "Nine."}}
RETRIEVED = {
    "item_id": "q1",
    "prediction": {"retrieved_documents": [{"document_id": "d", "content": "At nine."}]},
}


@pytest.fixture
def ragas() -> Any:
    return pytest.importorskip("ragas", reason="pip install 'evalcontract[ragas]'")


@pytest.fixture
def deepeval() -> Any:
    return pytest.importorskip("deepeval", reason="pip install 'evalcontract[deepeval]'")


def test_ragas_holds_an_item_and_its_answer_and_gives_them_back(ragas: Any) -> None:
    dataset = to_ragas([ITEM], [RECORD])
    (sample,) = dataset.samples
    assert isinstance(sample, ragas.SingleTurnSample)
    assert (sample.user_input, sample.reference, sample.response) == ("When?", "At nine.", "Nine.")
    (item,), (record,) = from_ragas(dataset)
    assert (item["input"], item["expected_output"]) == (ITEM["input"], ITEM["expected_output"])
    assert record["prediction"] == RECORD["prediction"]
    assert to_ragas([ITEM], [RETRIEVED]).samples[0].retrieved_contexts == ["At nine."]


def test_deepeval_holds_an_item_and_its_answer_and_gives_them_back(deepeval: Any) -> None:
    item = ITEM | {"expected_output": {"response": "At nine.", "tool_calls": CALLS}}
    record = {"item_id": "q1", "prediction": {"response": "Nine.", "tool_calls": CALLS}}
    (case,) = to_deepeval([item], [record])
    assert (case.name, case.actual_output, case.context) == ("q1", "Nine.", ["Doors open at nine."])
    assert case.tools_called[0].input_parameters == {"tz": "UTC"}
    assert from_deepeval([case]) == ([item], [record])
    assert to_deepeval([ITEM], [RETRIEVED])[0].retrieval_context == ["At nine."]


@pytest.mark.parametrize(("library", "make"), [("ragas", to_ragas), ("deepeval", to_deepeval)])
def test_what_no_sample_can_be_is_refused(request: pytest.FixtureRequest, library: str, make: Any) -> None:
    request.getfixturevalue(library)
    turns = [{"role": role, "content": "x"} for role in ("user", "assistant", "user")]
    with pytest.raises(UsageError, match="leave conversations out|one question|one turn"):
        make([ITEM | {"input": {"messages": turns}}])
    with pytest.raises(UsageError, match="several predictions"):
        make([ITEM], [RECORD, dict(RECORD)])
    with pytest.raises(UsageError, match="there is no item"):
        make([], [RECORD])


@pytest.mark.parametrize(("library", "make"), [("ragas", to_ragas), ("deepeval", to_deepeval)])
def test_a_missing_library_is_said(monkeypatch: pytest.MonkeyPatch, library: str, make: Any) -> None:
    for module in (f"{library}.dataset_schema", f"{library}.test_case"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(UsageError, match=f"{library} can't be imported") as raised:
        make([ITEM])
    assert raised.value.hint == f"pip install 'evalcontract[{library}]'"
