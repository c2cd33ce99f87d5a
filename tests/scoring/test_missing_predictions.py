"""A missing prediction scores 0 wherever an answer could have a value, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalcontract.metrics import METRICS, MetricOptions
from evalcontract.scoring import ScoreSettings
from evalcontract.scoring.item import Scorer
from tests.support.examples import RELEASES, release
from tests.support.scoring import item, measure, prediction, scored

NOTHING_RELEVANT = ({"document_id": "hours", "relevance": 0},)


def missing(
    of: dict[str, Any], schema_type: str = "rag", **options: Any
) -> dict[str, tuple[float | None, str]]:
    """The scores of an item without a prediction."""
    scorer = Scorer(ScoreSettings(ks=(5,), options=MetricOptions(**options)))
    found = scorer.score(of, None, schema_type).scores
    return {name: (score.value, score.reason or "") for name, score in found.items()}


@pytest.mark.parametrize(
    "name",
    [
        "answer_f1",
        "groundedness",
        "quality_overall",
        "recall_at_5",
        "ndcg_at_5",
        "judged_at_5",
        "citation_validity",
    ],
)
def test_it_scores_0_with_the_reason(name: str) -> None:
    cited = item("a", citations=[{"document_id": "hours"}])
    assert missing(cited)[name] == (0.0, "no prediction")


def test_an_empty_expectation_is_not_met_by_saying_nothing() -> None:
    silent = item("a", response="", citations=[], tool_calls=[], handoff_expected=False)
    found = missing(silent, "rag_agent")
    for name in ("citation_f1", "tool_calls_exact", "tool_call_f1", "routing_match"):
        assert found[name] == (0.0, "no prediction")


def test_nothing_is_missed_where_nothing_is_relevant() -> None:
    found = missing(item("a", judged=NOTHING_RELEVANT))
    assert found["recall_at_5"] == (None, "nothing is relevant for this query")
    assert found["empty_when_nothing_relevant"] == (0.0, "no prediction")


def test_what_is_not_annotated_does_not_apply() -> None:
    found = missing(item("a", judged=None))
    assert found["ndcg_at_5"] == (None, "the item has no expected_output.retrieval_ground_truth")
    assert found["citation_f1"] == (None, "the item has no expected_output.citations")
    assert found["quote_accuracy"][0] is None


def test_support_needs_its_threshold() -> None:
    cited = item(
        "a", response="It opens at nine [1].", citations=[{"document_id": "hours", "response_marker": "[1]"}]
    )
    assert missing(cited)["citation_support_recall"] == (None, "no support threshold is given")
    assert missing(cited, support_threshold=0.5)["citation_support_recall"] == (0.0, "no prediction")


@pytest.mark.parametrize("name", RELEASES)
def test_where_the_expected_answer_has_a_value_a_missing_one_has_0(name: str) -> None:
    schema_type = release(name)["metadata"]["input_schema_type"]
    scorer = Scorer(ScoreSettings(ks=(5,)))
    for each in release(name)["items"]:
        supplied = each["input"].get("document_ids") or []
        answer = each["expected_output"] | {"retrieved_documents": [{"document_id": id_} for id_ in supplied]}
        absent = scorer.score(each, None, schema_type).scores
        for measured, score in scorer.score(each, answer, schema_type).scores.items():
            if score.value is not None:
                assert absent[measured].value == 0.0, (each["item_id"], measured)


def test_every_metric_of_a_type_is_decided_for_every_item() -> None:
    names = {each.name.replace("_at_k", "_at_5") for each in METRICS if "rag" in each.schema_types}
    assert missing(item("a")).keys() == names


def test_missing_ones_are_listed_and_lower_the_mean(tmp_path: Path) -> None:
    report = scored(
        tmp_path, [item("a"), item("b"), item("c"), item("d")], [prediction("c"), prediction("a")]
    )
    assert report.missing == ("b", "d")
    assert measure(report, "recall_at_1").mean == 0.5
    assert measure(report, "recall_at_1").n_scored == 4
    assert measure(report, "recall_at_1").worst[0].reason == "no prediction"
