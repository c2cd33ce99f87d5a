"""Differences and compatibility between schema versions, the freeze of released ones, and migration."""

from evalcontract.evolution.versions.breaking import Judgement, Mode
from evalcontract.evolution.versions.choosing import read_waivers
from evalcontract.evolution.versions.judging import compare_schemas
from evalcontract.evolution.versions.number import Waiver

__all__ = ["Judgement", "Mode", "Waiver", "compare_schemas", "read_waivers"]
