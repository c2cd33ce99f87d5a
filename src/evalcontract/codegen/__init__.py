"""From a folder of schemas to self-contained schemas and to packages in several languages."""

from evalcontract.codegen.targets import TARGETS, Change, Target, generate

__all__ = ["TARGETS", "Change", "Target", "generate"]
