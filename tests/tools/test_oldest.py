from tools.oldest import constraints


def test_the_oldest_versions_stand_in_for_the_pinned_ones() -> None:
    pinned = ["jsonschema==4.26.0", "typing_extensions==4.16.0", "pytest==9.2.0"]
    lowest = ["jsonschema==4.23.0\n", "typing-extensions==4.12.0\n", "# comment\n"]
    assert list(constraints(pinned, lowest)) == [
        "pytest==9.2.0",
        "jsonschema==4.23.0",
        "typing-extensions==4.12.0",
    ]
