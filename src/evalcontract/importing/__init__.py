"""Getting other tools' data in and out: declared mappings, all or nothing, nothing lost in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.importing.exporter import ExportRequest, export_file
from evalcontract.importing.importer import import_file
from evalcontract.importing.mapping import Mapping, load_mapping, preset_names, preset_text
from evalcontract.importing.request import ID_RULES, DatasetRelease, ImportRequest
from evalcontract.importing.result import Transfer
from evalcontract.lazy import lazily

if TYPE_CHECKING:
    from evalcontract.importing.samples import from_deepeval as from_deepeval
    from evalcontract.importing.samples import from_ragas as from_ragas
    from evalcontract.importing.samples import to_deepeval as to_deepeval
    from evalcontract.importing.samples import to_ragas as to_ragas
    from evalcontract.importing.scores import ScoresRequest, import_scores, scale_in
    from evalcontract.importing.suggesting import suggest_mapping as suggest_mapping

__all__ = [
    "ID_RULES",
    "DatasetRelease",
    "ExportRequest",
    "ImportRequest",
    "Mapping",
    "ScoresRequest",
    "Transfer",
    "export_file",
    "from_deepeval",
    "from_ragas",
    "import_file",
    "import_scores",
    "load_mapping",
    "preset_names",
    "preset_text",
    "scale_in",
    "to_deepeval",
    "to_ragas",
]

__getattr__ = lazily(
    __name__,
    {
        "scores": "ScoresRequest import_scores scale_in",
        "samples": "from_deepeval from_ragas to_deepeval to_ragas",
        "suggesting": "suggest_mapping",
    },
)
