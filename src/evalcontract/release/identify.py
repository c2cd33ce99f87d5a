"""Which release a file is."""

from __future__ import annotations

from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.release.name import DatasetName, written_as
from evalcontract.release.sources import Dataset, source_of
from evalcontract.release.survey import metadata_of


def release_name(dataset: Dataset) -> DatasetName:
    """The name that a dataset's metadata calls for, with or without the type qa as its file writes it.

    Raises UnreadableInput for a dataset whose metadata doesn't say what it is called.
    """
    source = source_of(dataset)
    try:
        return written_as(DatasetName.of(metadata_of(source)), source.stem)
    except UsageError as error:
        raise UnreadableInput(f"{source.label}: {error.message}", hint=error.hint) from error
