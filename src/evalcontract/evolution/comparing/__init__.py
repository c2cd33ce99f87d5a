"""Two versions of a schema compared: a proof that documents stay valid, or a document that does not."""

from evalcontract.evolution.comparing.codes import Finding, place, told
from evalcontract.evolution.comparing.compare import Verdict, View
from evalcontract.evolution.comparing.strings import samples
from evalcontract.evolution.comparing.surface import Change, changes

__all__ = [
    "Change",
    "Finding",
    "Verdict",
    "View",
    "changes",
    "place",
    "samples",
    "told",
]
