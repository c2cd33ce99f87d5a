from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.metrics import find_markers
from evalcontract.texts.markers import STYLES, without_markers


def test_undeclared_markers_are_unresolved_and_repetition_is_fine() -> None:
    report = find_markers("A [1]. B [2]. C [1].", ["[1]"])
    assert report.used == ("[1]", "[2]")
    assert report.unresolved == ("[2]",)
    assert report.unused == ()


def test_declared_markers_that_the_text_lacks_are_unused() -> None:
    report = find_markers("A [1].", ["[1]", "[3]"])
    assert report.unused == ("[3]",)
    assert report.unresolved == ()


CODE = "Use `arr[0]` or:\n```py\nx = dp[1][2]\n```\nas shown [1]. See [2](http://e.x) and f(x)[3]."


def test_code_links_and_indexes_are_no_markers() -> None:
    for declared in ([], ["[1]"]):
        report = find_markers(CODE, declared)
        assert [(marker.text, marker.start) for marker in report.markers] == [("[1]", CODE.index("[1]."))]


def test_declared_markers_win_over_shapes() -> None:
    report = find_markers(CODE, ["[1]", "[2]", "[3]", "[0]"])
    assert report.used == ("[0]", "[1]", "[2]", "[3]")
    assert report.unused == ()


@pytest.mark.parametrize(
    "text",
    [
        "``a`[1]`` x",
        "~~~\n[1]\n~~~",
        "```\n[1]",
        "  ```\n[1]\n  ```",
        "`a\n[1]`",
        "arr[1]",
        "arr[0][1]",
        "x[1] and i[2]",
        "my_list[1]",
        "self.items[1]",
        "word[0]",
        "items[1] = 5",
        "rows[1].append(2)",
        "x2[1]",
        "(f)[1]",
        "[1](http://e.x)",
        "in [1999] and [2024]",
        "a [] b [x] c [ ] d",
    ],
)
def test_what_looks_like_a_marker_but_is_none(text: str) -> None:
    report = find_markers(text)
    assert report.markers == ()
    assert report.marker_like == ()


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("a [1][2]", ("[1]", "[2]")),
        ("a [1, 2]", ("[1]", "[2]")),
        ("a [1-3]", ("[1]", "[2]", "[3]")),
        ("a [^1]", ("[1]",)),
        ("東京【1】", ("[1]",)),
        ("東京［２］", ("[2]",)),
        ("a【4†source】", ("【4†source】",)),
        ("a【4:0†source】b【4:1†source】", ("【4:0†source】", "【4:1†source】")),
        ("built in 1889[1].", ("[1]",)),
        ("word[1]", ("[1]",)),
        ("the towers[1][2] stand", ("[1]", "[2]")),
        ("GPT4[1], H2O[2-3]", ("[1]", "[2]", "[3]")),
        ("Paris.[1]", ("[1]",)),
        ("``a` b [1]", ("[1]",)),
        ("a ` [1]\n\nb ` c", ("[1]",)),
    ],
)
def test_recognised_shapes(text: str, keys: tuple[str, ...]) -> None:
    assert find_markers(text).used == keys


def test_other_styles_are_reported_never_silent() -> None:
    text = "x [^1] y [1] z [ID:30ab9f] w [doc3]"
    assert find_markers(text).marker_like == ("[ID:30ab9f]", "[doc3]")
    report = find_markers(text, ["[ID:30ab9f]"], styles=["number"])
    assert report.used == ("[1]", "[ID:30ab9f]")
    assert report.marker_like == ("[^1]", "[doc3]")
    assert find_markers("[1-900] [9-2]").marker_like == ("[1-900]", "[9-2]")
    with pytest.raises(ValueError, match="style"):
        find_markers(text, styles=["roman"])  # type: ignore[list-item]


def test_another_shape_of_a_declared_number_resolves_to_it() -> None:
    report = find_markers("a【1】 b [1, 2]", ["[1]", "［２］"])
    assert report.used == ("[1]", "［２］")
    assert report.unresolved == ()


def test_a_marker_is_the_whole_of_what_stands_in_its_brackets() -> None:
    text = "a【4:0†source】 b【4:1†source】"
    report = find_markers(text, ["【4:0†source】"])
    assert report.used == ("【4:0†source】", "【4:1†source】")
    assert report.unresolved == ("【4:1†source】",)
    assert find_markers("a【4:0†source】", ["[4]"]).unused == ("[4]",)
    assert find_markers("a 【4:0†source】", styles=["number"]).marker_like == ("【4:0†source】",)


def test_declared_words_are_found_whole_only() -> None:
    assert find_markers("doc12 and doc1", ["doc1"]).markers[0].start == 10
    assert find_markers("doc12", ["doc1"]).unused == ("doc1",)
    assert find_markers("see (*) and **", ["(*)"]).used == ("(*)",)


def test_long_texts_are_searched_in_linear_time() -> None:
    text = ("word [1] `code[2]` x[3] w" + "o" * 60 + "rd[0] ") * 20_000
    assert len(find_markers(text, ["[1]"]).markers) == 20_000
    assert find_markers("`" * 50_000 + "[1]" + "[" * 50_000).markers == ()
    assert len(find_markers("``` ` " * 5_000).markers) == 0


@given(
    st.text(alphabet="[]()`~\n 12a-,^【】", max_size=60),
    st.lists(st.sampled_from(["[1]", "a", "[2]"]), max_size=2),
)
def test_markers_are_where_they_are_said_to_be(text: str, declared: list[str]) -> None:
    report = find_markers(text, declared)
    end = 0
    for marker in report.markers:
        assert text[marker.start : marker.end] == marker.text
        assert marker.start >= end
        end = marker.end
    assert not set(report.unresolved) & set(declared)
    assert set(report.unused) <= set(declared)
    assert len(without_markers(text, report)) == len(text)


PIECES = st.sampled_from(
    [
        "[1]",
        "[2]",
        "[12]",
        "[1999]",
        "[0]",
        "[01]",
        "[",
        "]",
        "(",
        ")",
        "a",
        "x",
        "é",
        "9",
        "_",
        ".",
        " ",
        "\n",
    ]
    + ["`", "~~~", "【1】", "［2］", "[^1]", "[1, 2]", "[note]", "self.items", "arr", "word", "=", "[١]"]
)


@given(
    text=st.lists(PIECES, max_size=10).map("".join),
    declared=st.lists(st.sampled_from(["[1]", "[2]", "[12]", "[0]", "[1999]", "1", "【1】", ""]), max_size=4),
)
def test_plain_brackets_are_read_as_any_others_are(text: str, declared: list[str]) -> None:
    # The quick way is only taken where no styles are chosen.
    assert find_markers(text, declared) == find_markers(text, declared, styles=list(STYLES))
