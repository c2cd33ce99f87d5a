"""From a folder of schemas to self-contained schemas and to packages in several languages."""

from evalcontract.codegen.targets import TARGETS, FileChange, OutputTarget, generate

__all__ = ["TARGETS", "FileChange", "OutputTarget", "generate"]
