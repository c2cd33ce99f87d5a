"""Two versions of a schema compared: a proof that documents stay valid, or a document that does not."""
