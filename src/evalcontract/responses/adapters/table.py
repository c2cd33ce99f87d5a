"""The providers whose answers can be read: one row each, which the command line and the documentation read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evalcontract.responses.adapters import (
    anthropic_messages,
    azure_on_your_data,
    bedrock_converse,
    bedrock_rag,
    chat_completions,
    cohere_chat,
    gemini,
    openai_chat,
    openai_responses,
)
from evalcontract.responses.adapters.adapted import AdaptedResponse, CollectedCitations
from evalcontract.responses.adapters.streams import Stream
from evalcontract.responses.shapes import JsonNode


class Adapter(Protocol):
    """Reads the parsed JSON of a provider's answer. Raises UnexpectedShape, OffsetMismatch, ContractViolation."""

    def __call__(self, response: JsonNode, found: CollectedCitations, /) -> AdaptedResponse: ...


class Assembler(Protocol):
    """Makes the whole answer from the frames of a stream. Raises NoAnswer where the last frame is missing."""

    def __call__(self, stream: Stream, found: CollectedCitations, /) -> JsonNode: ...


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: its adapter for whole answers, its assembler of streams, and what the adapter makes of an answer,
    in words for the documentation."""

    name: str
    title: str
    adapt: Adapter
    assemble: Assembler
    offsets: str
    document_id: str
    keeps: str
    derives: str
    cannot_know: str


PROVIDERS: tuple[Provider, ...] = (
    Provider(
        name="openai_chat",
        title="OpenAI chat completions",
        adapt=openai_chat.adapt,
        assemble=chat_completions.assemble,
        offsets="characters of the message, end exclusive; proved when the URL is found there",
        document_id="url, title; of a context that keeps the contract, its own",
        keeps="url citations with their titles, and a context that keeps the contract",
        derives="nothing",
        cannot_know="the text of web pages, score, page_number",
    ),
    Provider(
        name="azure_on_your_data",
        title="Azure OpenAI On Your Data",
        adapt=azure_on_your_data.adapt,
        assemble=chat_completions.assemble,
        offsets="none; markers [docN] count citations from 1",
        document_id="filepath, url, title, else a hash of the text",
        keeps="every key of a citation (scores of the search service too) and of the context, whole or streamed, "
        "also from the tool message of API versions before 2024-02-15-preview",
        derives="a citation for each marker in the answer",
        cannot_know="score (the search service has no fixed scale), source_id, page_number",
    ),
    Provider(
        name="openai_responses",
        title="OpenAI Responses",
        adapt=openai_responses.adapt,
        assemble=openai_responses.assemble,
        offsets="characters of the output_text part, end exclusive; proved when the URL is found there",
        document_id="file_id, filename, url, title, else a hash of the text",
        keeps="file search results with score and attributes, annotations with title and url",
        derives="the marker, from the text that the annotation covers",
        cannot_know="the text of web pages and of files whose search results were not included, page_number",
    ),
    Provider(
        name="anthropic",
        title="Anthropic Messages",
        adapt=anthropic_messages.adapt,
        assemble=anthropic_messages.assemble,
        offsets="characters, blocks or pages of the cited document, end exclusive; characters are proved when "
        "the documents are given",
        document_id="file_id, url or source, title, else the position of the document in the request",
        keeps="the cited text as passage and quote, and the location in the document",
        derives="the span of the answer (the text block that carries the citation), page_number (the first page)",
        cannot_know="the passage around the cited text, score, documents that were given but not cited",
    ),
    Provider(
        name="cohere",
        title="Cohere Chat v2",
        adapt=cohere_chat.adapt,
        assemble=cohere_chat.assemble,
        offsets="characters of the content block, end exclusive; proved, since the text is repeated",
        document_id="id of the source, url, title, else a hash of the text",
        keeps="every field of a cited document or tool output",
        derives="the passage: the field text, snippet, content or data, else the whole document as JSON",
        cannot_know="score, page_number, documents that were given but not cited",
    ),
    Provider(
        name="gemini",
        title="Gemini grounding",
        adapt=gemini.adapt,
        assemble=gemini.assemble,
        offsets="bytes of UTF-8 in a part, end exclusive, 0 left out; proved, since the text is repeated",
        document_id="document name, file or place id, uri, title, else a hash of the text",
        keeps="retrieved chunks that are not cited too, confidence of each support, search queries, title and url",
        derives="character offsets, page_number (the first page of a span)",
        cannot_know="the text of web pages, and their real address where the uri is a redirect; score",
    ),
    Provider(
        name="bedrock_rag",
        title="Amazon Bedrock RetrieveAndGenerate",
        adapt=bedrock_rag.adapt,
        assemble=bedrock_rag.assemble,
        offsets="characters of the answer, end inclusive; proved, since the text is repeated",
        document_id="custom document id, S3 or Kendra uri, url, source uri of the metadata, else a hash of the text",
        keeps="location and metadata of each reference",
        derives="page_number and source_id from the metadata; the passage of audio, video and table rows",
        cannot_know="score, references that were retrieved but not cited",
    ),
    Provider(
        name="bedrock_converse",
        title="Amazon Bedrock Converse",
        adapt=bedrock_converse.adapt,
        assemble=bedrock_converse.assemble,
        offsets="characters, pages or chunks of the cited document; characters are proved (end exclusive) when "
        "the documents are given",
        document_id="source or url, title, else the position of the document in the request",
        keeps="the cited content as passage and quote, and the location in the document",
        derives="the span of the answer (the block that carries the citation)",
        cannot_know="page_number (not documented whether pages count from 0 or 1), score",
    ),
)
