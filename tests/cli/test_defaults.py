"""Options that are settled in `[tool.evalcontract.options]`: of every verb, checked, and never code."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from evalcontract.cli.app import app
from evalcontract.cli.defaults import settled
from evalcontract.cli.roles import Reads, Writes, roles_of
from evalcontract.errors import UsageError
from evalcontract.settings import ProjectSettings
from tests.support.cli import run

ITEM = {
    "item_id": "a",
    "input": {"messages": [{"role": "user", "content": "q"}], "inputs": 1},
    "expected_output": {"response": "x [1]", "citations": []},
    "metadata": {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}},
}


def commands(group: click.Group, *words: str) -> list[tuple[tuple[str, ...], click.Command]]:
    found: list[tuple[tuple[str, ...], click.Command]] = []
    for name in group.commands:
        command = group.commands[name]
        if isinstance(command, click.Group):
            found += commands(command, *words, name)
        else:
            found.append(((*words, name), command))
    return found


def options(command: click.Command) -> list[click.Option]:
    return [option for option in command.params if isinstance(option, click.Option)]


def one(option: click.Option) -> Any:
    if isinstance(option.type, click.types.BoolParamType):
        return True
    if isinstance(option.type, click.types.IntParamType):
        return 7
    return 0.75 if isinstance(option.type, click.types.FloatParamType) else "some text"


def settings_of(words: tuple[str, ...], table: dict[str, Any], folder: Path) -> ProjectSettings:
    nested: dict[str, Any] = table
    for word in reversed(words):
        nested = {word: nested}
    return ProjectSettings(folder / "evalcontract.toml", {"options": nested})


@pytest.mark.parametrize(("words", "command"), commands(app), ids=lambda value: str(value)[:30])
def test_every_option_of_every_verb_can_be_settled(
    tmp_path: Path, words: tuple[str, ...], command: click.Command
) -> None:
    assert command.callback is not None
    roles = roles_of(command.callback)
    for option in options(command):
        name, key = str(option.name), max(option.opts, key=len).removeprefix("--")
        value = [one(option)] * 2 if option.multiple else one(option)
        settings = settings_of(words, {key: value}, tmp_path)
        if name == "metric":
            with pytest.raises(UsageError, match="would import code"):
                settled(command, words, app.commands, roles, settings)
            continue
        found = settled(command, words, app.commands, roles, settings)[name]
        if isinstance(roles.get(name), Writes):
            value = str(tmp_path / value)
        assert found == value
        wrong: Any = {"a": 1}
        with pytest.raises(UsageError, match=f"options.{'.'.join(words)}.{key} is not "):
            settled(command, words, app.commands, roles, settings_of(words, {key: wrong}, tmp_path))
        if isinstance(roles.get(name), Reads):
            code: Any = ["pkg.mod:Class"] if option.multiple else "pkg.mod:Class"
            with pytest.raises(UsageError, match="would import code"):
                settled(command, words, app.commands, roles, settings_of(words, {key: code}, tmp_path))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.jsonl").write_text(json.dumps(ITEM) + "\n")
    return tmp_path


def settle(folder: Path, text: str) -> None:
    tomllib.loads(text)
    (folder / "evalcontract.toml").write_text(text)


def test_what_is_typed_wins_over_what_is_settled(project: Path) -> None:
    settle(project, '[options.validate]\nstrict = true\nformat = "json"\n')
    done = run("validate", "items.jsonl")
    assert done.code == 1
    assert json.loads(done.out)
    assert "failed: 1 item" in run("validate", "items.jsonl", "--format", "text").out


def test_files_are_seen_from_the_settings(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(project, '[options.dataset.check]\noutput = "report.json"\n[options.score]\nk = "1,3"\n')
    below = project / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    run("dataset", "check", "../items.jsonl")
    assert json.loads((project / "report.json").read_text())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[options.validat]\nstrict = true", "has no command 'validat'"),
        ("[options.validate]\nstrct = true", "did you mean strict?"),
        ('[options.validate]\nstrict = "yes"', "options.validate.strict is not true or false"),
        ("[options.validate]\njobs = true", "options.validate.jobs is not a whole number"),
        ("[options.validate]\njobs = 0", "jobs"),
        ('[options.validate]\nschemas = "one"', "options.validate.schemas is not a list"),
        ('options = "x"', "options is not a table of commands"),
        ("[options]\nvalidate = 3", "options.validate is no table"),
        ('[options.validate]\ninput-schema = "pkg.mod:Class"', "would import code"),
    ],
)
def test_settings_that_can_not_be_meant_are_refused(project: Path, text: str, said: str) -> None:
    settle(project, text)
    done = run("validate", "items.jsonl")
    assert done.code == 2
    assert said in done.err
    assert run("validate", "--help").code == 0
