"""The order of versions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version as PackagingVersion

from evalcontract.errors import UsageError
from evalcontract.release import ReleaseVersion

NUMBERS = st.lists(st.integers(0, 12), min_size=2, max_size=4)


def spelled(numbers: list[int], stage: int | None) -> str:
    return ".".join(map(str, numbers)) + ("" if stage is None else f"-rc{stage}")


VERSIONS = st.builds(spelled, NUMBERS, st.none() | st.integers(0, 12))


@given(one=VERSIONS, other=VERSIONS)
def test_versions_order_as_the_packaging_library_orders_them(one: str, other: str) -> None:
    ours, theirs = (
        (ReleaseVersion.parse(one), ReleaseVersion.parse(other)),
        (PackagingVersion(one), PackagingVersion(other)),
    )
    assert (ours[0] < ours[1]) == (theirs[0] < theirs[1])
    assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])
    if ours[0] == ours[1]:
        assert hash(ours[0]) == hash(ours[1])


def test_numbers_are_compared_as_numbers() -> None:
    assert ReleaseVersion.parse("1.10") > ReleaseVersion.parse("1.9")


def test_trailing_zeros_make_no_version_higher() -> None:
    one, other = ReleaseVersion.parse("1.2"), ReleaseVersion.parse("1.2.0")
    assert one == other
    assert not one < other
    assert not one > other


@pytest.mark.parametrize("before", ["1.2-rc1", "1.2rc1", "1.2-alpha.3", "1.2.0-beta"])
def test_a_pre_release_is_lower_than_its_release(before: str) -> None:
    assert ReleaseVersion.parse(before) < ReleaseVersion.parse("1.2")
    assert ReleaseVersion.parse(before) > ReleaseVersion.parse("1.1")


def test_stages_count_as_numbers_too() -> None:
    assert ReleaseVersion.parse("1.2-rc2") < ReleaseVersion.parse("1.2-rc10")


@pytest.mark.parametrize("text", ["1.6", "0.1", "10.0"])
def test_a_release_may_carry_two_numbers(text: str) -> None:
    assert ReleaseVersion.parse(text).plain


@pytest.mark.parametrize("text", ["1.2.0", "1.2-rc1"])
def test_other_forms_are_read_but_no_release_may_carry_them(text: str) -> None:
    assert not ReleaseVersion.parse(text).plain
    assert str(ReleaseVersion.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "1", "v1.0", "01.2", "1.02", "1.", ".1", "1.0\n", "1.-1", "١.٢", "1.2+b"]
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a version"):
        ReleaseVersion.parse(text)
