"""A ChatModel over any endpoint that speaks the OpenAI chat-completions protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from types import TracebackType
from typing import Any, Self

from evalcontract.errors import ContractError, ModelRejected, ModelUnavailable, UsageError
from evalcontract.rag.protocols import ChatMessage, ChatReply

_FILTERED = "the endpoint filtered the answer"


class OpenAIChatModel:
    """One model at one endpoint, through the `openai` client (extra `evalcontract[openai]`).

    `timeout` is in seconds for one attempt; connection errors, time-outs, 408, 409, 429 and 5xx are tried
    again up to `max_retries` times, after the wait that the server asks for or a growing one. Close it, or
    use it as an async context manager.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
    ) -> None:
        self._openai = _openai()
        self._model = model
        self._parameters: dict[str, Any] = {}
        if temperature is not None:
            self._parameters["temperature"] = temperature
        if max_tokens is not None:
            self._parameters["max_tokens"] = max_tokens
        try:
            self._client = self._openai.AsyncOpenAI(
                base_url=base_url, api_key=api_key, timeout=timeout, max_retries=max_retries
            )
        except self._openai.OpenAIError as error:
            raise UsageError(f"the chat model can't be set up: {error}"[:300]) from None

    async def complete(self, messages: Sequence[ChatMessage]) -> ChatReply:
        """One complete reply; a refusal or a filtered answer is a reply with `refusal`.

        Raises ModelUnavailable when all attempts fail, ModelRejected when the endpoint refuses the request
        itself.
        """
        try:
            completion = await self._client.chat.completions.create(
                model=self._model, messages=list(messages), **self._parameters
            )
        except self._openai.OpenAIError as error:
            raise self._translated(error) from None
        if not completion.choices:
            raise ModelUnavailable("the endpoint answered without a choice")
        choice = completion.choices[0]
        refusal = choice.message.refusal
        if refusal is None and choice.finish_reason == "content_filter":
            refusal = _FILTERED
        return ChatReply(choice.message.content or "", refusal)

    async def stream(self, messages: Sequence[ChatMessage]) -> AsyncIterator[str]:
        """The reply's text piece by piece as it arrives; a refusal's text comes the same way.

        A failure before the first piece is retried like `complete`; one after it raises ModelUnavailable.
        """
        try:
            async with await self._client.chat.completions.create(
                model=self._model, messages=list(messages), stream=True, **self._parameters
            ) as events:
                async for event in events:
                    for choice in event.choices[:1]:
                        piece = choice.delta.content or choice.delta.refusal
                        if piece:
                            yield piece
        except self._openai.OpenAIError as error:
            raise self._translated(error) from None
        except Exception as error:
            raise ModelUnavailable(f"the stream broke off: {type(error).__name__}"[:300]) from None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _translated(self, error: Exception) -> ContractError:
        if isinstance(error, self._openai.APITimeoutError):
            return ModelUnavailable("the model did not answer in time", hint="raise timeout or max_retries")
        status = getattr(error, "status_code", None)
        if status is not None and status < 500 and status not in (408, 409, 429):
            return ModelRejected(f"the endpoint refused the request with status {status}: {error}"[:300])
        if status is not None:
            return ModelUnavailable(f"the endpoint went on failing with status {status}: {error}"[:300])
        return ModelUnavailable(f"the model can't be reached: {error}"[:300])


def _openai() -> Any:
    try:
        import openai
    except ImportError:
        raise UsageError("the openai client is not installed", hint="pip install openai") from None
    return openai
