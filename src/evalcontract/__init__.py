"""evalcontract: the contract layer for RAG and agent evaluation data."""
