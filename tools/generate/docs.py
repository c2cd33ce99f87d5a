"""The reference of the contracts as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, Entry, Schema
from evalcontract.catalog.bundle import parent_of
from evalcontract.predictions.table import BUILDERS
from evalcontract.release import CHECKS
from evalcontract.responses.adapters import PROVIDERS, STATES
from evalcontract.responses.adapters.identity import IDENTITY
from evalcontract.values import MAX_DEPTH
from tools.generate.hooks import HOOKS

CONTRACTS_PAGE = "docs/contracts.md"
_COMPARISONS = {"minimum": "≥", "maximum": "≤"}
_COUNTS = {
    "minLength": ("at least", "character"),
    "maxLength": ("at most", "character"),
    "minItems": ("at least", "item"),
    "maxItems": ("at most", "item"),
}
_SAFE_INTEGER = 2**53 - 1


def contracts_page(catalogue: Catalogue) -> str:
    """The page that describes every contract in every version."""
    parts = [
        "<!-- Generated from schemas/ by python -m tools.generate. Do not edit. -->",
        "# Contracts",
        "Unknown fields are kept everywhere. An optional field may be null or left out: both mean "
        "that it was not provided. Numbers are doubles: what no double can hold is refused. "
        f"Arrays and objects are at most {MAX_DEPTH} deep in each other, the document itself included, in every "
        "language; serde_json holds 127 by default, Jackson 1000, encoding/json 10000.",
        "## Schema types",
        schema_types_table(catalogue),
        "## All contracts",
        contracts_table(catalogue, page=""),
        *(_contract(catalogue, entry) for entry in catalogue.entries()),
    ]
    return "\n\n".join(parts) + "\n"


def contracts_table(catalogue: Catalogue, *, page: str) -> str:
    """One line for each contract in its newest version; `page` is the address of the contracts page."""
    newest = [catalogue.resolve(name) for name in catalogue.names() if _usable(catalogue, name)]
    rows = (
        (f"[`{ref.name}`]({page}#{_anchor(ref)})", f"`{ref.version}`", schema["title"], schema["description"])
        for ref, schema in ((ref, catalogue.document(ref)) for ref in newest)
    )
    return table(("Contract", "Version", "Class", "What it is"), rows)


def schema_types_table(catalogue: Catalogue) -> str:
    """The contracts that each schema type stands for."""
    rows = (
        (f"`{found.name}`", f"`{found.version}`", f"`{found.input}`", f"`{found.expected_output}`")
        for versions in catalogue.schema_types().values()
        for found in versions.values()
    )
    return table(("Schema type", "Version", "Input", "Expected output"), rows)


def hooks_table() -> str:
    """The pre-commit hooks."""
    return table(("Hook", "What it does"), ((f"`{hook.id}`", hook.description) for hook in HOOKS))


def providers_table() -> str:
    """What is made of each provider's answer."""
    header = ("Provider", "Name", "Offsets", "document_id", "Keeps", "Derives", "Can't know")
    rows = (
        (
            each.title,
            f"`{each.name}`",
            each.offsets,
            each.document_id,
            each.keeps,
            each.derives,
            each.cannot_know,
        )
        for each in PROVIDERS
    )
    return table(header, rows)


def states_table() -> str:
    """How each provider says that an answer ended, and what that makes of it."""
    titles = {provider.name: provider.title for provider in PROVIDERS}
    rows = []
    for name, fields in STATES.items():
        for field in fields:
            meanings = dict.fromkeys(field.states.values())
            for meaning in meanings:
                values = [value for value, known in field.states.items() if known is meaning]
                rows.append(
                    (
                        titles[name],
                        f"`{field.places[0]}`",
                        ", ".join(f"`{value}`" for value in values),
                        meaning.outcome
                        if meaning.outcome == "nothing"
                        else f"{meaning.outcome} `{meaning.code}`",
                        meaning.said,
                    )
                )
    return table(("Provider", "Field", "Values", "Here", "Meaning"), rows)


