"""The script that checks files in a browser is made of the TypeScript package as it stands."""

from __future__ import annotations

from pathlib import Path

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.codegen.model import model_of
from evalcontract.codegen.typescript.checker import COMPILED, checker_script, sources_digest
from tests.support.layers import contract, text, write_layer


def test_the_compiled_script_is_of_the_sources_as_they_stand() -> None:
    first = COMPILED.read_text(encoding="utf-8").partition("\n")[0]
    assert sources_digest() in first, "the package has changed: run python -m tools.compile_checker"


def test_the_script_holds_the_contracts_of_every_layer(tmp_path: Path) -> None:
    folder = write_layer(tmp_path, {"note@1.0": contract("Note", {"body": text("What it says.")})})
    script = checker_script(model_of(Catalogue.load(folder)))
    assert '"note@1.0"' in script
    assert '"rag_input@1.0"' in script


def test_nothing_in_the_script_ends_the_element_of_a_page_that_it_stands_in(tmp_path: Path) -> None:
    pattern = "^</script><!--<script>é$"
    body = text("What it says.", pattern=pattern)
    folder = write_layer(tmp_path, {"note@1.0": contract("Note", {"body": body})})
    for catalogue in (default_catalogue(), Catalogue.load(folder)):
        script = checker_script(model_of(catalogue))
        assert "</" not in script
        assert "<!--" not in script
