#!/bin/sh
# What CI runs for contracts of one's own and for the data that follows them. evalcontract.toml names the contracts.
set -eu
cd "$(dirname "$0")"
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT

echo "== contracts"
evalcontract schema lint
evalcontract schema breaking
evalcontract schema verify
for contract in shop_input@1.0 shop_input@2.0 shop_expected_output concierge_input concierge_expected_output; do
  evalcontract schema vectors "$contract" --check
done
evalcontract schema bundle typed_dataset | diff - typed_dataset.schema.json

echo "== data"
evalcontract validate datasets items
evalcontract dataset check datasets/museum_shop_golden_v1.0.jsonl
evalcontract dataset check datasets/museum_concierge_smoke_v1.0.json
evalcontract import rows/tickets.csv --map rows/tickets.yaml -o "$made/tickets.jsonl"
evalcontract validate "$made/tickets.jsonl"

echo "== scores"
evalcontract score predictions/shop_answers.jsonl --dataset datasets/museum_shop_golden_v1.0.jsonl \
  --metrics answer_f1,recall_at_k --fail-under recall_at_5=0.8

echo "== the next version"
evalcontract migrate datasets/museum_shop_golden_v1.0.jsonl --to shop@2.0 -o "$made/shop.jsonl"
evalcontract validate "$made/shop.jsonl"

echo "== code for colleagues"
evalcontract schema generate --typescript "$made/typescript" --go "$made/go" > /dev/null
echo "all is well"
