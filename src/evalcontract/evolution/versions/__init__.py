"""Versions in a catalogue and in git: what a new one is compared with, its number, its release, the freeze."""