def identity_table() -> str:
    """Where each provider tells what answered, whole and streamed."""
    names = ("model", "response_id", "session_id")
    rows = [
        (
            provider.title,
            *(", ".join(f"`{place}`" for place in IDENTITY[provider.name].get(name, ())) for name in names),
        )
        for provider in PROVIDERS
    ]
    return table(("Provider", *(f"`{name}`" for name in names)), rows)


def builders_table() -> str:
    """What is made of each source of predictions."""
    header = ("Source", "Function", "Keeps", "Derives", "Can't know")
    rows = (
        (each.source, f"`{each.function}`", each.keeps, each.derives, each.cannot_know) for each in BUILDERS
    )
    return table(header, rows)


def release_checks_table() -> str:
    """The checks of a release, with the kinds of release that each is for."""
    header = ("Check", "Code", "New dataset", "Minor", "Major", "Why")
    rows = (
        (
            each.name if each.severity == "error" else f"{each.name} (advice)",
            f"`{each.code}`",
            *("x" if kind in each.kinds else "-" for kind in ("new", "minor", "major")),
            each.why,
        )
        for each in CHECKS
    )
    return table(header, rows)


def _usable(catalogue: Catalogue, name: str) -> bool:
    return any(
        catalogue.entry(ContractRef(name, each)).status != "withdrawn" for each in catalogue.versions(name)
    )


def _contract(catalogue: Catalogue, entry: Entry) -> str:
    ref, schema, parent = entry.ref, catalogue.document(entry.ref), parent_of(catalogue, entry.ref)
    status = f"{entry.status}, superseded by {entry.superseded_by}" if entry.superseded_by else entry.status
    extends = f" Extends {_link(catalogue, parent)}." if parent else ""
    errata = "".join(f" Erratum: {text}." for text in entry.errata)
    required = schema.get("required", [])
    rows = (
        (
            f"`{name}`",
            _type(catalogue, ref, field),
            "required" if name in required else "optional",
            field["description"],
        )
        for name, field in schema["properties"].items()
    )
    return (
        f"### {ref}\n\n`{schema['title']}`, {status}.{extends} {schema['description']}{errata}\n\n"
        + table(("Field", "Type", "Presence", "Description"), rows)
    )


def _type(catalogue: Catalogue, ref: ContractRef, schema: Schema) -> str:
    target = schema.get("$ref") or next(
        (each["$ref"] for each in schema.get("anyOf", []) if "$ref" in each), None
    )
    if target is not None:
        return _link(catalogue, catalogue.ref_of(urljoin(catalogue.uri(ref), target)))
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "any JSON value")
    text = next(each for each in kind if each != "null") if isinstance(kind, list) else kind
    if "items" in schema:
        text = f"array of {_type(catalogue, ref, schema['items'])}"
    if "additionalProperties" in schema:
        text = f"object of {_type(catalogue, ref, schema['additionalProperties'])}"
    return ", ".join([text, *_constraints(schema)])


def _constraints(schema: Schema) -> Iterator[str]:
    for keyword, sign in _COMPARISONS.items():
        if keyword in schema and abs(schema[keyword]) != _SAFE_INTEGER:
            yield f"{sign} {schema[keyword]}"
    for keyword, (bound, unit) in _COUNTS.items():
        if keyword in schema:
            count = schema[keyword]
            yield f"{bound} {count} {unit}{'' if count == 1 else 's'}"
    if "pattern" in schema:
        yield f"matches `{schema['pattern']}`"


def _link(catalogue: Catalogue, ref: ContractRef) -> str:
    return f"[{catalogue.document(ref)['title']}](#{_anchor(ref)})"


def _anchor(ref: ContractRef) -> str:
    """The anchor that Markdown renderers give to the heading of a contract."""
    return str(ref).replace("@", "").replace(".", "")


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table of Markdown."""
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
