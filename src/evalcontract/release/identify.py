"""Which release a file is."""

from __future__ import annotations

from evalcontract.datasets import Dataset, metadata_of, source_of
from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.release.looking import looked_at
from evalcontract.release.name import DatasetName, written_as


def release_name(dataset: Dataset) -> DatasetName:
    """The name that a dataset's metadata calls for, with or without the type qa as its file writes it.

    Raises UnreadableInput for a dataset whose metadata doesn't say what it is called.
    """
    source = source_of(dataset)
    try:
        return written_as(DatasetName.of(metadata_of(source) or looked_at(source).metadata), source.stem)
    except UsageError as error:
        raise UnreadableInput(f"{source.label}: {error.message}", hint=error.hint) from error
