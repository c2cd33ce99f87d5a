"""The keywords of JSON Schema: which hold schemas, which refuse nothing, and which other dialects know beside them."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of a text, for lists of keywords that read as one."""
    return tuple(text.split())


TYPES = ("null", "boolean", "integer", "fraction", "string", "array", "object")
"""JSON's types, integers apart from other numbers."""
ALL_TYPES = frozenset(TYPES)

ONE_SCHEMA = words(
    "additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems "
    "unevaluatedProperties"
)
SCHEMA_LISTS = words("allOf anyOf oneOf prefixItems")
SCHEMA_MAPS = words("$defs definitions dependentSchemas patternProperties properties")
IN_PLACE = words("$ref allOf anyOf oneOf not if then else dependentSchemas")
"""Keywords whose subschemas are about the same value as the schema itself."""
ANNOTATIONS = frozenset(
    words(
        "$anchor $comment $defs $id $schema $vocabulary contentEncoding contentMediaType contentSchema default "
        "definitions deprecated description discriminator examples readOnly title writeOnly"
    )
)
"""Keywords that refuse nothing; `discriminator` is OpenAPI's, a hint to code generators."""
KEYWORDS = ANNOTATIONS | frozenset(
    words(
        "$dynamicAnchor $dynamicRef $ref additionalProperties allOf anyOf const contains dependentRequired "
        "dependentSchemas else enum exclusiveMaximum exclusiveMinimum format if items maxContains maxItems maxLength "
        "maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not oneOf pattern "
        "patternProperties prefixItems properties propertyNames required then type unevaluatedItems "
        "unevaluatedProperties uniqueItems"
    )
)
"""Every keyword of the dialect."""
ELSEWHERE = frozenset(
    words(
        "$data $recursiveAnchor $recursiveRef additionalItems allRequired anyRequired dependencies disallow "
        "divisibleBy dynamicDefaults exclusiveFormatMaximum exclusiveFormatMinimum extends formatExclusiveMaximum "
        "formatExclusiveMinimum formatMaximum formatMinimum id instanceof nullable patternRequired prohibited range "
        "exclusiveRange regexp select selectCases selectDefault switch transform typeof uniqueItemProperties "
        "continue deepProperties deepRequired constant contentMaxLength"
    )
)
"""Keywords that other dialects and tools refuse values by, though this dialect doesn't."""


def is_unknown(keyword: str) -> bool:
    """Whether a keyword is none of the dialect, and none that others are known to refuse values by."""
    return keyword not in KEYWORDS and keyword not in ELSEWHERE


def annotates(keyword: str) -> bool:
    """Whether a keyword refuses nothing: an annotation of the dialect, or one that nobody is known to refuse by."""
    return keyword in ANNOTATIONS or is_unknown(keyword)


CONDITIONAL = frozenset(words("anyOf oneOf if then else dependentSchemas $dynamicRef $recursiveRef"))
"""Keywords by which it depends on the value what else is looked at."""
BRANCHES = words("anyOf oneOf not if then else contains")
