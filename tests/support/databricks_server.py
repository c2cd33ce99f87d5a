"""A small Databricks workspace on the loopback interface: the Files API and the Statement Execution API.

Files appear when they are whole, as in a volume; large ones are sent in parts, to addresses that the workspace gives
out. `faults` are answers to give instead, one a request for a file, in order; `part_faults` the same for parts.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "dapi-4711"
CUT = "cut"
"""A fault: the connection is closed after half of the request was read, and nothing is kept."""
LOST = "lost"
"""A fault: the file is written, and the connection is closed before the answer."""
HALF = "half"
"""A fault: half of the file is written, and the answer says that all is well."""

Fault = str | tuple[int, str]


class FakeWorkspace:
    """The state of the workspace, and what it was asked."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.folders: set[str] = set()
        self.statements: list[dict[str, Any]] = []
        self.rows: list[dict[str, str]] = []
        self.states: list[str] = []
        self.faults: list[Fault] = []
        self.part_faults: list[Fault | None] = []
        self.parts: dict[str, dict[int, bytes]] = {}
        self.requests: list[tuple[str, str]] = []
        self.url = ""

    def environment(self) -> dict[str, str]:
        """What a user sets to reach this workspace."""
        return {"DATABRICKS_HOST": self.url, "DATABRICKS_TOKEN": TOKEN, "DATABRICKS_CONFIG_FILE": "/dev/null"}

    def run(self, body: dict[str, Any]) -> str:
        """Merge a row by release and sha256, unless a state is to be given instead."""
        self.statements.append(body)
        if self.states:
            return self.states.pop(0)
        row = {parameter["name"]: parameter.get("value") for parameter in body["parameters"]}
        if not any((row["release"], row["sha256"]) == (old["release"], old["sha256"]) for old in self.rows):
            self.rows.append(row)
        return "SUCCEEDED"


@contextmanager
def running() -> Iterator[FakeWorkspace]:
    """The workspace, for the block."""
    workspace = FakeWorkspace()

    class Handler(_Handler):
        state = workspace

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    workspace.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield workspace
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: FakeWorkspace

    def handle_one(self) -> None:
        url = urlsplit(self.path)
        path, query = unquote(url.path), parse_qs(url.query)
        self.state.requests.append((self.command, path))
        if self.headers.get("Authorization") != f"Bearer {TOKEN}" and path.startswith("/api"):
            self._body()
            self._answer(
                401, _error("UNAUTHENTICATED", "Credential was not sent or was of an unsupported type")
            )
        elif path.startswith("/api/2.0/fs/directories"):
            self.state.folders.add(path.removeprefix("/api/2.0/fs/directories"))
            self._body()
            self._answer(204)
        elif path.startswith("/api/2.0/fs/files") and "action" in query:
            self._upload(path.removeprefix("/api/2.0/fs/files"), query)
        elif path == "/api/2.0/fs/create-upload-part-urls":
            self._addresses(json.loads(self._body()))
        elif path.startswith("/cloud/"):
            self._part(*path.removeprefix("/cloud/").split("/"))
        elif path.startswith("/api/2.0/fs/files"):
            self._file(path.removeprefix("/api/2.0/fs/files"), query)
        elif path.startswith("/api/2.0/sql/statements"):
            body = self._body()
            state = self.state.run(json.loads(body)) if self.command == "POST" else self.state.states.pop(0)
            error = {"error": {"message": "table not found"}} if state == "FAILED" else {}
            self._answer(200, {"statement_id": "s1", "status": {"state": state, **error}})
        else:
            self._body()
            self._answer(404, _error("ENDPOINT_NOT_FOUND", "no such endpoint"))

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_one  # noqa: N815

    def _upload(self, path: str, query: dict[str, list[str]]) -> None:
        """Begin an upload in parts, end it, or give it up."""
        body, (action,) = self._body(), query["action"]
        if action == "initiate-upload":
            if query["overwrite"] == ["false"] and path in self.state.files:
                self._answer(409, _error("ALREADY_EXISTS", "The file being created already exists."))
                return
            token = f"upload-{len(self.state.parts)}"
            self.state.parts[token] = {}
            self._answer(200, {"multipart_upload": {"session_token": token}})
            return
        sent = self.state.parts.pop(query["session_token"][0])
        if action == "complete-upload":
            named = [part["part_number"] for part in json.loads(body)["parts"]]
            self.state.files[path] = b"".join(sent[number] for number in named)
        self._answer(200, {})

    def _addresses(self, asked: dict[str, Any]) -> None:
        first = asked["start_part_number"]
        urls = [
            {
                "url": f"{self.state.url}/cloud/{asked['session_token']}/{number}",
                "part_number": number,
                "headers": [],
            }
            for number in range(first, first + asked["count"])
        ]
        self._answer(200, {"upload_part_urls": urls})

    def _part(self, token: str, number: str) -> None:
        fault = self.state.part_faults.pop(0) if self.state.part_faults else None
        body = self._body()
        if isinstance(fault, tuple):
            self._answer(fault[0], _error(fault[1], "not now"))
        elif fault == CUT:
            self._hang_up()
        else:
            self.state.parts[token][int(number)] = body[: len(body) // 2] if fault == HALF else body
            self._answer(200)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.close()

    def _file(self, path: str, query: dict[str, list[str]]) -> None:
        files = self.state.files
        fault = self.state.faults.pop(0) if self.state.faults else None
        if fault == CUT:
            self.rfile.read(int(self.headers.get("Content-Length") or 0) // 2)
            self._hang_up()
            return
        body = self._body()
        if isinstance(fault, tuple):
            self._answer(fault[0], _error(fault[1], "not now"))
        elif self.command == "PUT":
            if query.get("overwrite", ["true"])[0].lower() == "false" and path in files:
                self._answer(409, _error("ALREADY_EXISTS", "The file being created already exists."))
                return
            files[path] = body[: len(body) // 2] if fault == HALF else body
            if fault == LOST:
                self._hang_up()
                return
            self._answer(204)
        elif path in files:
            self._answer(200, files[path])
        else:
            self._answer(404, _error("NOT_FOUND", f"{path} is not there"))

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _answer(self, status: int, body: bytes | dict[str, Any] = b"") -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.send_header("Last-Modified", "Tue, 01 Dec 2026 05:00:00 GMT")
        if status in (429, 503):
            self.send_header("Retry-After", "0")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


def _error(code: str, message: str) -> dict[str, str]:
    return {"error_code": code, "message": message}
