"""The engines that tables are judged on, each as a session: Sail without a JVM, Spark classic, and Spark Connect."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ENGINES = ("sail", "classic", "connect")
REQUIRED = "EVALCONTRACT_REQUIRE_TOOLCHAINS"
"""With this variable set, a missing engine is a failure and no skip."""
ATTEMPTS = 3
"""How often Spark tries a task, also in one process."""


@contextmanager
def session(engine: str, folder: Path) -> Iterator[Any]:
    """A session of an engine; its tables are kept in the folder."""
    interrupted = signal.getsignal(signal.SIGINT)
    with _main_with_a_file():
        begun = _sail(folder) if engine == "sail" else _spark(engine, folder)
        made = next(begun)
    try:
        yield made
    finally:
        next(begun, None)
        signal.signal(signal.SIGINT, interrupted)  # classic Spark has a handler of its own


@contextmanager
def _main_with_a_file() -> Iterator[None]:
    """PySpark takes a main module without a file, as the workers of pytest-xdist have, for its own doctests."""
    main = sys.modules["__main__"]
    if hasattr(main, "__file__"):
        yield
        return
    main.__file__ = __file__
    try:
        yield
    finally:
        del main.__file__


def _sail(folder: Path) -> Iterator[Any]:
    need("pysail", "pyspark")
    os.environ.setdefault("RUST_LOG", "error")
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    _, port = server.listening_address  # type: ignore[misc]
    made = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
    made.conf.set("spark.sql.warehouse.dir", str(folder))
    try:
        yield made
    finally:  # or the process never ends
        made.stop()
        server.stop()


def _spark(engine: str, folder: Path) -> Iterator[Any]:
    need("py4j", "pyspark")
    if shutil.which("java") is None:
        _missing("Java 17 is not on the PATH")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    master = f"local[2,{ATTEMPTS}]"
    builder = builder.remote(master) if engine == "connect" else builder.master(master)
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.warehouse.dir": str(folder),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }.items():
        builder = builder.config(key, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Connect warns about settings that a server has from its start
        made = builder.getOrCreate()
    try:
        yield made
    finally:
        made.stop()


def need(*modules: str) -> None:
    """Skip a test loudly, or fail it, where a package is missing."""
    for module in modules:
        if find_spec(module) is None:
            _missing(f"{module} is not installed")


def _missing(what: str) -> None:
    if os.environ.get(REQUIRED):
        pytest.fail(f"skipped: {what}", pytrace=False)
    pytest.skip(f"skipped: {what}")
