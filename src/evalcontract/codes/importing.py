"""Codes of imports and exports: of files, rows and mappings."""

from __future__ import annotations

from evalcontract.codes.entry import CodeEntry

IMPORTING = (
    CodeEntry(
        "cell-count",
        "a row of a table has more or fewer cells than its header",
        "an unquoted comma",
        "quote cells that hold a delimiter",
    ),
    CodeEntry(
        "csv-syntax", "a row that is no CSV", "a quote that never closes", "write a quote inside a cell twice"
    ),
    CodeEntry(
        "one-column",
        "the header is one cell that holds other delimiters",
        "`question;answer`",
        "save it with commas, or as .tsv",
    ),
    CodeEntry(
        "unnamed-column",
        "a column without a name, read by its number (advice)",
        "the index that pandas writes",
        "write the file with `index=False`",
    ),
    CodeEntry(
        "not-a-row", "an element that is no object", "`[1, 2]` instead of rows", "one object for each row"
    ),
    CodeEntry("nothing-read", "no row or item at all", "only a header", "check the file"),
    CodeEntry(
        "missing-key",
        "a key that the mapping needs is not in the row",
        "a row without `question`",
        "add it, or map another key",
    ),
    CodeEntry("no-id", "a row has no id for its item", "an empty `id`", "add it, or make ids with `--ids`"),
    CodeEntry(
        "two-sources",
        "two keys of a row fill one field",
        "`answer` and `response`",
        "keep one, or map them apart",
    ),
    CodeEntry(
        "odd-value",
        "a value was read in a way worth a look (advice)",
        "a list of one where text is usual",
        "compare the item with its row",
    ),
    CodeEntry(
        "type-mismatch",
        "the mapping fills a field that the type hasn't",
        "`--type qa` with contexts",
        "leave out `--type`, or name a type that has it",
    ),
    CodeEntry(
        "outside-rows",
        "keys beside the rows would be left out",
        '`{"version": 1, "rows": []}`',
        "allow it with `--allow-drop`",
    ),
    CodeEntry(
        "would-drop",
        "something has no place in the other format",
        "`score` in a format without it",
        "`--allow-drop`, or a mapping of your own",
    ),
    CodeEntry(
        "cannot-hold",
        "the other format can't hold a value exactly",
        "an id with a space in a qrels file",
        "change the value, or take another format",
    ),
    CodeEntry(
        "no-such-item",
        "a prediction for an item that isn't exported",
        "a record of another dataset",
        "export the dataset that it belongs to",
    ),
    CodeEntry(
        "malformed-line",
        "a line of qrels or of a run is not as its format says",
        "three columns of four",
        "write the columns that the hint names",
    ),
    CodeEntry("no-query", "a judged query has no text", "`q7` in qrels only", "add it to the queries"),
    CodeEntry(
        "no-document",
        "a judged document is not in the corpus",
        "`d9` in qrels only",
        "take the corpus that was judged",
    ),
    CodeEntry("duplicate-query", "a query stands twice", "two lines `q1`", "keep one"),
    CodeEntry("judged-twice", "a document is judged twice for one query", "two lines `q1 0 d1`", "keep one"),
    CodeEntry(
        "unjudged-queries",
        "queries without a judgement are left out (advice)",
        "the queries of all splits",
        "nothing, if another split judges them",
    ),
    CodeEntry("two-tags", "a run file holds lines of several runs", "two tags for `q1`", "one run a file"),
    CodeEntry(
        "equal-ranks", "documents of a query share a rank", "two documents of rank 1", "rank them apart"
    ),
    CodeEntry(
        "ranks-disagree",
        "scores and ranks disagree, and the ranks are taken (advice)",
        "rank 1 with the lower score",
        "write ranks by descending score",
    ),
    CodeEntry(
        "choices-not-shown",
        "choices that can't be shown as lettered lines are kept in the metadata (advice)",
        "a list of numbers",
        "write them as at most 26 texts",
    ),
)
