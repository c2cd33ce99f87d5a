"""For whoever writes contracts: drafts to begin with, rules that hold of a folder of schemas, vectors."""

from evalcontract.authoring.drafts import Drafted, draft
from evalcontract.authoring.editor import DATA_PATTERNS, SCHEMA_FILE, editor_files, editor_schema
from evalcontract.authoring.fields import DraftField, field_from_words, fields_from_data
from evalcontract.authoring.finding import LintFinding, LintRule
from evalcontract.authoring.lint import LOOSE, PROFILE, SCHEMA, STRICT, lint, lint_layers
from evalcontract.authoring.mutants import Mutant, mutants_of
from evalcontract.authoring.rules import RULES
from evalcontract.authoring.vectors import Vectors, vectors_of

__all__ = [
    "DATA_PATTERNS",
    "LOOSE",
    "PROFILE",
    "RULES",
    "SCHEMA",
    "SCHEMA_FILE",
    "STRICT",
    "DraftField",
    "Drafted",
    "LintFinding",
    "LintRule",
    "Mutant",
    "Vectors",
    "draft",
    "editor_files",
    "editor_schema",
    "field_from_words",
    "fields_from_data",
    "lint",
    "lint_layers",
    "mutants_of",
    "vectors_of",
]
