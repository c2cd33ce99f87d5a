"""Moving documents from one major version to the next, by a file of operations beside the schemas."""

from evalcontract.evolution.migrating.chain import Migrations
from evalcontract.evolution.migrating.file_migration import MovedFile, move_file

__all__ = [
    "Migrations",
    "MovedFile",
    "move_file",
]
