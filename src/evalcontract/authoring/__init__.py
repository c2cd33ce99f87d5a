"""Rules for whoever writes contracts: what must hold of a folder of schemas before anything is made of it."""

from evalcontract.authoring.lint import PROFILE, RULES, Finding, Rule, lint

__all__ = ["PROFILE", "RULES", "Finding", "Rule", "lint"]
