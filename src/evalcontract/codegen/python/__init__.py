"""The emitter for Python: pydantic models, typed dicts and a registry."""

from evalcontract.codegen.python.package import python_package

__all__ = ["python_package"]
