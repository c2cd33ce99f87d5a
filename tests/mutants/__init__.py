"""Mutation testing: bugs are planted on the syntax tree of the prover, one by one, and the tests have to notice."""
