from __future__ import annotations

import random

import pytest
import pytrec_eval

from evalcontract.metrics import rank_by_score, retrieval_precision, score_run

NAMES = {
    "precision_at_{k}": "P_{k}",
    "recall_at_{k}": "recall_{k}",
    "hit_rate_at_{k}": "success_{k}",
    "ndcg_at_{k}": "ndcg_cut_{k}",
}
WHOLE = {"reciprocal_rank": "recip_rank", "average_precision": "map", "r_precision": "Rprec", "ndcg": "ndcg"}
KS = (1, 3, 5, 10, 20)

Scores = dict[str, dict[str, float]]
Truth = dict[str, dict[str, int]]


def random_runs(n_queries: int, *, ties: bool) -> tuple[Scores, Truth]:
    rng = random.Random(5)
    scores: Scores = {}
    truth: Truth = {}
    for number in range(n_queries):
        pool = [f"d{i}" for i in range(rng.randint(1, 60))]
        retrieved = rng.sample(pool, rng.randint(1, len(pool)))
        judged = rng.sample(pool, rng.randint(1, len(pool)))
        grades = rng.choice([(0, 1), (0, 1, 2), (0, 0, 0, 2), (-1, 0, 1, 2)])
        values = (
            [float(rng.randint(0, 3)) for _ in retrieved]
            if ties
            else [float(i) for i in range(len(retrieved))]
        )
        scores[f"q{number}"] = dict(zip(retrieved, values, strict=True))
        truth[f"q{number}"] = {id_: rng.choice(grades) for id_ in judged}
    return scores, truth


@pytest.mark.parametrize("ties", [False, True], ids=["no ties", "ties as trec_eval breaks them"])
def test_thousands_of_graded_runs_score_as_in_trec_eval(ties: bool) -> None:
    scores, truth = random_runs(2500, ties=ties)
    measures = {f"{name}.{','.join(map(str, KS))}" for name in ("P", "recall", "success", "ndcg_cut")}
    theirs = pytrec_eval.RelevanceEvaluator(truth, measures | set(WHOLE.values())).evaluate(scores)
    rankings = {query: rank_by_score(run, ties="trec").ids for query, run in scores.items()}
    ours = score_run(rankings, truth, KS)
    compared = 0
    for query, values in ours.by_query.items():
        names = {ours_.format(k=k): trec.format(k=k) for k in KS for ours_, trec in NAMES.items()} | WHOLE
        for name, trec_name in names.items():
            if any(grade > 0 for grade in truth[query].values()):
                assert values[name] == pytest.approx(theirs[query][trec_name], abs=1e-9), (query, name)
                compared += 1
            else:
                assert values[name] is None
                assert theirs[query][trec_name] == 0.0
    assert compared > 40_000


def test_the_precision_of_all_that_was_retrieved_is_set_p_of_trec_eval() -> None:
    scores, truth = random_runs(500, ties=False)
    theirs = pytrec_eval.RelevanceEvaluator(truth, {"set_P"}).evaluate(scores)
    for query, run in scores.items():
        found = retrieval_precision(rank_by_score(run).ids, truth[query]).value
        if any(grade > 0 for grade in truth[query].values()):
            assert found == pytest.approx(theirs[query]["set_P"], abs=1e-9)
        else:
            assert found is None
    assert retrieval_precision([], {"a": 1}).value == 0.0
    assert retrieval_precision(["a", "a", "b"], {"a": 1}).value == 0.5
    assert retrieval_precision(["a", "b"], {"a": 1, "b": 2}, min_grade=2).value == 0.5
