# Generated from schemas/ by python -m tools.generate. Do not edit.

from typing import Annotated, Any, Literal

from evalcontract_models._base import ContractModel
from pydantic import Field, StrictBool


class BaseExpectedOutput(ContractModel):
    """What a good system would answer: the expected output of schema type qa, and the root of all other expected outputs."""

    response: str
    """The reference answer, as text. An item about routing alone carries the routing message here; an item that can't be answered carries the text that says so."""
    answerable: StrictBool | None = None
    """Whether the request can be answered from what the system can know. False: a good system says that it can't, instead of answering. Null when this was not annotated."""


class Citation(ContractModel):
    """A source that an expected or predicted response refers to, so that a reader can check where a statement comes from."""

    document_id: Annotated[str, Field(min_length=1)]
    """Identifier of the cited document in the product's own document store. The same identifier is used in input.document_ids, in retrieval ground truth and in retrieved documents."""
    response_marker: str | None = None
    """The text in the response that stands for this citation, exactly as it is written there, for example [1] or [^1]. Null when the response has no marker for it."""
    page_number: Annotated[int | None, Field(ge=1, le=9007199254740991)] = None
    """Physical page of the document, counted from 1. Null when the document has no pages or the page is not known. Printed page labels such as iv are not page numbers."""
    quotes: list[str] | None = None
    """Passages of the document, word for word, that support the response. Null when nobody has marked any."""


class DatasetMetadata(ContractModel):
    """What a dataset release is: whose it is, what it covers, which release it is and which schema type its items follow."""

    product_id: Annotated[str, Field(min_length=1)]
    """Identifier of the product that the dataset evaluates, for example pathfinder."""
    scope: Annotated[str, Field(min_length=1)]
    """What the dataset covers within the product, for example retrieval or smoke."""
    version: Annotated[str, Field(pattern="^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$")]
    """Version of the dataset release as major.minor, for example 1.6. Versions compare as numbers: 1.10 is higher than 1.9."""
    input_schema_type: Annotated[str, Field(min_length=1)]
    """Name of the schema type that the items follow: qa, rag, agent, rag_agent or a product's own."""
    input_schema_version: Annotated[
        str, Field(pattern="^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$")
    ]
    """Version of that schema type as major.minor, for example 1.0."""


class Message(ContractModel):
    """One turn of a conversation between a user and the system under evaluation. A single-turn item has one message; a multi-turn item carries the whole conversation, oldest first."""

    role: Literal["user", "assistant", "system"]
    """Who speaks: user (the person asking), assistant (the system under evaluation in an earlier turn) or system (instructions given to the system)."""
    content: str
    """What was said, as plain text."""


class MetricScore(ContractModel):
    """The result of one metric for one item. A score that does not apply is null with a reason; it is left out of the mean and counted, and is never 0."""

    value: float | None = None
    """The score. Null when the metric does not apply to the item."""
    reason: str | None = None
    """Why the score is null, or what it rests on. Null when there is nothing to say."""


class QualityResult(ContractModel):
    """Lexical quality scores of one answer given its question and contexts, each from 0 (worst) to 1 (best)."""

    groundedness: Annotated[float, Field(ge=0.0, le=1.0)]
    """Share of the terms of the answer that occur in the contexts."""
    context_relevance: Annotated[float, Field(ge=0.0, le=1.0)]
    """Share of the longer terms of the question that occur in the contexts."""
    answer_relevance: Annotated[float, Field(ge=0.0, le=1.0)]
    """Share of the terms of the question that occur in the answer."""
    conciseness: Annotated[float, Field(ge=0.0, le=1.0)]
    """1 for an answer of at most twice the length of the question, falling to 0 at ten times."""
    overall: Annotated[float, Field(ge=0.0, le=1.0)]
    """Mean of the four scores above."""


class RAGCitation(ContractModel):
    """One source in the live response of a retrieval-augmented service: the passage that the answer was given, and where it comes from."""

    retrieved_context: Annotated[str, Field(min_length=1)]
    """Text of the passage that was given to the model."""
    document_id: str | None = None
    """Identifier of the document that the passage comes from. Null when the service does not know it."""
    score: Annotated[float | None, Field(ge=0.0, le=1.0)] = None
    """Relevance of the passage, from 0 (none) to 1 (best). Null when the service does not score."""
    source_id: str | None = None
    """Identifier of the index, collection or system that the passage was retrieved from. Null when it is not known."""


