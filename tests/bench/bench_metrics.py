"""Time the metrics against rag-quality-kit, pytrec_eval and ranx on the same data, in one process.

Run `python -m tests.bench.bench_metrics [--queries 100000]`: a markdown table of CPU times and ratios.
What is not installed is named and left out. ranx is timed warm, after it has compiled.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

from evalcontract.metrics import ContextIndex, groundedness, missing_evidence, score, score_run
from evalcontract.rag import RetrievedDocument, fit_context
from tests.support.contrast_pairs import load_pairs, told_apart

Row = tuple[str, str, str]
Triple = tuple[str, list[str], str]
REPEATS = 5


def cpu_seconds(run: Callable[[], object], repeats: int = REPEATS) -> float:
    """Least CPU time of several runs (the least disturbed one)."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def paragraph(rng: random.Random, words: list[str], sentences: int) -> str:
    return " ".join(
        " ".join(rng.choices(words, k=rng.randint(8, 20))).capitalize() + "." for _ in range(sentences)
    )


def triples(n: int, sentences: int = 10, seed: int = 7) -> list[Triple]:
    rng = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(4000)] + [
        "the",
        "of",
        "is",
    ] * 300
    made = []
    for _ in range(n):
        contexts = [paragraph(rng, words, sentences) for _ in range(5)]
        taken = " ".join(rng.choice(contexts).split()[:60])
        made.append(
            (" ".join(rng.choices(words, k=9)) + "?", contexts, taken + " " + paragraph(rng, words, 1))
        )
    return made


def lexical_rows() -> Iterator[Row]:
    kit = optional("rag_quality_kit")
    if kit is None:
        yield "section 1", "rag-quality-kit is not installed", ""
        return
    data = triples(300)
    assert all(vars_of(score(*t)) == vars_of(kit.score(*t)) for t in data)

    def ours_indexed() -> None:
        for question, contexts, answer in data:
            index = ContextIndex(contexts)
            score(question, index, answer)
            missing_evidence(answer, index)

    def theirs_both() -> None:
        for question, contexts, answer in data:
            kit.score(question, contexts, answer)
            kit.missing_evidence(answer, contexts)

    def ours_five() -> None:
        for question, contexts, answer in data:
            index = ContextIndex(contexts)
            for _ in range(5):
                score(question, index, answer)

    def theirs_five() -> None:
        for question, contexts, answer in data:
            for _ in range(5):
                kit.score(question, contexts, answer)

    def per_triple(run: Callable[[], object]) -> float:
        return cpu_seconds(run) / len(data) * 1e6

    def compared(name: str, ours: Callable[[], object], theirs: Callable[[], object]) -> Row:
        a, b = per_triple(ours), per_triple(theirs)
        return name, f"{a:.0f} us a triple", f"{b / a:.1f}x faster than rag-quality-kit ({b:.0f} us)"

    yield compared(
        "score, contexts read for one answer",
        lambda: [score(*t) for t in data],
        lambda: [kit.score(*t) for t in data],
    )
    yield compared("score + missing_evidence, contexts read once", ours_indexed, theirs_both)
    yield compared("score of 5 answers over the same contexts", ours_five, theirs_five)
    indexed = [(question, ContextIndex(contexts), answer) for question, contexts, answer in data]
    yield compared(
        "score, contexts already read",
        lambda: [score(*t) for t in indexed],
        lambda: [kit.score(*t) for t in data],
    )
    yield from grounded_rows(kit)


def grounded_rows(kit: Any) -> Iterator[Row]:
    """What groundedness costs a triple, each few triples in turns with rag-quality-kit's score of the same."""

    def plain(triple: Triple) -> object:
        return groundedness(triple[2], triple[1])

    def explained(triple: Triple) -> object:
        return groundedness(triple[2], triple[1]).details

    fresh, known = triples(100, seed=8), triples(400, seed=8)[100:]
    for name, made, ours in (
        ("groundedness, words and passages new", fresh, plain),
        ("groundedness, passages new", known[:150], plain),
        ("groundedness with explanation, passages new", known[150:], explained),
        ("groundedness, passages read before", known[:150], plain),
        ("groundedness with explanation, passages read before", known[150:], explained),
    ):
        mine, theirs = in_turns(lambda t, run=ours: run(t), lambda t: kit.score(*t), made)  # type: ignore[misc]
        times = f"{mine / theirs:.1f}x the time of rag-quality-kit's score ({theirs:.0f} us)"
        yield name, f"{mine:.0f} us a triple", times


def in_turns(
    ours: Callable[[Triple], object], theirs: Callable[[Triple], object], made: list[Triple], few: int = 10
) -> tuple[float, float]:
    """Median CPU time of either in us a triple, over stretches of a few triples, each of which both take once."""
    taken: tuple[list[float], list[float]] = [], []
    for start in range(0, len(made), few):
        stretch = made[start : start + few]
        for run, found in zip((theirs, ours), reversed(taken), strict=True):
            found.append(cpu_seconds(lambda r=run, s=stretch: [r(t) for t in s], 1) / len(stretch) * 1e6)  # type: ignore[misc]
    return median(taken[0]), median(taken[1])


