"""Chromium without a window, driven through a pipe: no socket, no driver of anyone else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

REQUIRED = "EVALCONTRACT_REQUIRE_TOOLCHAINS"
"""With this variable set, a missing browser is a failure and no skip."""
NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:1",
    "--disable-background-networking",
)


def browser() -> str:
    """The path of Chromium; without one the test is skipped, or fails where it is required."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    missing = f"skipped: {' or '.join(NAMES)} is not on the PATH"
    if os.environ.get(REQUIRED):
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)


class Tab:
    """One page of a browser, and what its console and the network said."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._number, self._pending, self._session = 0, b"", ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer of the browser to a command; an AssertionError when it refuses."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])

    def open(self, file: Path) -> None:
        """Load a file, and forget what was said before."""
        self.events.clear()
        self.call("Page.navigate", url=file.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._next()
        time.sleep(0.05)  # what a page does late is done by then

    def run(self, script: str) -> Any:
        """What an expression, or the promise that it gives, comes to."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def look(self, *, dark: bool, width: int = 900) -> None:
        """Show pages in light or dark, so many pixels wide."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )

    def picture(self) -> bytes:
        """The page as PNG, at most 3000 pixels of it."""
        height = min(3000, self.run("document.documentElement.scrollHeight"))
        width = self.run("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        return b64decode(shot["data"])

    def complaints(self) -> list[str]:
        """Errors of the console, dialogs, and requests for anything but the file itself."""
        said: list[str] = []
        for event in self.events:
            params = event["params"]
            match event["method"]:
                case "Runtime.exceptionThrown" | "Page.javascriptDialogOpening":
                    said.append(json.dumps(params))
                case "Log.entryAdded":
                    said.append(str(params["entry"]["text"]))
                case "Runtime.consoleAPICalled":
                    said.append(json.dumps(params["args"]))
                case "Network.requestWillBeSent" if params.get("type") != "Document":
                    said.append(f"request: {params['request']['url'][:200]}")
        return said

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._pending:
            piece = os.read(self._read, 1 << 20)
            assert piece, "the browser has ended"
            self._pending += piece
        raw, _, self._pending = self._pending.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        if "method" in message:
            self.events.append(message)
        return message


@contextmanager
def tab(folder: Path) -> Iterator[Tab]:
    """A tab of a browser that is started for it; `folder` is for its profile."""
    path = browser()
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    command = [path, *_FLAGS, f"--user-data-dir={folder / 'profile'}"]
    # The browser reads from 3 and writes to 4; high numbers first, so that neither is overwritten.
    shell = f'exec 8<&{theirs_in} 9>&{theirs_out} 3<&8 4>&9 8<&- 9>&-; exec "$@"'
    process = subprocess.Popen(
        ["bash", "-c", shell, "bash", *command],
        pass_fds=(theirs_in, theirs_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder)},
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Tab(ours_out, ours_in)
    finally:
        process.terminate()
        process.wait(timeout=20)
        os.close(ours_out)
        os.close(ours_in)