class RAGContext(ContractModel):
    """The sources of one answer of a retrieval-augmented service."""

    citations: list[RAGCitation]
    """Passages that the answer was given. An empty list means that nothing was retrieved."""


class RAGMessage(ContractModel):
    """The message of one choice of a chat completion, as far as sources are concerned. All other keys of the message are the service's own."""

    context: RAGContext
    """The sources of the answer."""


class RawMetadata(ContractModel):
    """Metadata of one item that travels with it unchanged. It may declare which schema type the item follows; products add keys of their own."""

    input_schema_type: str | None = None
    """Name of the schema type that the item follows: qa, rag, agent, rag_agent or a product's own. Null when the item does not declare one."""
    input_schema_version: Annotated[
        str | None, Field(pattern="^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$")
    ] = None
    """Version of that schema type, as major.minor, for example 1.0. Null when the item does not declare one."""


class RetrievalGroundTruth(ContractModel):
    """A human judgement of how relevant one document is to the question of an item. Documents that are not listed are unjudged and count as not relevant."""

    document_id: Annotated[str, Field(min_length=1)]
    """Identifier of the judged document in the product's own document store."""
    relevance: Literal[0, 1, 2]
    """Grade of the judgement: 0 not relevant, 1 somewhat relevant, 2 highly relevant."""
    alternative_group: Annotated[str | None, Field(min_length=1)] = None
    """Name, within the item, of a group of documents that can stand in for each other. Any one of them is enough: the group counts as one relevant document, with the highest grade in it, found where its first member is found. Null when the document stands for itself."""


class RetrievedDocument(ContractModel):
    """A document that the system retrieved for an item. Lists of retrieved documents are ranked: the first is the best, and the position in the list is the rank."""

    document_id: Annotated[str, Field(min_length=1)]
    """Identifier of the document in the product's own document store."""
    content: str | None = None
    """Text of the retrieved passage. Null when only the identifier was recorded."""
    score: float | None = None
    """Score that the retriever gave, higher is better, on a scale of the retriever's own. It is informative: the rank is the position in the list. Null when there is none."""
    source_id: str | None = None
    """Identifier of the index, collection or system that the document was retrieved from. Null when there is just one or it was not recorded."""


class ScoreRecord(ContractModel):
    """All scores of the prediction for one item."""

    item_id: Annotated[str, Field(min_length=1)]
    """Identifier of the evaluation item that was scored."""
    scores: dict[str, MetricScore]
    """The result of each metric, by the name of the metric."""


class ToolCall(ContractModel):
    """A call of a tool that an agent is expected to make. It has no result: what the tool returns is not known when an item is curated."""

    name: Annotated[str, Field(min_length=1)]
    """Name of the tool, as it is declared to the agent."""
    args: dict[str, Any]
    """The arguments of the call by name, as a JSON object (not as a string that holds JSON). An empty object when the tool takes none."""


class AgentExpectedOutput(BaseExpectedOutput):
    """Expected output of schema type agent: the reference answer with the tool calls and the hand-over that lead to it."""

    tool_calls: list[ToolCall] | None = None
    """Calls of tools that the agent should make, in order. An empty list means that it should call none; null means that tool calls were not annotated."""
    handoff_to: str | None = None
    """Name of the agent, team or queue that the conversation should be handed over to. Null when it should not be handed over, or when routing was not annotated."""


class BaseInput(ContractModel):
    """What the system under evaluation is asked: the input of schema type qa, and the root of all other inputs."""

    messages: Annotated[list[Message], Field(min_length=1)]
    """The conversation up to the turn that is evaluated, oldest message first. At least one message."""


class EvaluationItemMetadata(ContractModel):
    """Metadata of one item. Platforms that store items keep keys of their own here, beside raw_metadata."""

    raw_metadata: RawMetadata | None = None
    """Metadata of the item as its curator wrote it. Null when there is none."""


class PredictedToolCall(ToolCall):
    """A call of a tool that an agent made while it was evaluated, with what the tool returned."""

    output: Any = None
    """What the tool returned: any JSON value. Null or absent when the output was not recorded."""


class Prediction(ContractModel):
    """What the system under evaluation produced for one item. Null means that the part was not recorded or does not apply; an empty list means that the system produced none."""

    response: str | None = None
    """The answer of the system, as text."""
    citations: list[Citation] | None = None
    """Sources that the answer cites."""
    retrieved_documents: list[RetrievedDocument] | None = None
    """Documents that the system retrieved, best first."""
    tool_calls: list[PredictedToolCall] | None = None
    """Calls of tools that the system made, in order."""
    handoff_to: str | None = None
    """Name of the agent, team or queue that the system handed the conversation over to."""


