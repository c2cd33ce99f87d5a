"""Names of releases: read, written, compared, placed in a volume."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue
from evalcontract.errors import UsageError
from evalcontract.release import DatasetName, ReleaseVersion, volume_path
from evalcontract.release.name import readings

PARTS = st.lists(
    st.sampled_from(["rag", "qa", "agent", "smoke", "path", "x-1", "v2"]), min_size=1, max_size=3
)
WORDS = PARTS.map("_".join)
TYPES = st.sampled_from(sorted(default_catalogue().schema_types()))
PLAIN = st.builds(lambda major, minor: f"{major}.{minor}", st.integers(0, 30), st.integers(0, 30))


@given(product=WORDS, type_=TYPES, scope=WORDS, version=PLAIN)
def test_a_name_comes_back_when_its_product_and_scope_are_known(
    product: str, type_: str, scope: str, version: str
) -> None:
    name = DatasetName(product, type_, scope, ReleaseVersion.parse(version))
    assert DatasetName.parse(str(name), product_id=product, scope=scope) == name


@given(product=WORDS, type_=TYPES, scope=WORDS, version=PLAIN)
def test_without_help_a_name_is_read_right_or_called_ambiguous(
    product: str, type_: str, scope: str, version: str
) -> None:
    name = DatasetName(product, type_, scope, ReleaseVersion.parse(version))
    found = readings(str(name))
    assert name in found
    if sum(each.type_written for each in found) == 1:
        assert DatasetName.parse(str(name)) == name
    else:
        with pytest.raises(UsageError, match=f"{sum(each.type_written for each in found)} ways"):
            DatasetName.parse(str(name))


def test_a_name_has_four_parts() -> None:
    name = DatasetName.parse("pathfinder_rag_retrieval_v1.6")
    assert (name.product_id, name.schema_type, name.scope) == ("pathfinder", "rag", "retrieval")
    assert (name.version.major, name.version.minor) == (1, 6)


def test_the_type_qa_may_be_left_out_and_stays_left_out() -> None:
    short, long = DatasetName.parse("pathfinder_smoke_v1.0"), DatasetName.parse("pathfinder_qa_smoke_v1.0")
    assert short == long
    assert hash(short) == hash(long)
    assert str(short) == "pathfinder_smoke_v1.0"
    assert str(long) == "pathfinder_qa_smoke_v1.0"


def test_names_sort_by_version_as_a_number() -> None:
    names = [
        DatasetName.parse(f"pathfinder_rag_retrieval_v{each}") for each in ("1.10", "2.0", "1.9", "1.9-rc1")
    ]
    assert [str(each.version) for each in sorted(names)] == ["1.9-rc1", "1.9", "1.10", "2.0"]


def test_an_ambiguous_name_lists_its_readings() -> None:
    with pytest.raises(UsageError) as caught:
        DatasetName.parse("pathfinder_rag_agent_support_v1.0")
    message = str(caught.value)
    assert "3 ways" in message
    assert "product pathfinder, type rag_agent, scope support" in message
    assert "product pathfinder, type rag, scope agent_support" in message
    assert "product pathfinder_rag, type agent, scope support" in message


def test_what_is_given_decides_between_readings() -> None:
    name = DatasetName.parse("pathfinder_rag_agent_support_v1.0", schema_type="rag_agent")
    assert (name.product_id, name.scope) == ("pathfinder", "support")


def test_a_name_without_a_type_may_be_ambiguous_too() -> None:
    with pytest.raises(UsageError, match="2 ways"):
        DatasetName.parse("path_finder_smoke_v1.0")


def test_a_type_of_ones_own_is_read_when_it_is_named() -> None:
    name = DatasetName.parse("pathfinder_routing_smoke_v1.0", own_types=["routing"])
    assert (name.product_id, name.schema_type, name.scope) == ("pathfinder", "routing", "smoke")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pathfinder_v1.0",
        "pathfinder_rag_retrieval",
        "pathfinder_rag_retrieval_1.0",
        "../secrets_rag_x_v1.0",
        "a__b_v1.0",
        "pathfinder_rag_retrieval_v1.0.json",
        "_rag_x_v1.0",
    ],
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not the name of a dataset release"):
        DatasetName.parse(text)


def test_a_name_that_contradicts_the_metadata_is_refused() -> None:
    with pytest.raises(UsageError, match="product_id 'other'"):
        DatasetName.parse("pathfinder_rag_retrieval_v1.0", product_id="other")


@pytest.mark.parametrize("part", ["", "..", "a/b", "a b", "_a", "a_", "a\n", "ä", "a__b"])
def test_a_part_that_would_break_the_name_is_refused(part: str) -> None:
    with pytest.raises(UsageError, match="product_id"):
        DatasetName(part, "rag", "retrieval", ReleaseVersion.parse("1.0"))


def test_a_release_lies_in_the_folder_of_its_product() -> None:
    path = volume_path("main", "pathfinder_rag_retrieval_v1.6")
    assert path == (
        "/Volumes/main/semantic_evaluation/datasets/pathfinder/pathfinder_rag_retrieval_v1.6.json"
    )


@pytest.mark.parametrize("catalog", ["", "..", "a/b", "a\\b", ".", "a b", "a\x00", "a."])
def test_a_catalog_that_would_lead_elsewhere_is_refused(catalog: str) -> None:
    with pytest.raises(UsageError, match="not the name of a catalog"):
        volume_path(catalog, "pathfinder_rag_retrieval_v1.6")


@pytest.mark.parametrize("version", ["1.6.0", "1.6-rc1"])
def test_only_a_release_has_a_place_in_a_volume(version: str) -> None:
    with pytest.raises(UsageError, match="not the version of a release"):
        volume_path("main", f"pathfinder_rag_retrieval_v{version}")