def told_apart_rows() -> Iterator[Row]:
    """How far groundedness tells faithful answers from corrupted ones, in the pairs of the tests."""
    pairs = load_pairs()
    for kind in dict.fromkeys(pair.category for pair in pairs):
        of_kind = [pair for pair in pairs if pair.category == kind]
        yield f"groundedness, {kind} changed", f"AUROC {told_apart(of_kind):.3f}", f"{len(of_kind)} pairs"


def fitted_rows() -> Iterator[Row]:
    """What it costs a passage to fit passages into a budget: the same however many there are."""
    for size in (100, 1_000, 10_000):
        documents = [RetrievedDocument(f"d{number}", "so many words " * 20) for number in range(size)]
        run = partial(fit_context, documents, 60 * size, lambda text: text.count(" "))
        yield f"fit_context, {size:,} passages", f"{cpu_seconds(run, 3) / size * 1e6:.1f} us a passage", ""


def vars_of(result: Any) -> tuple[float, ...]:
    return (
        result.groundedness,
        result.context_relevance,
        result.answer_relevance,
        result.conciseness,
        result.overall,
    )


def groundedness_rows() -> Iterator[Row]:
    for sentences in (10, 40, 160, 640, 2560):
        (_, contexts, answer), *_ = triples(1, sentences)
        characters = sum(map(len, contexts))
        seconds = cpu_seconds(lambda a=answer, c=contexts: groundedness(a, c))  # type: ignore[misc]
        yield (
            f"groundedness, {characters:,} characters",
            f"{seconds * 1e6 / characters:.3f} us a character",
            "",
        )


def retrieval_rows(n_queries: int) -> Iterator[Row]:
    rng = random.Random(11)
    qrels: dict[str, dict[str, int]] = {}
    scores: dict[str, dict[str, float]] = {}
    for number in range(n_queries):
        documents = [f"d{rng.randrange(100_000)}" for _ in range(20)]
        qrels[f"q{number}"] = {id_: rng.choice((0, 1, 2)) for id_ in documents[:6]} | {f"x{number}": 1}
        scores[f"q{number}"] = {id_: rng.random() for id_ in documents}
    rankings = {query: sorted(run, key=run.__getitem__, reverse=True) for query, run in scores.items()}

    def per_query(run: Callable[[], object]) -> float:
        return cpu_seconds(run, 3) / n_queries * 1e6

    ours = per_query(lambda: score_run(rankings, qrels, ks=(10,)))
    yield f"8 retrieval metrics, {n_queries:,} queries of 20", f"{ours:.1f} us a query", ""
    trec = optional("pytrec_eval")
    if trec is not None:
        names = {"P_10", "recall_10", "success_10", "ndcg_cut_10", "recip_rank", "map", "Rprec", "ndcg"}
        theirs = per_query(lambda: trec.RelevanceEvaluator(qrels, names).evaluate(scores))
        yield "the same, pytrec_eval", f"{theirs:.1f} us a query", f"{theirs / ours:.2f}x our time"
    else:
        yield "the same, pytrec_eval", "not installed", ""
    ranx = optional("ranx")
    if ranx is not None:
        names_ranx = [
            "precision@10",
            "recall@10",
            "hit_rate@10",
            "ndcg@10",
            "mrr",
            "map",
            "r-precision",
            "ndcg",
        ]
        few = list(qrels)[:10]
        ranx.evaluate(
            ranx.Qrels({q: qrels[q] for q in few}), ranx.Run({q: scores[q] for q in few}), names_ranx
        )
        theirs = per_query(lambda: ranx.evaluate(ranx.Qrels(qrels), ranx.Run(scores), names_ranx))
        yield "the same, ranx after its compile", f"{theirs:.1f} us a query", f"{theirs / ours:.2f}x our time"
        made = ranx.Qrels(qrels), ranx.Run(scores)
        theirs = per_query(lambda: ranx.evaluate(*made, names_ranx))
        yield (
            "ranx, its own tables already built",
            f"{theirs:.1f} us a query",
            f"{theirs / ours:.2f}x our time",
        )
    else:
        yield "the same, ranx", "not installed", ""


def table(queries: int) -> str:
    """Everything measured here, as Markdown."""
    rows = [
        *lexical_rows(),
        *groundedness_rows(),
        *told_apart_rows(),
        *fitted_rows(),
        *retrieval_rows(queries),
    ]
    lines = ["| what | CPU time | compared |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=100_000)
    print(table(parser.parse_args().queries))


if __name__ == "__main__":
    main()
