"""Getting other tools' data in and out: declared mappings, all or nothing, nothing lost in silence."""

from evalcontract.importing.exporter import ExportRequest, export_file
from evalcontract.importing.importer import ID_RULES, ImportRequest, import_file
from evalcontract.importing.mapping import Mapping, load_mapping, preset_names, preset_text
from evalcontract.importing.result import Transfer

__all__ = [
    "ID_RULES",
    "ExportRequest",
    "ImportRequest",
    "Mapping",
    "Transfer",
    "export_file",
    "import_file",
    "load_mapping",
    "preset_names",
    "preset_text",
]
