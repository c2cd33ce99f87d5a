"""What type checkers make of a user's module that derives its classes from the models."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.projects import PROJECT

GOOD = '''
from __future__ import annotations

from evalcontract.models import Citation, Message, RAGExpectedOutput, RAGInput, from_contract
from evalcontract_models import types


class ProductInput(RAGInput):
    tenant: str
    """Whose documents may be used."""
    locale: str | None = None


class ProductOutput(RAGExpectedOutput):
    reviewed: bool = False


def passages(item: RAGInput) -> list[str]:
    return item.context or []


question = Message(role="user", content="Where is the archive?")
item = ProductInput(messages=[question], context=["In the cellar."], tenant="north")
output = ProductOutput(response="In the cellar.", citations=[Citation(document_id="d1")])
found: list[str] = passages(item)
again: ProductInput = from_contract(ProductInput, item.model_dump())
tenant: str = again.tenant.upper()
plain: types.RAGInput = {"messages": [{"role": "user", "content": "Where?"}]}
'''
BAD_LINES = (
    'Message(role="robot", content="?")',
    "RAGInput(messages=[], context=3)",
    "ProductInput(messages=[])",
    "passages(item).upper()",
    'wrong: types.Message = {"role": "user"}',
)


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A module whose last lines are wrong, in a project of its own."""
    file = tmp_path / "product.py"
    file.write_text(GOOD + "\n".join(BAD_LINES) + "\n", encoding="utf-8")
    return file


FIRST_BAD_LINE = GOOD.count("\n") + 1
BAD = list(range(FIRST_BAD_LINE, FIRST_BAD_LINE + len(BAD_LINES)))
IMPORTED = [str(PROJECT / "src"), str(PROJECT / "generated" / "python")]


def run(module: str, *arguments: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_mypy_strict_finds_what_is_wrong_and_nothing_else(module: Path) -> None:
    options = ["--strict", "--output=json", "--config-file=", "--follow-imports=silent"]
    cache = f"--cache-dir={PROJECT / '.mypy_cache' / 'user'}"
    printed = run("mypy", *options, cache, module.name, cwd=module.parent, MYPYPATH=os.pathsep.join(IMPORTED))
    found = [json.loads(line) for line in printed.splitlines()]
    assert sorted({each["line"] for each in found if each["severity"] == "error"}) == BAD, printed


def test_pyright_strict_finds_what_is_wrong_and_nothing_else(module: Path) -> None:
    config = {"include": [module.name], "extraPaths": IMPORTED, "typeCheckingMode": "strict"}
    (module.parent / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    printed = run("pyright", "--outputjson", "--pythonpath", sys.executable, cwd=module.parent)
    found = json.loads(printed)["generalDiagnostics"]
    assert sorted({each["range"]["start"]["line"] + 1 for each in found}) == BAD, printed
