"""Codes of what strict reading refuses or notices, before any contract is asked."""

from __future__ import annotations

from evalcontract.codes.entry import CodeEntry

READING = (
    CodeEntry(
        "null-cell",
        "a row of a table has no text",
        "NULL in the column `value`",
        "leave such rows out, or look for the step that lost the value",
    ),
    CodeEntry("syntax", "the text is not JSON or YAML at this place", '`{"a": 1,}`', "correct the place"),
    CodeEntry("truncated", "the text ends inside a value", '`{"a": [1`', "write the file again"),
    CodeEntry(
        "trailing-content",
        "something stands behind the value",
        "`{} {}` in a .json file",
        "name the file .jsonl, or make it an array",
    ),
    CodeEntry("duplicate-key", "an object has a key twice", '`{"a": 1, "a": 2}`', "keep one of the two"),
    CodeEntry(
        "not-finite",
        "a number that JSON, or a double, can't hold",
        "`NaN`, `1e999`",
        "write null, or a number that fits",
    ),
    CodeEntry(
        "big-integer",
        "an integer beyond 2^53-1, which other languages read as another number (advice)",
        "`9007199254740993`",
        "write it as text",
    ),
    CodeEntry(
        "lone-surrogate", "half a character in a text", r'`"\ud800"`', "write the whole pair, or leave it out"
    ),
    CodeEntry("invalid-utf8", "bytes that are no UTF-8", "a file in Latin-1", "save the file as UTF-8"),
    CodeEntry(
        "bom",
        "the file starts with a byte order mark (advice)",
        "a table saved by a spreadsheet",
        "save it as UTF-8 without a mark",
    ),
    CodeEntry(
        "bom-in-the-middle", "a byte order mark inside the text", "two files joined", "remove the mark"
    ),
    CodeEntry(
        "null-byte",
        "a text holds U+0000, which many databases refuse (advice)",
        r'`"a\u0000b"`',
        "take it out",
    ),
    CodeEntry(
        "too-deep",
        "arrays and objects stand deeper in each other than 100",
        "101 opening brackets",
        "flatten the value",
    ),
    CodeEntry(
        "too-long",
        "a document is larger than what is read, or a text longer than its schema allows",
        "a line of 300 MB",
        "`--limit document-bytes=N`; for a text, shorten it",
    ),
    CodeEntry(
        "too-many-values",
        "a document holds more values than what is read",
        "an item of three million numbers",
        "`--limit document-values=N`, or smaller documents",
    ),
    CodeEntry(
        "too-many-documents",
        "a file holds more documents than what is read",
        "six million lines",
        "`--limit documents=N`, or several files",
    ),
    CodeEntry(
        "too-many-invalid",
        "more documents of a file break their contract than are looked at; the rest was not read",
        "a million items of another format",
        "correct what all of them share, or `--limit invalid-documents=N`",
    ),
    CodeEntry(
        "too-blank",
        "more white space between documents than what is read",
        "a sparse file",
        "`--limit blank-bytes=N`, or write it again",
    ),
    CodeEntry(
        "too-many-shared",
        "a value built in Python holds one part so often that it can't be written",
        "a list that doubles itself forty times",
        "build a smaller value",
    ),
    CodeEntry(
        "not-json",
        "a value built in Python is no JSON",
        "a tuple, a set, NaN, a cycle",
        "turn it into lists, objects, texts and numbers",
    ),
    CodeEntry(
        "not-json-lines",
        "a .jsonl file holds something that is no line of JSON",
        "one indented object",
        "one value a line, or name it .json",
    ),
    CodeEntry(
        "json-lines",
        "a .json file holds JSON Lines and is read so (advice)",
        "two objects on two lines",
        "name it .jsonl",
    ),
    CodeEntry(
        "blank-lines", "a .jsonl file has empty lines (advice)", "an empty line between items", "remove them"
    ),
    CodeEntry("empty-file", "the file holds nothing", "0 bytes", "write the data"),
    CodeEntry(
        "lfs-pointer",
        "the file is a Git LFS pointer, not the data",
        "`version https://git-lfs...`",
        "`git lfs pull`",
    ),
    CodeEntry(
        "damaged-archive", "a compressed file can't be read to its end", "half a .gz", "write it again"
    ),
    CodeEntry(
        "duplicate-column", "a table has two columns of one name", "`question,question`", "rename one of them"
    ),
    CodeEntry(
        "yaml-alias",
        "an alias inside what it stands for, or aliases for too many values",
        "`&a [*a]`",
        "write the values out",
    ),
    CodeEntry("yaml-key", "a key of YAML that is no text", "`1: x`", "quote it"),
    CodeEntry("yaml-merge", "a merge key, which YAML 1.2 hasn't", "`<<: *base`", "write the keys out"),
    CodeEntry(
        "yaml-tag",
        "a tag without a JSON value, or one that its value doesn't fit",
        "`!!binary aGk=`",
        "remove the tag",
    ),
)
