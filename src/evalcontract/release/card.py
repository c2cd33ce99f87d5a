"""What a dataset is, in one place: for a card beside it, and for catalogues that find it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evalcontract.catalog import Catalogue
from evalcontract.datasets import metadata_of, source_of
from evalcontract.errors import UsageError
from evalcontract.reading import STDIN
from evalcontract.release.check import check_release
from evalcontract.release.report import ReleaseReport
from evalcontract.release.stats import DatasetStats, dataset_stats


@dataclass(frozen=True, slots=True)
class DatasetCard:
    """A dataset's file with the sha256 of its bytes in hexadecimal, its metadata, its counts and its checks."""

    file: Path
    sha256: str
    metadata: Mapping[str, object]
    stats: DatasetStats
    report: ReleaseReport

    def said(self, key: str) -> str | None:
        """A text of the metadata; None when it is not given."""
        text = self.metadata.get(key)
        return text if isinstance(text, str) and text else None

    @property
    def title(self) -> str:
        """The name of the release; of a dataset without one, its file's."""
        return str(self.report.name or self.file.name)


def dataset_card(file: str, catalogue: Catalogue | None = None) -> DatasetCard:
    """Look at a dataset in a file. Raises what `check_release` raises, and UsageError for standard input."""
    if file == STDIN:
        raise UsageError("a card is of a file, not of standard input", hint="write the dataset to a file")
    stats, path = dataset_stats(file), Path(file)
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    report = check_release(file, catalogue=catalogue)
    return DatasetCard(path, digest, metadata_of(source_of(file)), stats, report)
