"""Codes of live answers, messages, traces and transcripts: notices, and errors where nothing can be made of them."""

from __future__ import annotations

from evalcontract.codes.entry import CodeEntry

ANSWERS = (
    CodeEntry(
        "unexpected-shape",
        "the answer, trace or transcript is not of the documented shape (error)",
        "`choices` is an object",
        "name the right provider; report a shape that is new",
    ),
    CodeEntry(
        "offset-mismatch",
        "offsets lead to other text than the provider says (error)",
        "an answer that was trimmed",
        "hand over the answer as it came",
    ),
    CodeEntry(
        "ends-early",
        "a stream stops before its end (error)",
        "no `message-end`",
        "ask again, and keep the stream whole",
    ),
    CodeEntry(
        "failed",
        "the provider says that the answer failed (error)",
        "`status: failed`",
        "ask again; the message has the provider's words",
    ),
    CodeEntry("cancelled", "the answer was cancelled (error)", "`status: cancelled`", "ask again"),
    CodeEntry(
        "running",
        "the answer is still being made (error)",
        "`status: in_progress`",
        "wait, and fetch it again",
    ),
    CodeEntry("cut-off", "the answer was cut off", "`finish_reason: length`", "raise the token limit"),
    CodeEntry(
        "filtered", "the answer was filtered", "`finish_reason: content_filter`", "see the provider's filter"
    ),
    CodeEntry(
        "refused",
        "the model refused to answer",
        "`refusal` in the message",
        "score it as an answer, or look at the question",
    ),
    CodeEntry(
        "intervened",
        "a guardrail took the place of the answer",
        "`guardrail_intervened`",
        "see the guardrail",
    ),
    CodeEntry(
        "paused",
        "the provider paused before the answer was whole",
        "`stop_reason: pause_turn`",
        "let it go on",
    ),
    CodeEntry(
        "calls-tools",
        "the model calls tools and waits for their results",
        "`finish_reason: tool_calls`",
        "hand over the whole turn",
    ),
    CodeEntry(
        "unknown-state",
        "how the answer ended is no documented state",
        "a new `finish_reason`",
        "look at the answer; update evalcontract",
    ),
    CodeEntry(
        "unknown-frame",
        "parts of a stream are of no known kind and kept as they came",
        "a new event type",
        "update evalcontract",
    ),
    CodeEntry(
        "more-choices",
        "only the first of several choices is used",
        "`n: 2`",
        "hand the others over on their own",
    ),
    CodeEntry(
        "no-context",
        "the answer names no sources",
        "a chat completion without context",
        "pass the context along, if there was one",
    ),
    CodeEntry(
        "no-identity",
        "passages say nothing of their document",
        "neither filepath, url nor title",
        "index a path or URL",
    ),
    CodeEntry(
        "title-as-identity",
        "a passage has only a title, which documents may share",
        "two documents `FAQ`",
        "index a path or URL",
    ),
    CodeEntry(
        "no-passage",
        "a source comes without its text",
        "a web page known by URL",
        "fetch the text where it is needed",
    ),
    CodeEntry(
        "left-out", "parts that are no text are left out", "an image", "nothing, if the text is enough"
    ),
    CodeEntry(
        "not-in-the-answer",
        "a citation of something else than the answer is left out",
        "a citation in a tool plan",
        "nothing",
    ),
    CodeEntry("not-a-source", "an annotation that is no citation is left out", "a file path", "nothing"),
    CodeEntry(
        "unproved-offset", "the cited characters can't be checked", "the URL isn't there", "look at the span"
    ),
    CodeEntry(
        "unresolved-marker",
        "the answer refers to a source that isn't there",
        "`[doc4]` with three citations",
        "look at the prompt or the retrieval",
    ),
    CodeEntry(
        "arguments-not-object",
        "arguments of a call are no JSON object and kept as `raw_args`",
        '`"args": "[1"`',
        "look at the model's call",
    ),
    CodeEntry("empty-arguments", "empty arguments are read as no arguments", '`arguments: ""`', "nothing"),
    CodeEntry(
        "coerced-argument",
        "an argument was turned into its declared type",
        '`"3"` to `3`',
        "declare the type that the model gives",
    ),
    CodeEntry(
        "not-text",
        "a part of a message that is no text is left out",
        "an image block",
        "nothing, if the text is enough",
    ),
    CodeEntry(
        "unknown-role", "a message of an unknown role is left out", "`role: critic`", "map the role before"
    ),
    CodeEntry(
        "no-tool-result", "a call has no result", "a turn cut after the call", "hand over the whole turn"
    ),
    CodeEntry(
        "several-handoffs",
        "several hand-overs: the last counts",
        "`transfer_to_a`, `transfer_to_b`",
        "nothing, if the last is meant",
    ),
    CodeEntry(
        "handoff-without-target",
        "a hand-over doesn't say to whom",
        "`transfer_to_` with no arguments",
        "name the target in the tool or its arguments",
    ),
    CodeEntry(
        "handed-over",
        "the conversation was handed over, to whom isn't recorded",
        "an escalation in Copilot Studio",
        "add `handoff_to` by hand",
    ),
    CodeEntry(
        "told-call",
        "no step of a trace makes a call: it stands only in what a model was told of this turn (notice)",
        "a trace that begins when the result of the tool is there",
        "record the generation that made the call",
    ),
    CodeEntry(
        "output-tool",
        "the answer is the arguments of a call, as JSON",
        "structured output by a tool",
        "nothing",
    ),
    CodeEntry(
        "answer-elsewhere",
        "the run recorded no text as result: the answer is taken from elsewhere",
        "a root span without output",
        "record the output at the root",
    ),
    CodeEntry("reranked", "the documents are those of the last reranking", "a reranker span", "nothing"),
    CodeEntry(
        "several-retrievals",
        "several searches one after the other in one list",
        "an agent that searches twice",
        "mind it when you read rank metrics",
    ),
    CodeEntry(
        "repeated-observation",
        "a part of the trace came twice and counts once",
        "two exporters",
        "export once",
    ),
    CodeEntry(
        "several-messages",
        "the response is several messages, joined by blank lines",
        "an agent that writes twice",
        "nothing",
    ),
    CodeEntry(
        "withheld-answer",
        "an answer was generated and not shown",
        "a filter of the platform",
        "look at the transcript",
    ),
    CodeEntry(
        "missing-root",
        "the trace has no root, and that was allowed",
        "`--allow-missing root`",
        "wait for the trace",
    ),
    CodeEntry(
        "missing-parent",
        "a span's parent isn't there, and that was allowed",
        "a sampled parent",
        "export whole traces",
    ),
    CodeEntry(
        "missing-end", "an observation hasn't ended, and that was allowed", "a crash", "wait for the trace"
    ),
    CodeEntry(
        "missing-observation",
        "an expected observation isn't there, and that was allowed",
        "no `retriever`",
        "name what the run records",
    ),
    CodeEntry(
        "missing-result",
        "a call has no result, and that was allowed",
        "a tool that crashed",
        "record results",
    ),
    CodeEntry(
        "missing-answer",
        "there is no answer, and that was allowed or failed",
        "a run that broke off",
        "the record is an answer owed and scores 0",
    ),
    CodeEntry(
        "missing-documents",
        "a retrieval shows no documents, and that was allowed",
        "content not recorded",
        "record what was retrieved",
    ),
)
