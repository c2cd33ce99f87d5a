"""Retrieval-augmented generation patterns whose output is contract-valid and can be scored."""

from __future__ import annotations

from evalcontract.rag.answers import RagAnswer
from evalcontract.rag.bm25 import Bm25Retriever
from evalcontract.rag.context import BuiltContext, ContextSource, FittedContext, build_context, fit_context
from evalcontract.rag.extractive import ExtractiveStandIn
from evalcontract.rag.fusion import FusedDocument, reciprocal_rank_fusion
from evalcontract.rag.hybrid import HybridRetriever
from evalcontract.rag.openai_chat import OpenAIChatModel
from evalcontract.rag.patterns import (
    Sufficiency,
    judge_sufficiency,
    rag_query,
    rag_with_citations,
    rag_with_sufficiency,
)
from evalcontract.rag.protocols import ChatMessage, ChatModel, ChatReply, RetrievedDocument, Retriever
from evalcontract.rag.sqlite import SqliteRetriever

__all__ = [
    "Bm25Retriever",
    "BuiltContext",
    "ChatMessage",
    "ChatModel",
    "ChatReply",
    "ContextSource",
    "ExtractiveStandIn",
    "FittedContext",
    "FusedDocument",
    "HybridRetriever",
    "OpenAIChatModel",
    "RagAnswer",
    "RetrievedDocument",
    "Retriever",
    "SqliteRetriever",
    "Sufficiency",
    "build_context",
    "fit_context",
    "judge_sufficiency",
    "rag_query",
    "rag_with_citations",
    "rag_with_sufficiency",
    "reciprocal_rank_fusion",
]
