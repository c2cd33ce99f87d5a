from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from evalcontract.errors import UnreadableInput
from evalcontract.rag import Bm25Retriever, HybridRetriever, RetrievedDocument, Retriever, SqliteRetriever

DOCUMENTS = [
    RetrievedDocument(
        "paris", "Paris is the capital of France. The Eiffel Tower stands in Paris.", source_id="a.txt"
    ),
    RetrievedDocument("london", "London is the capital of England."),
    RetrievedDocument("tokyo", "東京スカイツリーの高さは634メートルです。"),
    RetrievedDocument("bangkok", "วัดพระแก้วอยู่ในกรุงเทพมหานคร"),
    RetrievedDocument("cafe", "Un café à Besançon. Größe."),
]

Make = Callable[[list[RetrievedDocument]], Retriever]


def in_sqlite(documents: list[RetrievedDocument]) -> Retriever:
    retriever = SqliteRetriever()
    try:
        retriever.add(documents)
    except BaseException:
        retriever.close()
        raise
    return retriever


@pytest.fixture(params=[in_sqlite, Bm25Retriever], ids=["sqlite", "bm25s"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    made: list[Retriever] = []

    def build(documents: list[RetrievedDocument]) -> Retriever:
        made.append(request.param(documents))
        return made[-1]

    yield build
    for retriever in made:
        if isinstance(retriever, SqliteRetriever):
            retriever.close()


def found(retriever: Retriever, question: str, limit: int = 5) -> list[str]:
    return [document.document_id for document in asyncio.run(retriever.search(question, limit))]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where is the Eiffel Tower?", "paris"),
        ("capital of England", "london"),
        ("東京スカイツリー", "tokyo"),
        ("วัดพระแก้ว", "bangkok"),
        ("cafe\u0301", "cafe"),
        ("GRÖSSE", "cafe"),
    ],
)
def test_the_document_with_the_rare_words_comes_first(make: Make, question: str, first: str) -> None:
    assert found(make(DOCUMENTS), question)[0] == first


def test_scores_fall_along_the_ranking_and_the_text_comes_along(make: Make) -> None:
    documents = asyncio.run(make(DOCUMENTS).search("capital of France Paris", 5))
    scores = [document.score for document in documents]
    assert scores == sorted(scores, reverse=True)  # type: ignore[type-var]
    assert all(score is not None and score > 0 for score in scores)
    assert (documents[0].content, documents[0].source_id) == (DOCUMENTS[0].content, "a.txt")


@pytest.mark.parametrize("question", ["zebra", "", "???", '"', "* AND (", "\u0301", "NEAR(a b)", "content:x"])
def test_questions_without_a_shared_word_find_nothing(make: Make, question: str) -> None:
    assert found(make(DOCUMENTS), question) == []


@pytest.mark.parametrize(
    "question", ['London" OR "', "London NOT capital", "words:London", "London*", "London -capital"]
)
def test_query_syntax_in_a_question_is_only_text(make: Make, question: str) -> None:
    assert "london" in found(make(DOCUMENTS), question)


def test_the_limit_holds_and_ties_are_ordered_by_id(make: Make) -> None:
    same = [RetrievedDocument(id_, "same words") for id_ in ("c", "a", "b", "d")]
    assert found(make(same), "same", 3) == ["a", "b", "c"]


def test_an_empty_index_finds_nothing(make: Make) -> None:
    assert found(make([]), "anything") == []


def test_a_document_given_twice_is_refused(make: Make) -> None:
    with pytest.raises(ValueError, match="'london'"):
        make([DOCUMENTS[1], DOCUMENTS[1]])


def test_a_failed_addition_leaves_the_index_as_it_was() -> None:
    with SqliteRetriever() as retriever:
        assert retriever.add([DOCUMENTS[0]]) == 1
        with pytest.raises(ValueError, match="no text"):
            retriever.add([DOCUMENTS[1], RetrievedDocument("x")])
        assert found(retriever, "London England") == []
        assert retriever.add([DOCUMENTS[1]]) == 1
        assert found(retriever, "London") == ["london"]


def test_an_index_file_is_kept_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    with SqliteRetriever(path) as retriever:
        retriever.add(DOCUMENTS)
    with SqliteRetriever(path) as retriever:
        assert found(retriever, "東京") == ["tokyo"]


def test_a_file_that_is_no_index_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("this is not a database, but long enough to be read as one" * 100)
    with pytest.raises(UnreadableInput, match="document index"):
        SqliteRetriever(path)
    with pytest.raises(UnreadableInput, match="document index"):
        SqliteRetriever(tmp_path / "missing" / "index.sqlite")


def test_many_searches_at_once_agree(make: Make) -> None:
    retriever = make(DOCUMENTS)

    async def search_all() -> list[Sequence[RetrievedDocument]]:
        return list(await asyncio.gather(*(retriever.search("capital", 5) for _ in range(30))))

    results = asyncio.run(search_all())
    assert all(result == results[0] for result in results)
    assert len(results[0]) == 2


class Fixed:
    def __init__(self, *documents: RetrievedDocument) -> None:
        self.documents = documents
        self.limits: list[int] = []

    async def search(self, question: str, limit: int) -> Sequence[RetrievedDocument]:
        self.limits.append(limit)
        return self.documents[:limit]


def test_a_hybrid_fuses_rankings_and_keeps_known_texts() -> None:
    first = Fixed(RetrievedDocument("a", None, 9.0), RetrievedDocument("b", "B", 8.0))
    second = Fixed(
        RetrievedDocument("b", "other", 0.1), RetrievedDocument("a", "A", 0.1), RetrievedDocument("c", "C")
    )
    documents = asyncio.run(HybridRetriever(first, second, depth=2).search("q", 2))
    assert [(d.document_id, d.content) for d in documents] == [("a", "A"), ("b", "B")]
    assert documents[0].score == pytest.approx(1 / 61 + 1 / 62)
    assert first.limits == second.limits == [4]


def test_a_hybrid_of_both_indexes_answers() -> None:
    with SqliteRetriever() as lexical:
        lexical.add(DOCUMENTS)
        assert found(HybridRetriever(lexical, Bm25Retriever(DOCUMENTS)), "Eiffel Tower")[0] == "paris"


def test_bad_settings_of_a_hybrid_are_refused_when_it_is_made() -> None:
    with pytest.raises(ValueError, match="at least one retriever"):
        HybridRetriever()
    with pytest.raises(ValueError, match="weights"):
        HybridRetriever(Fixed(), weights=[1, 2])
    with pytest.raises(ValueError, match="depth"):
        HybridRetriever(Fixed(), depth=0)
