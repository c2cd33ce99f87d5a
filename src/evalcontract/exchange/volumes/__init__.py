"""Releases published to Unity Catalog: the snapshot in a volume, and a row in a table, by the SDK of Databricks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.exchange.volumes.target import Target, VolumeError, target_of
from evalcontract.lazy import lazily

if TYPE_CHECKING:
    from evalcontract.exchange.volumes.publishing import PublishReport, publish
    from evalcontract.exchange.volumes.workspace import Workspace, connect

__all__ = ["PublishReport", "Target", "VolumeError", "Workspace", "connect", "publish", "target_of"]

__getattr__ = lazily(__name__, {"publishing": "PublishReport publish", "workspace": "Workspace connect"})
