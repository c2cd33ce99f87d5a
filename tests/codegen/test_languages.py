"""Packages of other languages, as far as it can be told without their toolchains."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.codegen.go import go_package
from evalcontract.codegen.java import java_package
from evalcontract.codegen.model import Model, model_of
from evalcontract.codegen.rust import rust_package
from evalcontract.codegen.tree import MARK, Files
from evalcontract.codegen.typescript import typescript_package
from evalcontract.errors import SchemaError
from tests.support.cli import run
from tests.support.layers import contract, extending, tenant_layer, text, write_layer
from tests.support.projects import edit_json

Emit = Callable[[Model], Files]
EMITTERS: list[Emit] = [typescript_package, go_package, java_package, rust_package]


@pytest.mark.parametrize("emit", EMITTERS)
def test_every_file_says_that_it_is_generated(emit: Emit) -> None:
    files = emit(model_of(default_catalogue()))
    silent = [path for path, content in files.items() if MARK.encode() not in content[:1000]]
    assert all("bundles/" in path and path.endswith(".schema.json") for path in silent)


@pytest.mark.parametrize("emit", EMITTERS)
def test_descriptions_of_types_and_properties_are_in_the_code(emit: Emit) -> None:
    model = model_of(default_catalogue())
    code = as_read(b"\n".join(emit(model).values()).decode())
    for found in model.contracts:
        assert as_read(found.description) in code
        assert all(as_read(field.description) in code for field in found.properties)


def as_read(comments: str) -> str:
    """Comments on one line, without what Javadoc and rustdoc need to show them as they are."""
    joined = re.sub(r"\n +\* ", " ", comments)
    return html.unescape(re.sub(r"\\([^\w\s])", r"\1", joined)).replace("<https", "https")


def test_a_change_in_one_schema_changes_every_language_by_one_command(tmp_path: Path) -> None:
    layer = tenant_layer(tmp_path / "schemas")
    languages = ("python", "typescript", "go", "java", "rust")
    command = ["schema", "generate", "--schemas", str(layer)]
    for language in languages:
        command += [f"--{language}", str(tmp_path / language / "acme")]
    assert run(*command).code == 0
    assert run(*command, "--check").code == 0
    schema = layer / "my_rag_input" / "1.0.json"
    properties = json.loads(schema.read_bytes())["properties"]
    quota = {"type": "integer", "description": "How much the account may ask.", "minimum": 0, "maximum": 9}
    edit_json(schema, properties=properties | {"monthly_quota": quota}, required=["tenant", "monthly_quota"])
    assert run(*command, "--check").code == 1
    assert run(*command).code == 0
    for language in languages:
        files = [
            file for file in (tmp_path / language).rglob("*") if file.is_file() and file.suffix != ".json"
        ]
        text_of_all = "".join(file.read_text(encoding="utf-8") for file in files)
        assert re.search("monthly_?quota", text_of_all, re.IGNORECASE), language
        assert "How much the account may ask." in text_of_all, language


@pytest.mark.parametrize("emit", EMITTERS)
def test_a_package_of_ones_own_has_all_layers_and_its_own_name(emit: Emit, tmp_path: Path) -> None:
    folder = tenant_layer(tmp_path)
    edit_json(folder / "catalog.json", package={"name": "tenants", "version": "2.0.0"})
    files = emit(model_of(Catalogue.load(folder)))
    bundles = {path.rpartition("bundles/")[2] for path in files}
    assert {"my_rag_input-1.0.schema.json", "rag_input-1.0.schema.json"} <= bundles
    assert {"my_rag_item-1.0.schema.json", "typed_item.schema.json"} <= bundles
    names = {
        "go.mod": "module acme.example/tenants\n",
        "package.json": '"name": "tenants"',
        "pom.xml": "<artifactId>tenants</artifactId>\n  <version>2.0.0</version>",
        "Cargo.toml": 'name = "tenants"\nversion = "2.0.0"',
    }
    assert [name for name in names if name in files and names[name] in files[name].decode()]


@pytest.mark.parametrize(
    ("emit", "title"),
    [(typescript_package, "Verdict"), (typescript_package, "ItemOf"), (go_package, "Lines")]
    + [(go_package, "MessageRole"), (go_package, "MessageRoleUser")]
    + [(java_package, "SuppressWarnings"), (rust_package, "Default")],
)
def test_a_title_that_a_package_has_for_something_else_is_refused(
    emit: Emit, title: str, tmp_path: Path
) -> None:
    fields = {"said": text("Something that a person said.")}
    folder = write_layer(tmp_path, {"odd@1.0": contract(title, fields, required=["said"])})
    with pytest.raises(
        SchemaError, match=f"odd@1.0 has the title {title}, which is the name of something else"
    ):
        emit(model_of(Catalogue.load(folder)))


def test_a_comment_ends_where_it_should(tmp_path: Path) -> None:
    fields = {"said": text("It says */ and `code` and\nanother line \\u0041 <b>&amp;</b>.")}
    folder = write_layer(
        tmp_path, {"odd@1.0": contract("Odd", fields, required=["said"], allOf=extending("base_input"))}
    )
    model = model_of(Catalogue.load(folder))
    types = typescript_package(model)["src/types.ts"].decode()
    assert (
        "   * It says *\\/ and `code` and\n   * another line \\u0041 <b>&amp;</b>.\n   */\n  said: string;"
        in types
    )
    assert "\t// It says */ and `code` and\n\t// another line" in go_package(model)["types.go"].decode()
