"""Rules for whoever writes contracts: what must hold of a folder of schemas before anything is made of it."""

from evalcontract.authoring.lint import PROFILE, RULES, LintFinding, Rule, lint

__all__ = ["PROFILE", "RULES", "LintFinding", "Rule", "lint"]
