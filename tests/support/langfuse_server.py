"""A small Langfuse on the loopback interface: the dataset endpoints, as its own server answers them.

Items are listed newest first, written over by id, kept where an update says null, and checked by the
dataset's schemas. `faults` are answers to give instead, one a request, in order.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from evalcontract.validation import iter_violations

KEYS = {"LANGFUSE_PUBLIC_KEY": "pk-lf-public-4711", "LANGFUSE_SECRET_KEY": "sk-lf-secret-0815"}
NOW = "2026-03-01T10:00:00.000Z"
CUT = "cut"
"""A fault: the connection is closed in the middle of the answer."""

Fault = str | tuple[int, Any, dict[str, str]]


class FakeLangfuse:
    """The state of the server, and what it was asked."""

    def __init__(self) -> None:
        self.datasets: dict[str, dict[str, Any]] = {}
        self.items: dict[str, dict[str, Any]] = {}
        self.arrivals: list[list[dict[str, Any]]] = []
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str]] = []
        self.tamper: Callable[[dict[str, Any]], dict[str, Any]] = lambda item: item
        self.url = ""
        self._arrived: list[dict[str, Any]] = []

    def environment(self) -> dict[str, str]:
        """What a user sets to reach this server."""
        return {"LANGFUSE_BASE_URL": self.url, **KEYS}

    def written(self) -> list[str]:
        """The paths that were written to."""
        return [path for method, path in self.requests if method == "POST"]

    def add_dataset(self, name: str, **fields: Any) -> None:
        """A dataset that is there beforehand."""
        self.save_dataset({"name": name, **fields})

    def add_item(self, dataset: str, item_id: str, **fields: Any) -> None:
        """An item that is there beforehand."""
        self.save_item({"datasetName": dataset, "id": item_id, **fields})

    def save_dataset(self, body: dict[str, Any]) -> dict[str, Any]:
        """Create a dataset, or change the fields that aren't null."""
        empty = dict.fromkeys(("description", "metadata", "inputSchema", "expectedOutputSchema"))
        fixed = {"id": f"d-{body['name']}", "projectId": "p", "createdAt": NOW, "updatedAt": NOW}
        found = self.datasets.setdefault(body["name"], {**empty, **fixed, "name": body["name"]})
        found.update({key: value for key, value in body.items() if value is not None})
        return found

    def save_item(self, body: dict[str, Any]) -> dict[str, Any]:
        """Create an item, or change the fields that aren't null."""
        dataset = self.datasets[body["datasetName"]]
        empty = dict.fromkeys(("input", "expectedOutput", "metadata", "sourceTraceId", "sourceObservationId"))
        fixed = {"datasetId": dataset["id"], "createdAt": NOW, "updatedAt": NOW, "mediaReferences": []}
        found = self.items.setdefault(body["id"], {**empty, **fixed, "status": "ACTIVE"})
        found.update({key: value for key, value in body.items() if value is not None})
        return found

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        """Status and body of the answer."""
        if path == "/api/public/v2/datasets" and method == "POST":
            return 200, self.save_dataset(body)
        if path.startswith("/api/public/v2/datasets/") and method == "GET":
            name = unquote(path.rpartition("/")[2])
            return (200, self.datasets[name]) if name in self.datasets else _missing("Dataset not found")
        if path == "/api/public/dataset-items" and method == "POST":
            return self._write_item(body)
        if path == "/api/public/dataset-items" and method == "GET":
            return self._list(query)
        if path == "/api/public/v2/observations" and method == "GET":
            return self._observations(query)
        return _missing("no such endpoint")

    def _observations(self, query: dict[str, str]) -> tuple[int, Any]:
        """The observations that have arrived, which become more with every first page; two a page, as texts."""
        if "cursor" not in query and len(self.arrivals) > 1:
            self._arrived = self.arrivals.pop(0)
        elif "cursor" not in query:
            self._arrived = self.arrivals[0]
        start = int(query.get("cursor", "0"))
        wanted = [step for step in self._arrived if step["traceId"] == query["traceId"]]
        page = [
            {**step, **{name: json.dumps(step[name]) for name in ("input", "output")}}
            for step in wanted[start : start + 2]
        ]
        more = {"cursor": str(start + 2)} if start + 2 < len(wanted) else {}
        return 200, {"data": page, "meta": more}

    def _write_item(self, body: dict[str, Any]) -> tuple[int, Any]:
        dataset = self.datasets.get(body["datasetName"])
        if dataset is None:
            return _missing("Dataset not found")
        other = self.items.get(body["id"])
        if other is not None and other["datasetName"] != body["datasetName"]:
            return _missing(
                f"The dataset item with id {body['id']} already exists in a dataset other than this"
            )
        for field, schema in (("input", "inputSchema"), ("expectedOutput", "expectedOutputSchema")):
            if dataset[schema] is not None:
                found = next(iter_violations(body.get(field), dataset[schema]), None)
                if found is not None:
                    return 400, {
                        "message": f"{field} is not valid: {found.pointer}",
                        "error": "InvalidRequestError",
                    }
        return 200, self.tamper(dict(self.save_item(body)))

    def _list(self, query: dict[str, str]) -> tuple[int, Any]:
        name, page, limit = query["datasetName"], int(query["page"]), int(query["limit"])
        if name not in self.datasets:
            return _missing("Dataset not found")
        if limit > 100:
            return 400, {"message": "limit is at most 100"}
        found = [each for each in self.items.values() if each["datasetName"] == name][::-1]
        pages = -(-len(found) // limit)
        meta = {"page": page, "limit": limit, "totalItems": len(found), "totalPages": pages}
        return 200, {"data": found[(page - 1) * limit : page * limit], "meta": meta}


def _missing(message: str) -> tuple[int, Any]:
    return 404, {"message": message, "error": "LangfuseNotFoundError"}


@contextmanager
def running() -> Iterator[FakeLangfuse]:
    """The server, listening on a port of its own until the block ends."""
    state = FakeLangfuse()
    allowed = base64.b64encode(":".join(KEYS.values()).encode()).decode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

        def do_GET(self) -> None:
            self.serve("GET")

        def do_POST(self) -> None:
            self.serve("POST")

        def serve(self, method: str) -> None:
            url = urlsplit(self.path)
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            state.requests.append((method, url.path))
            if state.faults:
                self.fail(state.faults.pop(0))
            elif self.headers["Authorization"] != f"Basic {allowed}":
                self.send(401, {"message": f"Invalid credentials {self.headers['Authorization']}"}, {})
            else:
                query = {key: values[0] for key, values in parse_qs(url.query).items()}
                self.send(*state.answer(method, url.path, query, json.loads(raw) if raw else None), {})

        def fail(self, fault: Fault) -> None:
            if isinstance(fault, tuple):
                self.send(*fault)
                return
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"data": [')
            self.close_connection = True

        def send(self, status: int, body: Any, headers: dict[str, str]) -> None:
            payload = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
