"""Datasets exchanged with a Langfuse server, through its own SDK."""

from __future__ import annotations

from evalcontract.exchange.client import LangfuseError, Server, connect
from evalcontract.exchange.pull import pulled
from evalcontract.exchange.push import PushReport, push

__all__ = ["LangfuseError", "PushReport", "Server", "connect", "pulled", "push"]