class PredictionRecord(ContractModel):
    """The prediction for one item together with where it comes from. The shape is the same whichever way the prediction was collected."""

    item_id: Annotated[str, Field(min_length=1)]
    """Identifier of the evaluation item that the prediction answers."""
    prediction: Prediction
    """What the system produced."""
    trace_id: str | None = None
    """Identifier of the trace in an observability system that recorded this run. Null when there is none."""
    measurements: dict[str, float] | None = None
    """Numbers measured while the prediction was made, by name, for example latency_ms or total_tokens. The unit is part of the name. Null when nothing was measured."""
    source_transcript: Any = None
    """The record that the prediction was built from (messages, spans, a platform's export), kept unchanged: any JSON value. Null when it was not kept."""


class RAGChoice(ContractModel):
    """One choice of a chat completion, as far as sources are concerned. All other keys of the choice are the service's own."""

    message: RAGMessage
    """The message of this choice."""


class RAGExpectedOutput(BaseExpectedOutput):
    """Expected output of schema type rag: the reference answer with the sources that it rests on and judgements of what should be retrieved."""

    citations: list[Citation] | None = None
    """Sources that the reference answer cites. An empty list means that it should cite none; null means that citations were not annotated."""
    retrieval_ground_truth: list[RetrievalGroundTruth] | None = None
    """Relevance judgements for retrieval. An empty list means that no document is relevant; null means that retrieval was not judged."""


class RAGInput(BaseInput):
    """Input of schema type rag: a question together with the passages that a retrieval-augmented system may answer from."""

    context: list[str] | None = None
    """Text passages given to the system, in the order in which it sees them. An empty list means that nothing was retrieved; null means that the passages are not part of the item."""
    document_ids: list[str] | None = None
    """Identifiers of the documents that the passages of context come from, parallel to context: the first identifier belongs to the first passage. Null when they are not known."""


class RAGResponse(ContractModel):
    """The part of an OpenAI-style chat completion that carries the sources of a retrieval-augmented answer. All other keys of the response are the service's own."""

    choices: Annotated[list[RAGChoice], Field(min_length=1)]
    """Alternative answers; the first one is used. At least one."""


class AgentInput(BaseInput):
    """Input of schema type agent: a request to an agent that may call tools or hand the conversation over."""

    available_tools: list[str] | None = None
    """Names of the tools that the agent may call while it answers this item. An empty list means that there are none; null means that the item does not say."""


class EvaluationItem(ContractModel):
    """One item of an evaluation set: what the system is asked and what a good answer is. The shapes of input and expected_output are those of the schema type that the item or its dataset declares."""

    item_id: Annotated[str, Field(min_length=1)]
    """Identifier of the item, unique within its dataset and stable from release to release."""
    input: dict[str, Any]
    """What the system is asked, in the shape of the declared schema type (for qa: BaseInput). Unknown keys are kept."""
    expected_output: dict[str, Any] | None = None
    """What a good answer is, in the shape of the declared schema type (for qa: BaseExpectedOutput). Null while nobody has written one; an item that declares a schema type needs one."""
    metadata: EvaluationItemMetadata | None = None
    """Metadata of the item. Null when there is none."""


class RAGAgentExpectedOutput(RAGExpectedOutput):
    """Expected output of schema type rag_agent: the reference answer with its sources, relevance judgements, tool calls and hand-over."""

    tool_calls: list[ToolCall] | None = None
    """Calls of tools that the agent should make, in order. An empty list means that it should call none; null means that tool calls were not annotated."""
    handoff_to: str | None = None
    """Name of the agent, team or queue that the conversation should be handed over to. Null when it should not be handed over, or when routing was not annotated."""


class RAGAgentInput(RAGInput):
    """Input of schema type rag_agent: a request to an agent that may call tools and answers from retrieved passages."""

    available_tools: list[str] | None = None
    """Names of the tools that the agent may call while it answers this item. An empty list means that there are none; null means that the item does not say."""


class Dataset(ContractModel):
    """A release of an evaluation set: its metadata and all of its items in one document."""

    metadata: DatasetMetadata
    """What this release is and which schema type its items follow."""
    items: list[EvaluationItem]
    """The items of the release. Their order carries no meaning."""
