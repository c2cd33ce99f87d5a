"""From a folder of schemas to self-contained schemas and to packages in several languages."""

from evalcontract.codegen.model import model_of as model_of
from evalcontract.codegen.schema_files import all_bundles as all_bundles
from evalcontract.codegen.schema_files import flat_file as flat_file
from evalcontract.codegen.snippets import Snippet as Snippet
from evalcontract.codegen.snippets import snippets as snippets
from evalcontract.codegen.targets import TARGETS, FileChange, OutputTarget, generate
from evalcontract.codegen.targets import bring_up_to_date as bring_up_to_date
from evalcontract.codegen.typescript.checker import checker_script as checker_script

__all__ = ["TARGETS", "FileChange", "OutputTarget", "generate"]
