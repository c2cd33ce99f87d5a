"""Predictions of the system under evaluation, as the one record that everything else reads.

Each builder gives a valid `prediction_record`, beside what it has to say about it, or raises.
"""

from evalcontract.predictions.messages import from_messages
from evalcontract.predictions.records import BuiltPrediction
from evalcontract.predictions.responses import from_response
from evalcontract.predictions.results import ListAt, from_result
from evalcontract.predictions.traces.answers import as_dict, coerce_text
from evalcontract.predictions.traces.build import from_trace
from evalcontract.predictions.traces.capture import (
    CapturedSpans,
    capture_spans,
    get_local_trace,
    keep_local_traces,
)
from evalcontract.predictions.traces.fetching import FetchError, fetch_trace
from evalcontract.predictions.traces.finding import PARTS, find_observations, missing_from, read_trace
from evalcontract.predictions.traces.observations import Observation, Trace
from evalcontract.predictions.traces.waiting import wait_for_trace
from evalcontract.predictions.transcripts.build import from_transcript

__all__ = [
    "PARTS",
    "BuiltPrediction",
    "CapturedSpans",
    "FetchError",
    "ListAt",
    "Observation",
    "Trace",
    "as_dict",
    "capture_spans",
    "coerce_text",
    "fetch_trace",
    "find_observations",
    "from_messages",
    "from_response",
    "from_result",
    "from_trace",
    "from_transcript",
    "get_local_trace",
    "keep_local_traces",
    "missing_from",
    "read_trace",
    "wait_for_trace",
]
