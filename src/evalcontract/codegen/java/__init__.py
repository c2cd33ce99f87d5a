"""The emitter for Java: a Maven package with a class for each contract, a strict reader and a validator."""

from evalcontract.codegen.java.package import java_package

__all__ = ["java_package"]
