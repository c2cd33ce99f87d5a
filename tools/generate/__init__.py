"""Everything that is derived from schemas/ in this repository: `python -m tools.generate`."""
