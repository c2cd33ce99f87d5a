"""Everything that is derived from schemas/: `python -m tools.generate` writes it, `--check` compares it."""
