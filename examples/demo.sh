#!/bin/sh
# The main jobs on the shipped example. Needs `evalcontract` on the PATH: `make demo` sees to that.
set -eu
cd "$(dirname "$0")/.."

say() { printf '\n== %s\n' "$1"; }

# A command that is meant to find faults: anything but exit code 1 ends the demo.
finds_faults() {
	code=0
	"$@" || code=$?
	[ "$code" -eq 1 ] || { echo "expected exit code 1, got $code" >&2; exit 1; }
}

say 'Validate the releases of a product and a file that mixes schema types'
evalcontract validate examples/pathfinder/pathfinder_*.json examples/pathfinder/mixed_items.jsonl

say 'Validate a file with instructive faults: exit code 1, and a place, a reason and a way out for each'
finds_faults evalcontract validate examples/faulty

retrieval=examples/pathfinder/pathfinder_rag_retrieval

say 'Release 1.0 of a dataset: may it go out?'
evalcontract dataset check "${retrieval}_v1.0.json"

say 'Release 1.1, a minor: it may not, a key is new'
finds_faults evalcontract dataset check "${retrieval}_v1.1.json" --previous "${retrieval}_v1.0.json"

say 'Which number the data calls for'
evalcontract dataset next-version "${retrieval}_v1.1.json" --previous "${retrieval}_v1.0.json"

say 'Release 2.0, a major: it may'
evalcontract dataset check "${retrieval}_v2.0.json" --previous "${retrieval}_v1.1.json"

output=$(mktemp -d)
trap 'rm -r "$output"' EXIT
dataset="${retrieval}_v1.0.json"

say 'Answer the questions of a release: passages by BM25, sentences copied by a stand-in for a model'
python examples/answer_with_extracts.py examples/pathfinder/documents.jsonl "$dataset" "$output/predictions.jsonl"

say 'Score the answers'
evalcontract score "$output/predictions.jsonl" --dataset "$dataset" --k 3 --worst 3 --records "$output/scores.jsonl"
