"""For whoever writes contracts: drafts to begin with, rules that hold of a folder of schemas, vectors."""

from evalcontract.authoring.drafts import Drafted, draft
from evalcontract.authoring.fields import DraftField, field_from_words, fields_from_data
from evalcontract.authoring.finding import LintFinding, LintRule
from evalcontract.authoring.lint import LOOSE, PROFILE, SCHEMA, STRICT, lint, lint_layers
from evalcontract.authoring.mutants import Mutant, mutants_of
from evalcontract.authoring.rules import RULES
from evalcontract.authoring.vectors import Vectors, vectors_of

__all__ = [
    "LOOSE",
    "PROFILE",
    "RULES",
    "SCHEMA",
    "STRICT",
    "DraftField",
    "Drafted",
    "LintFinding",
    "LintRule",
    "Mutant",
    "Vectors",
    "draft",
    "field_from_words",
    "fields_from_data",
    "lint",
    "lint_layers",
    "mutants_of",
    "vectors_of",
]
