"""Moving documents from one major version to the next, by a file of operations beside the schemas."""
