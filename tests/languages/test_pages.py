"""The programs in docs/languages.md run, and print what stands below them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.languages.test_go import package as go_package
from tests.languages.test_java import class_path, java
from tests.languages.test_rust import rust
from tests.languages.test_typescript import package, project
from tests.languages.toolchains import CARGO, Driver, go_module, run
from tests.support.projects import PROJECT

__all__ = ["go_package", "java", "package", "project", "rust"]

PAGE = (PROJECT / "docs" / "languages.md").read_text(encoding="utf-8")
DATA = PROJECT / "examples" / "pathfinder"
_LINES = r"((?:(?!```).*\n)*)```"
_PROGRAM = re.compile(rf"^```(\w+)\n{_LINES}\n+```text\n{_LINES}$", re.MULTILINE)


def programs(language: str) -> list[tuple[str, str]]:
    """Each program in a language, with what it prints."""
    return [(program, printed) for tag, program, printed in _PROGRAM.findall(PAGE) if tag == language]


def test_every_program_of_the_page_has_its_output() -> None:
    for language in ("ts", "go", "java", "rust"):
        assert len(programs(language)) == PAGE.count(f"```{language}\n") > 0


@pytest.mark.parametrize(("program", "printed"), programs("ts"))
def test_typescript(project: Path, program: str, printed: str) -> None:
    for file in DATA.glob("*.json*"):
        shutil.copy(file, project)
    (project / "page.ts").write_text(program, encoding="utf-8")
    bin_ = project / "node_modules" / ".bin"
    options = (
        "--strict",
        "--exactOptionalPropertyTypes",
        "--noEmit",
        "--target",
        "ES2022",
        "--module",
        "NodeNext",
    )
    run(bin_ / "tsc", *options, "--types", "node", "page.ts", cwd=project)
    run(bin_ / "esbuild", "page.ts", "--format=esm", "--outfile=page.js", cwd=project)
    assert run("node", "page.js", cwd=project) == printed


@pytest.mark.parametrize(("program", "printed"), programs("go"))
def test_go(go_package: Path, tmp_path: Path, program: str, printed: str) -> None:
    for file in DATA.glob("*.json*"):
        shutil.copy(file, tmp_path)
    (tmp_path / "main.go").write_text(program, encoding="utf-8")
    go_module(tmp_path, go_package)
    assert run("go", "run", ".", cwd=tmp_path, GOFLAGS="-mod=mod") == printed


@pytest.mark.parametrize(("program", "printed"), programs("java"))
def test_java(java: Driver, tmp_path: Path, program: str, printed: str) -> None:
    for file in DATA.glob("*.json*"):
        shutil.copy(file, tmp_path)
    (tmp_path / "Page.java").write_text(program, encoding="utf-8")
    assert run("java", "-cp", class_path(java), "Page.java", cwd=tmp_path) == printed


@pytest.mark.parametrize(("program", "printed"), programs("rust"))
def test_rust(rust: Driver, tmp_path: Path, program: str, printed: str) -> None:
    for file in DATA.glob("*.json*"):
        shutil.copy(file, tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text(program, encoding="utf-8")
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "page"\nedition = "2021"\n\n[dependencies]\nserde_json = "1"\n'
        f'evalcontract = {{ path = "{rust.folder}" }}\n'
    )
    assert run("cargo", "run", "--quiet", cwd=tmp_path, **CARGO) == printed
