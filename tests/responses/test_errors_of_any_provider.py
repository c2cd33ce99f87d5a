"""An error that came in place of an answer is said in the provider's words, whether or not its name is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalcontract.responses import MissingPart, validate_rag_response
from evalcontract.responses.adapters import PROVIDERS
from tests.support.cli import run

ERRORS = {
    "openai": {"error": {"message": "boom", "type": "rate_limit_error", "param": None, "code": "x"}},
    "azure": {"error": {"code": "429", "message": "boom"}},
    "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "boom"}},
    "gemini": {"error": {"code": 400, "message": "boom", "status": "INVALID_ARGUMENT", "details": []}},
    "gemini in a list": [{"error": {"code": 400, "message": "boom"}}],
    "cohere": {"id": "1", "message": "boom"},
    "bedrock": {"message": "boom", "__type": "ValidationException"},
    "bedrock in capitals": {"Message": "boom"},
    "mistral": {"object": "error", "message": "boom", "type": "invalid_request_error", "code": "3051"},
    "responses": {
        "id": "1",
        "object": "response",
        "status": "failed",
        "error": {"message": "boom"},
        "output": [],
    },
    "words only": {"error": "boom"},
    "a framework": {"detail": "boom"},
    "a framework that refuses a field": {
        "detail": [{"loc": ["body", "q"], "msg": "boom", "type": "missing"}]
    },
    "a problem of RFC 9457": {"type": "about:blank", "title": "Busy", "status": 429, "detail": "boom"},
    "a function": {"errorMessage": "boom", "errorType": "Sandbox.Timedout"},
    "a content network": {"success": False, "errors": [{"code": 10000, "message": "boom"}], "result": None},
    "a gateway": {"fault": {"faultstring": "boom", "detail": {"errorcode": "x"}}},
}
STREAMS = [
    'data: {"error": {"message": "boom"}}\n\n',
    'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "boom"}}\n\n',
    'event: throttlingException\ndata: {"throttlingException": {"message": "boom"}}\n\n',
]


def said(file: Path, *options: str) -> None:
    done = run("response", str(file), *options)
    assert done.code == 1
    assert "the answer failed" in done.err
    assert "boom" in done.err
    assert "choices" not in done.out + done.err


@pytest.mark.parametrize("provider", [None, *(row.name for row in PROVIDERS)])
@pytest.mark.parametrize("name", ERRORS)
def test_an_error_object_is_told(tmp_path: Path, name: str, provider: str | None) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(ERRORS[name]))
    if name == "responses" and provider is not None:
        provider = "openai_responses"
    said(file, *(["--provider", provider] if provider else []))


@pytest.mark.parametrize("name", sorted(ERRORS.keys() - {"gemini in a list", "responses"}))
def test_the_check_of_a_service_tells_it_too(name: str) -> None:
    with pytest.raises(MissingPart, match="has no choices: it is an error.*boom"):
        validate_rag_response(ERRORS[name])


@pytest.mark.parametrize("provider", [None, *(row.name for row in PROVIDERS)])
@pytest.mark.parametrize("text", STREAMS)
def test_an_error_in_a_stream_is_told(tmp_path: Path, text: str, provider: str | None) -> None:
    file = tmp_path / "a.sse"
    file.write_text(text)
    said(file, *(["--provider", provider] if provider else []))
