"""The chat model over real HTTP, against a small server on the loopback interface."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import pytest

from evalcontract.errors import ModelRejected, ModelUnavailable, UsageError
from evalcontract.rag import ChatReply, OpenAIChatModel, RetrievedDocument, rag_with_citations

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

T = TypeVar("T")
MESSAGES: Any = [{"role": "user", "content": "Hello"}]


class Server:
    """Gives its answers in order, each a function that writes to the connection, and keeps the requests."""

    def __init__(self, *answers: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.connections: set[asyncio.Task[Any]] = set()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.connections.add(task)
        try:
            await self.answer(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        self.headers.append(head)
        self.requests.append(json.loads(await reader.readexactly(int(fields["content-length"]))))
        await self.answers.pop(0)(writer)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self.handle, "127.0.0.1", 0)
        async with server:
            try:
                yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
            finally:
                await asyncio.gather(*self.connections)


def status(code: int, body: object, *headers: str) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
    async def write(writer: asyncio.StreamWriter) -> None:
        payload = json.dumps(body).encode()
        lines = [f"HTTP/1.1 {code} X", "content-type: application/json", f"content-length: {len(payload)}"]
        writer.write("\r\n".join([*lines, *headers, "connection: close", "", ""]).encode() + payload)
        await writer.drain()

    return write


def completion(message: dict[str, Any], finish_reason: str = "stop") -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def failing(code: int) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
    return status(code, {"error": {"message": "try later"}}, "retry-after-ms: 1")


async def silence(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(0.5)


def stream(
    *deltas: dict[str, Any], finished: bool = True
) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        for delta in deltas:
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": []}
            if delta:
                chunk["choices"] = [{"index": 0, "delta": delta, "finish_reason": None}]
            await send(writer, f"data: {json.dumps(chunk)}\n\n")
        if finished:
            await send(writer, "data: [DONE]\n\n")
            writer.write(b"0\r\n\r\n")
            await writer.drain()

    async def send(writer: asyncio.StreamWriter, text: str) -> None:
        data = text.encode()
        writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await writer.drain()

    return write


def talk(server: Server, use: Callable[[OpenAIChatModel], Awaitable[T]], **settings: Any) -> T:
    async def run() -> T:
        async with server.running() as url:
            settings.setdefault("max_retries", 2)
            async with OpenAIChatModel("m", base_url=url, api_key="not-a-key", **settings) as model:
                return await use(model)

    return asyncio.run(run())


async def ask(model: OpenAIChatModel) -> ChatReply:
    return await model.complete(MESSAGES)


async def listen(model: OpenAIChatModel) -> list[str]:
    return [piece async for piece in model.stream(MESSAGES)]


def test_a_reply_comes_back_and_the_request_is_what_was_asked() -> None:
    server = Server(status(200, completion({"content": "Hi"})))
    assert talk(server, ask, max_tokens=50) == ChatReply("Hi")
    assert server.requests == [{"model": "m", "messages": MESSAGES, "temperature": 0.0, "max_tokens": 50}]
    assert "authorization: bearer not-a-key" in server.headers[0].lower()


@pytest.mark.parametrize("code", [429, 500, 503, 408])
def test_passing_failures_are_retried(code: int) -> None:
    server = Server(failing(code), failing(code), status(200, completion({"content": "Hi"})))
    assert talk(server, ask) == ChatReply("Hi")
    assert len(server.requests) == 3


def test_lasting_failures_end_in_one_clear_error() -> None:
    server = Server(*[failing(503)] * 3)
    with pytest.raises(ModelUnavailable, match="status 503"):
        talk(server, ask)
    assert len(server.requests) == 3


@pytest.mark.parametrize("code", [400, 401, 404, 422])
def test_a_refused_request_is_not_retried(code: int) -> None:
    server = Server(failing(code))
    with pytest.raises(ModelRejected, match=f"status {code}"):
        talk(server, ask)
    assert len(server.requests) == 1


def test_a_silent_server_is_given_up_after_the_time_out() -> None:
    server = Server(silence, silence)
    with pytest.raises(ModelUnavailable, match="in time"):
        talk(server, ask, timeout=0.1, max_retries=0)
    assert len(server.requests) == 1


def test_a_time_out_is_retried_too() -> None:
    server = Server(silence, status(200, completion({"content": "Hi"})))
    assert talk(server, ask, timeout=0.2, max_retries=1) == ChatReply("Hi")


def test_a_server_that_is_not_there_is_named_as_such() -> None:
    async def run() -> None:
        async with OpenAIChatModel(
            "m", base_url="http://127.0.0.1:9/v1", api_key="k", max_retries=0
        ) as model:
            await ask(model)

    with pytest.raises(ModelUnavailable, match="can't be reached"):
        asyncio.run(run())


def test_a_refusal_is_a_reply() -> None:
    server = Server(status(200, completion({"content": None, "refusal": "I can't help with that."})))
    assert talk(server, ask) == ChatReply("", "I can't help with that.")
    filtered = Server(status(200, completion({"content": "par"}, "content_filter")))
    assert talk(filtered, ask) == ChatReply("par", "the endpoint filtered the answer")


def test_an_answer_without_a_choice_is_an_error() -> None:
    server = Server(status(200, {**completion({"content": "x"}), "choices": []}))
    with pytest.raises(ModelUnavailable, match="without a choice"):
        talk(server, ask)


def test_a_stream_comes_piece_by_piece() -> None:
    server = Server(stream({"role": "assistant"}, {"content": "Hel"}, {}, {"content": "lo é"}))
    assert talk(server, listen) == ["Hel", "lo é"]
    assert server.requests[0]["stream"] is True


def test_a_refusal_streams_its_words() -> None:
    assert talk(Server(stream({"refusal": "No."})), listen) == ["No."]


def test_a_stream_is_retried_before_its_first_piece() -> None:
    server = Server(failing(500), stream({"content": "Hi"}))
    assert talk(server, listen) == ["Hi"]


def test_a_stream_that_breaks_off_is_an_error() -> None:
    with pytest.raises(ModelUnavailable):
        talk(Server(stream({"content": "Hel"}, finished=False)), listen)


def test_a_pattern_works_end_to_end_over_http() -> None:
    class One:
        async def search(self, question: str, limit: int) -> list[RetrievedDocument]:
            return [RetrievedDocument("d1", "Paris is the capital of France.")]

    server = Server(failing(503), status(200, completion({"content": "Paris [1]."})))
    answer = talk(server, lambda model: rag_with_citations("Capital of France?", One(), model))
    assert [source.document.document_id for source in answer.sources] == ["d1"]
    assert "| Paris is the capital of France." in server.requests[1]["messages"][1]["content"]


def test_a_missing_key_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="set up"):
        OpenAIChatModel("m", base_url="http://127.0.0.1:9/v1")
