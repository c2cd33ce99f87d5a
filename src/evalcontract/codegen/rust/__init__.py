"""The emitter for Rust: a Cargo package with a struct for each contract, a strict reader and a validator."""

from evalcontract.codegen.rust.package import rust_package

__all__ = ["rust_package"]
