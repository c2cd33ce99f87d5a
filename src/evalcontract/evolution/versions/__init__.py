"""Versions in a catalogue and in git: what a new one is compared with, its number, its release, the freeze."""

from evalcontract.evolution.versions.breaking import Judgement, compatibility, exit_code
from evalcontract.evolution.versions.catalogued import next_version, released, side_of
from evalcontract.evolution.versions.choosing import (
    ALL,
    checkout_folder,
    read_waivers,
    two_schemas,
    uncompared,
    working_version,
)
from evalcontract.evolution.versions.freeze import Grounds, Verified, verify
from evalcontract.evolution.versions.judging import mode_named
from evalcontract.evolution.versions.number import SURFACE
from evalcontract.evolution.versions.release import prepare

__all__ = [
    "ALL",
    "SURFACE",
    "Grounds",
    "Judgement",
    "Verified",
    "checkout_folder",
    "compatibility",
    "exit_code",
    "mode_named",
    "next_version",
    "prepare",
    "read_waivers",
    "released",
    "side_of",
    "two_schemas",
    "uncompared",
    "verify",
    "working_version",
]
