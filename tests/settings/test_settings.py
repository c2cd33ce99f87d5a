from __future__ import annotations

from pathlib import Path

import pytest

from evalcontract.catalog import default_catalogue
from evalcontract.errors import ContractError, UnreadableInput, UsageError
from evalcontract.settings import VARIABLE, catalogue_for, find_settings
from tests.support.layers import tenant_layer


def test_the_nearest_file_with_settings_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.evalcontract]\nschemas = ["contracts"]\n')
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert find_settings(inner).schemas == (tmp_path / "contracts",)
    (tmp_path / "a" / "evalcontract.toml").write_text('schemas = ["../own", "more"]\n')
    assert find_settings(inner).schemas == (tmp_path / "a" / "../own", tmp_path / "a" / "more")


def test_options_go_before_settings_and_settings_before_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, settled, exported = (tenant_layer(tmp_path / name) for name in ("named", "settled", "exported"))
    monkeypatch.setenv(VARIABLE, str(exported))
    project = tmp_path / "project"
    project.mkdir()
    assert catalogue_for(start=project).root == exported
    (project / "evalcontract.toml").write_text('schemas = ["../settled"]')
    assert catalogue_for(start=project).root.samefile(settled)  # type: ignore[attr-defined]
    assert catalogue_for([named], start=project).root == named


def test_without_any_the_built_in_catalogue_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert catalogue_for(start=tmp_path) is default_catalogue()


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("schemas = 3", UsageError, "schemas is not a list of folders"),
        ('schema = ["a"]', UsageError, "did you mean schemas"),
        ("schemas = [", UnreadableInput, "is not TOML"),
        ("\x00", UnreadableInput, "is not TOML"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_file(
    tmp_path: Path, text: str, kind: type[ContractError], message: str
) -> None:
    (tmp_path / "evalcontract.toml").write_text(text)
    with pytest.raises(kind, match="evalcontract.toml") as caught:
        find_settings(tmp_path)
    assert message in f"{caught.value.message} {caught.value.hint}"
