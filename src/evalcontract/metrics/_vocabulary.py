"""Closed word lists of the text metrics."""

from __future__ import annotations

_FUNCTION = """
a an the this that these those such some any each every either neither both all most more less few many much
other another same own i me my mine myself we us our ours ourselves you your yours yourself yourselves he
him his himself she her hers herself it its itself they them their theirs themselves who whom whose which
what when where why how and or but if then else so because as until while although though since unless
whereas whether than of at by for with about into through during before after above below to from up down in
out on off over under again further once here there am is are was were be been being have has had having do
does did doing done will would shall should can could may might must ought also just only very too quite
rather yet still even ever upon within via per etc eg ie
"""
_GLUE = """
passage passages provided provide provides context contexts based according mentioned mention mentions
stated document documents text texts excerpt excerpts snippet snippets given described specified indicated
indicates answer question information however therefore thus hence additionally furthermore moreover overall
summary conclusion conclude respectively namely
"""
_SMALL_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty
"""
_TENS = {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
}
_ABBREVIATED = """
mr mrs ms dr prof st jr sr vs etc cf ca approx inc ltd co corp dept est fig figs eq sec vol pp ed eds al gen
col lt sgt capt rev hon gov sen rep pres mt ft jan feb mar apr jun jul aug sep sept oct nov dec bzw usw bspw
ggf evtl inkl zzgl nr abb bd hrsg tel str vgl sog art abs mme mlle sra ud uds av
"""
_BEFORE_NUMBERS = "no nos p pp art sec fig ch vol nr abs eq"

DROPPED_WORDS = frozenset((_FUNCTION + _GLUE).split())
"""English function words and words that only glue an answer to its contexts; no negation is among them."""

CAPITAL_WORDS = frozenset(["US", "IT", "WHO", "AM"])
"""Written like this, these are names, not function words."""

NEGATIONS = {"not": "not", "cannot": "not", "no": "no", "nor": "nor", "never": "never"}

NUMBER_WORDS = {word: str(value) for value, word in enumerate(_SMALL_NUMBERS.split())} | _TENS

ABBREVIATIONS = frozenset(_ABBREVIATED.split())
"""Words after which a full stop ends no sentence."""

NUMBERED_WORDS = frozenset(_BEFORE_NUMBERS.split())
"""Words after which a full stop ends no sentence when a number follows."""
