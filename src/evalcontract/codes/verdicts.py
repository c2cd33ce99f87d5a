"""Codes of the verdicts on documents, items and files."""

from __future__ import annotations

from evalcontract.codes.entry import CodeEntry

VERDICTS = (
    CodeEntry(
        "missing-property",
        "a required key is not there",
        '`{"role": "user"}` without `content`',
        "add it; the hint names a misspelling",
    ),
    CodeEntry(
        "wrong-type",
        "a value of another type than declared, also in a row that is imported",
        '`"page_number": "3"`',
        "write the type that is expected",
    ),
    CodeEntry(
        "not-allowed", "a value that is none of those listed", '`"role": "bot"`', "take one of those listed"
    ),
    CodeEntry(
        "too-short",
        "a text below its least length",
        "an empty `document_id`",
        "write it, or leave the key out",
    ),
    CodeEntry("too-few-items", "an array below its least length", '`"messages": []`', "add an item"),
    CodeEntry(
        "too-many-items", "an array above its greatest length", "eleven where ten may be", "leave some out"
    ),
    CodeEntry("too-few-keys", "an object with fewer keys than it needs", "`{}`", "add a key"),
    CodeEntry(
        "too-many-keys", "an object with more keys than it may have", "two where one may be", "leave some out"
    ),
    CodeEntry(
        "too-small",
        "a number below its bound",
        '`"page_number": 0`',
        "pages count from 1; a score lies between 0 and 1",
    ),
    CodeEntry("too-large", "a number above its bound", '`"score": 87`', "divide percentages by 100"),
    CodeEntry(
        "not-a-multiple",
        "a number that is no multiple of what the schema names",
        "`0.3` where halves are",
        "round it",
    ),
    CodeEntry(
        "pattern-mismatch",
        "a text that doesn't match its pattern",
        "a version `v1`",
        "write it as the pattern says",
    ),
    CodeEntry(
        "pattern-undecided",
        "a text is too long for a pattern that looks around",
        "a megabyte against `(?=...)`",
        "write the pattern without look-arounds",
    ),
    CodeEntry(
        "repeated-item", "an array holds the same twice where all must differ", "`[1, 1.0]`", "keep one"
    ),
    CodeEntry(
        "unknown-key",
        "a key that the contract doesn't know: an error where it is closed or on import, else an advice",
        "`contnet`",
        "correct the name; keys of your own stay as they are",
    ),
    CodeEntry(
        "no-alternative",
        "a value fits none of the alternatives",
        "a number where text or null may be",
        "write one of them",
    ),
    CodeEntry(
        "rule-broken",
        "any other keyword of a schema of your own is broken",
        "`dependentRequired`",
        "see the keyword in the schema",
    ),
    CodeEntry(
        "unknown-schema-type",
        "an item or dataset declares a type that there isn't",
        '`"input_schema_type": "rga"`',
        "correct it, or give `--own-type` or `--schemas`",
    ),
    CodeEntry(
        "unknown-schema-version",
        "the declared version isn't known",
        '`"input_schema_version": "7.0"`',
        "correct it, or update evalcontract",
    ),
    CodeEntry(
        "unknown-minor-version",
        "a newer minor version than is known here: the newest known judges (advice)",
        "`1.9` where 1.0 is known",
        "update evalcontract",
    ),
    CodeEntry(
        "declarations-disagree",
        "an item declares another type than its dataset",
        "a `qa` item in a `rag` dataset",
        "correct one of them, or move the item",
    ),
    CodeEntry(
        "duplicate-item-id", "two items of a file have one id", "two items `q1`", "give each an id of its own"
    ),
    CodeEntry(
        "id-column-disagrees",
        "the id column of a table and the item in the row name different ids",
        "`q1` beside an item `q2`",
        "correct one of the two: scores are joined by the item's own id",
    ),
    CodeEntry(
        "metadata-beside",
        "a dataset has its own metadata, and others in a file beside it: its own hold",
        "`items.json` around which version 1.1 stands, and `items.metadata.json` with version 1.0",
        "remove one of the two",
    ),
    CodeEntry(
        "look-alike-id",
        "ids that differ by case, space or Unicode form only (advice)",
        "`Q1` and `q1`",
        "name them apart",
    ),
    CodeEntry(
        "same-input",
        "two items ask the same (advice)",
        "one question under two ids",
        "keep one, or make the difference visible",
    ),
    CodeEntry(
        "duplicate-judgement",
        "the ground truth judges a document twice",
        "grade 1 and grade 2 for `d1`",
        "keep one",
    ),
    CodeEntry(
        "nothing-checked",
        "a file without items",
        "`[]`",
        "a file without items is never a success: check the path",
    ),
    CodeEntry(
        "blank-text", "a text of white space (advice)", '`"content": " "`', "write it, or leave it out"
    ),
    CodeEntry(
        "ends-with-assistant",
        "the conversation ends with the assistant, so nothing is asked (advice)",
        "the expected answer as last message",
        "move it to `expected_output`",
    ),
    CodeEntry(
        "repeated-document-id",
        "one id for two passages (advice)",
        "`document_ids` `[a, a]`",
        "name the unit that is judged, such as the chunk",
    ),
    CodeEntry(
        "not-parallel",
        "`document_ids` and `context` differ in length (advice)",
        "three passages, two ids",
        "one id for each passage, in order",
    ),
    CodeEntry(
        "empty-passage", "a passage without text (advice)", '`"context": [""]`', "leave it out with its id"
    ),
    CodeEntry(
        "misplaced-key",
        "a key of the contract where nothing reads it (advice)",
        "`context` beside `item_id`",
        "move it where the hint says",
    ),
    CodeEntry("shared-marker", "two citations with one marker (advice)", "`[1]` twice", "give each its own"),
    CodeEntry(
        "undeclared-marker",
        "the response has a marker that no citation declares (advice)",
        "`[3]` with two citations",
        "add the citation, or take the marker out",
    ),
    CodeEntry(
        "unused-marker",
        "a declared marker is not in the response (advice)",
        "`[2]` nowhere in the text",
        "put it into the text, or drop the citation",
    ),
    CodeEntry(
        "marker-like",
        "something that looks like a marker and is declared by none (advice)",
        "`(Source 1)`",
        "declare it as `response_marker` if it is one",
    ),
    CodeEntry(
        "many-markers",
        "more different markers are declared than are looked for (advice)",
        "thousands of citations",
        "declare the citations that the response uses",
    ),
    CodeEntry(
        "positional-arguments",
        "a traced input holds positional arguments, whose names aren't known",
        '`{"args": ["q"]}`',
        "trace the function with named arguments",
    ),
    CodeEntry(
        "bad-format",
        "a text that is not of the format a schema of your own names",
        "`monday` where a `date` is",
        "write it in that format",
    ),
    CodeEntry(
        "model",
        "a validator of your own class refuses what its schema allows",
        "a start after the end",
        "correct the value; the message is the validator's",
    ),
    CodeEntry(
        "contradicting-answers",
        "two items ask the same and expect what contradicts",
        "`yes` and `no`",
        "correct one, or make one item with `alternative_responses`",
    ),
)
