"""The site of a catalogue: a page for each version of each contract, what changed between versions, and a check."""

from evalcontract.reports.site.building import site_files

__all__ = ["site_files"]
