"""The contracts of the JSON reports: a folder with catalog.json, which lies on the built-in contracts as any other."""

from __future__ import annotations

from pathlib import Path


def contracts_folder() -> Path:
    """The folder, for `--schemas`: run_report, release_report and score_report, and what they are made of.

    They are versioned as all contracts are; a report of one version keeps its contract for ever.
    """
    return Path(__file__).parent / "contracts"
