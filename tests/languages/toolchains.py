"""The languages beside Python: what builds each package, and the driver that answers for it.

To add a language: a line in LANGUAGES, its driver in a folder beside this file, and what `build` does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalcontract.catalog import default_catalogue
from evalcontract.codegen.model import model_of
from tests.support.projects import PROJECT

HERE = PROJECT / "tests" / "languages"
REQUIRED = "EVALCONTRACT_REQUIRE_TOOLCHAINS"
"""With this variable set, a missing toolchain is a failure and no skip."""
MINUTES = 60


@dataclass(frozen=True)
class Driver:
    """A built package: the command that answers cases, and the folder that it was built in."""

    language: str
    command: Sequence[str | Path]
    folder: Path


@dataclass(frozen=True)
class Language:
    """`tools` must be on the PATH; `build` gets a copy of the package and a folder for whatever it needs beside."""

    name: str
    tools: tuple[str, ...]
    build: Callable[[Path, Path], Sequence[str | Path]]


def need(*tools: str) -> None:
    """Skip the test, or fail where toolchains are required, unless all tools are on the PATH."""
    for tool in tools:
        if shutil.which(tool) is None:
            missing = f"skipped: {tool} is not on the PATH"
            if os.environ.get(REQUIRED):
                pytest.fail(missing, pytrace=False)
            pytest.skip(missing)


def run(*command: str | Path, cwd: Path, stdin: str = "", **environment: str) -> str:
    """What a command prints; an AssertionError with its end when it fails."""
    code, printed = outcome(*command, cwd=cwd, stdin=stdin, **environment)
    assert code == 0, f"{command[0]} failed:\n{printed[-4000:]}"
    return printed


def outcome(*command: str | Path, cwd: Path, stdin: str = "", **environment: str) -> tuple[int, str]:
    """The exit code of a command, and what it prints; of one that fails also what it complains of."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, **environment},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=5 * MINUTES,
        check=False,
    )
    return done.returncode, done.stdout + (done.stderr if done.returncode else "")


def _typescript(package: Path, _: Path) -> Sequence[str | Path]:
    run("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", cwd=package)
    run("npm", "run", "build", cwd=package)
    return ["node", HERE / "typescript" / "driver.mjs", package]


GO_MODULE = "evalcontract.example/evalcontract"


def go_module(folder: Path, package: Path, *required: str) -> None:
    """Make a folder a Go module that uses the package, and further modules as `path version`."""
    requires = "".join(f"require {line}\n" for line in (f"{GO_MODULE} v0.0.0", *required))
    (folder / "go.mod").write_text(
        f"module test\n\ngo 1.22\n\n{requires}\nreplace {GO_MODULE} => {package}\n"
    )


def _go(package: Path, beside: Path) -> Sequence[str | Path]:
    shutil.copytree(HERE / "go" / "driver", beside, dirs_exist_ok=True)
    pairs = [
        f'\t"{contract.ref}": roundTrip(contracts.Decode[contracts.{contract.class_name}]),'
        for contract in model_of(default_catalogue()).contracts
    ]
    (beside / "typed.go").write_text(
        f'package main\n\nimport contracts "{GO_MODULE}"\n\n'
        "var typed = map[string]func([]byte) ([]byte, error){\n" + "\n".join(pairs) + "\n}\n"
    )
    go_module(beside, package)
    run("go", "build", "-o", "driver", ".", cwd=beside, GOFLAGS="-mod=mod")
    return [beside / "driver"]


def _java(_: Path, beside: Path) -> Sequence[str | Path]:
    shutil.copytree(HERE / "java", beside, dirs_exist_ok=True)
    version = model_of(default_catalogue()).version
    run("mvn", "--quiet", "--batch-mode", "-ntp", "compile", f"-Dcontracts.version={version}", cwd=beside)
    return [*java_command(beside), "driver.Driver", "ours"]


def java_command(beside: Path) -> Sequence[str | Path]:
    """The command that runs a class of the driver, without its name."""
    target = beside / "driver" / "target"
    return ["java", "-cp", f"{target / 'classes'}{os.pathsep}{(target / 'classpath').read_text()}"]


CARGO = {"CARGO_TARGET_DIR": str(PROJECT / "build" / "rust")}
"""What cargo built is kept from run to run: only the package itself is new."""


def _rust(_: Path, beside: Path) -> Sequence[str | Path]:
    shutil.copytree(HERE / "rust", beside, dirs_exist_ok=True)
    types = "".join(
        f'        "{contract.ref}" => through::<types::{contract.class_name}>(value),\n'
        for contract in model_of(default_catalogue()).contracts
    )
    (beside / "src" / "dispatch.rs").write_text(
        "fn rewritten(contract: &str, value: Value) -> String {\n    match contract {\n"
        f'{types}        _ => panic!("no type for {{contract}}"),\n    }}\n}}\n',
        encoding="utf-8",
    )
    run("cargo", "build", "--quiet", cwd=beside, **CARGO)
    return [Path(CARGO["CARGO_TARGET_DIR"]) / "debug" / "driver"]


LANGUAGES = (
    Language("typescript", ("node", "npm"), _typescript),
    Language("go", ("go",), _go),
    Language("java", ("java", "javac", "mvn"), _java),
    Language("rust", ("cargo",), _rust),
)


def built(language: Language, target: Path) -> Driver:
    """The generated package of a language, copied and built; skips without its toolchain."""
    need(*language.tools)
    package, beside = target / language.name, target / f"{language.name}-driver"
    shutil.copytree(PROJECT / "generated" / language.name, package)
    beside.mkdir()
    return Driver(language.name, language.build(package, beside), package)
