"""Two versions of a schema compared: a proof that documents stay valid, or a document that does not."""

from evalcontract.evolution.comparing.codes import SchemaFinding, place, told
from evalcontract.evolution.comparing.compare import Compatibility, View
from evalcontract.evolution.comparing.strings import samples
from evalcontract.evolution.comparing.surface import SchemaChange, changes

__all__ = [
    "Compatibility",
    "SchemaChange",
    "SchemaFinding",
    "View",
    "changes",
    "place",
    "samples",
    "told",
]
