"""An example of each rule that docs/codes.md lists, and the way out where the rule's own table has none."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """What breaks a rule, and what to do about it. Markdown."""

    example: str
    way_out: str


RELEASE = {
    "unique-item-ids": Example("two items `q1`", "give each an id of its own"),
    "fields-present": Example("an item without `input`", "complete the item"),
    "type-matches-items": Example(
        "`documents` in a `qa` dataset", "declare the type that fits, or drop the fields"
    ),
    "name-matches-metadata": Example(
        "`pathfinder_rag_v1.1.json` whose metadata says 1.0", "rename the file or correct the metadata"
    ),
    "keys-unchanged": Example("`input.locale` is new in 1.1", "release a major, or take the change back"),
    "keys-changed": Example("2.0 with the keys of 1.3", "release a minor"),
    "version-higher": Example("1.1 after 1.2", "`evalcontract dataset next-version`"),
    "previous-comparable": Example("the release of another product", "name the release that came before"),
    "items-still-valid": Example(
        "an item of 1.0 breaks the schema of 1.1", "release a major, or loosen the schema"
    ),
    "answers-agree": Example(
        "one question, `yes` in one item and `no` in the other", "correct one of the two"
    ),
    "ids-look-alike": Example("`Q1` and `q1`", "name them apart"),
    "items-unremarkable": Example("an empty passage", "see the advice under it"),
}

COMPARISON = {
    "PROPERTY_NO_DELETE": Example("`locale` is gone", "keep it, or a major version with a migration"),
    "REQUIRED_NO_ADD": Example("`locale` becomes required", "let it be optional, or a major version"),
    "TYPE_NO_NARROW": Example("`string` or `null` becomes `string`", "keep the type, or a major version"),
    "ENUM_VALUE_NO_DELETE": Example("`tool` is no role any more", "keep the value, or a major version"),
    "BOUND_NO_TIGHTEN": Example("at most 9 becomes at most 6", "keep the bound, or a major version"),
    "PATTERN_NO_CHANGE": Example("`^[a-z]+$` becomes `^[a-y]+$`", "keep the pattern, or a major version"),
    "DEFAULT_NO_CHANGE": Example("`0` becomes `1`", "keep the default, or a major version"),
    "NEW_PROPERTY_ON_OPEN_OBJECT": Example(
        "`locale` is new and optional", "nothing in a minor version; `--data` looks into your files"
    ),
    "CONSTRAINT_NO_CHANGE": Example("`not` is new", "keep the keyword, or waive what can't be decided"),
}

FREEZE = {
    "FROZEN_BYTES": Example("one byte of a released file", "restore the file; a change needs a new version"),
    "FROZEN_HISTORY": Example("the file and its hash were both changed", "restore what was released"),
    "FROZEN_WHEEL": Example("a wheel built from other files", "build it again"),
}

LINT = {
    "profile": "a property in camelCase",
    "json-schema": '`"type": "text"`',
    "catalogued": "a file `ticket/1.1.json` that catalog.json doesn't name",
    "id-is-path": "a copied file with the old `$id`",
    "unique-title": "two contracts `Ticket`",
    "name-taken": "a contract `ticket_item` beside a schema type `ticket`",
    "reference": "`$ref` to a file that isn't there",
    "no-ring": "a contract that extends itself by way of another",
    "required-declared": "`required: [tilte]`",
    "required-or-null": "an optional field without a default of null",
    "not-redeclared": "`messages` again in a contract that extends `rag_input`",
    "released-on-released": "a released contract that refers to a draft",
    "frozen": "a released file that was edited",
    "successor": "`superseded_by` an earlier version",
    "migration": "`ticket/to-2.json` that speaks of another contract",
    "schema-type": "a schema type whose input is no contract",
}
