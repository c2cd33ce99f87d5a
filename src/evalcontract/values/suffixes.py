"""What the names of files say about them: one list for all that read, write and report."""

JSON_SUFFIXES = (".json",)
LINES_SUFFIXES = (".jsonl", ".ndjson")
YAML_SUFFIXES = (".yaml", ".yml")
PARQUET_SUFFIX = ".parquet"
COMPRESSED_SUFFIXES = (".gz", ".zst")
