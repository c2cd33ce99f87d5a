"""What other services hold: datasets on a Langfuse server, releases in Unity Catalog, through their own SDKs."""

from __future__ import annotations

from evalcontract.exchange.client import LangfuseError, Server, connect
from evalcontract.exchange.pull import pulled
from evalcontract.exchange.push import PushReport, push

__all__ = ["LangfuseError", "PushReport", "Server", "connect", "pulled", "push"]
