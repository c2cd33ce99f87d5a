"""Engines that decide whether a document keeps a schema: `jsonschema`, and a compiled one before it."""
