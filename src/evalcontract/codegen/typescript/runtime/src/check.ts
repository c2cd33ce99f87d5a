/** Judges what stands in a file, wherever its bytes come from. */

import { validateItem, type Verdict } from "./items.js";
import { type JsonValue, parse, step } from "./json.js";
import { type Line, readLines } from "./lines.js";
import { type FileCheck, isObject, type Run } from "./run.js";
import { decoded, ReadError } from "./source.js";
import type { ContractName } from "./types.js";
import { resolve, validate } from "./validate.js";

const RECORDS = { prediction: "prediction_record", scores: "score_record" };
const EMPTY = [
  "empty-file",
  "the file holds no data",
  "an empty file is never a success; write it again or leave it out",
] as const;

/** Checks JSON Lines; `metadata` is the text of NAME.metadata.json beside it. */
export async function checkLines(
  run: Run,
  check: FileCheck,
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  metadata?: Uint8Array,
): Promise<void> {
  const options = run.contract ? { contract: run.contract } : { datasetMetadata: metadataOf(metadata, check) };
  for await (const line of readLines(stream, options)) {
    if ("fault" in line) refused(check, line.fault);
    else check.document(line.value, recordVerdict(run, line), line.text, line.line);
  }
}

/** Checks a file of one JSON value: a dataset, items in an array, an item, a record or a dataset's metadata. */
export function checkJson(run: Run, file: string, bytes: Uint8Array, isMetadata: boolean): void {
  let text: string;
  let value: JsonValue;
  try {
    text = decoded(bytes);
    value = parse(text);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    const check = run.open(file, run.contract ?? "items");
    if (error.code === "empty-file") check.nothing(...EMPTY);
    else check.fault(error, true);
    check.result.complete = false;
    return;
  }
  const { contract } = run;
  if (contract !== undefined) return run.open(file, contract).document(value, told(value, contract), text, 1);
  const items = Array.isArray(value) ? value : isObject(value) ? value["items"] : undefined;
  if (!Array.isArray(items)) {
    const check = run.open(file, isMetadata ? "dataset_metadata" : "items");
    const verdict = isMetadata ? told(value, "dataset_metadata" as ContractName) : (asRecord(value) ?? validateItem(value));
    return check.document(value, verdict, text, 1);
  }
  const dataset = isObject(value) ? value : undefined;
  const check = run.open(file, dataset ? "dataset" : "items");
  const metadata = dataset?.["metadata"];
  items.forEach((item, index) => {
    const at = (dataset ? "/items" : "") + step(index);
    check.document(item, asRecord(item) ?? validateItem(item, metadata), text, 1, at);
  });
  if (dataset) check.whole(validate({ ...dataset, items: [] }, "dataset" as ContractName), text);
  if (!items.length) check.nothing("nothing-checked", "0 items checked", "a file without items is never a success");
}

/** Notes a line that can't be read, or a file that is no JSON Lines. */
function refused(check: FileCheck, fault: ReadError): void {
  if (fault.code === "empty-file") return check.nothing(...EMPTY);
  const whole = fault.code === "not-json-lines" || fault.code === "lfs-pointer";
  check.fault(fault, !whole);
  if (whole) check.result.complete = false;
}

function recordVerdict(run: Run, line: Extract<Line, { value: JsonValue }>): Verdict {
  return run.contract === undefined ? (asRecord(line.value) ?? line.verdict) : line.verdict;
}

/** The verdict on a prediction or score record, which carries an item_id but no input; undefined for others. */
function asRecord(value: JsonValue): Verdict | undefined {
  if (!isObject(value) || "input" in value || !("item_id" in value)) return undefined;
  const key = Object.keys(RECORDS).find((name) => name in value);
  return key === undefined ? undefined : told(value, RECORDS[key as keyof typeof RECORDS] as ContractName);
}

function told(value: JsonValue, contract: ContractName): Verdict {
  const violations = validate(value, contract);
  return { contract: resolve(contract), origin: "envelope", violations, valid: !violations.length };
}

function metadataOf(bytes: Uint8Array | undefined, check: FileCheck): unknown {
  try {
    return bytes && parse(bytes);
  } catch (error) {
    if (error instanceof ReadError) check.fault(error, false);
    return undefined;
  }
}
