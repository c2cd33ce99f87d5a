"""What a result is in a notebook: the page of its report, and a table for pandas or polars."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Displayed:
    """A result that a notebook shows as the page of its report.

    What shows it lies in a room above, which is named here and not imported: results stand without reports.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The page of the report, in a frame of its own."""
        shown: str = import_module("evalcontract.reports.notebooks").framed(self)
        return shown

    def to_frame(self, library: str | None = None) -> Any:
        """The rows of the result as a DataFrame of pandas or polars.

        `library` is one of the two; without it the one that is installed, pandas first. Rows are findings of a run,
        checks of a release, measures of a scored run, or differences of a comparison. Raises UsageError when the
        library is not there.
        """
        return import_module("evalcontract.reports.notebooks").frame(self, library)
