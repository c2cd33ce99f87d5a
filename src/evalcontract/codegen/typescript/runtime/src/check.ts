/** Judges what stands in a file, wherever its bytes come from. */

import { validateItem, type Verdict } from "./items.js";
import { type JsonValue, parse, parseLine, step } from "./json.js";
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
  const contract = ofDocuments(run);
  const options = contract ? { contract } : { datasetMetadata: metadataOf(metadata, check), type: run.type };
  for await (const line of readLines(stream, options)) {
    if ("fault" in line) refused(check, line.fault);
    else check.document(line.value, recordVerdict(run, line), line.text, line.line);
  }
}

/** Checks a .json file: a dataset, an array of documents, one document, or JSON Lines under another name. */
export async function checkJson(run: Run, file: string, bytes: Uint8Array, isMetadata: boolean): Promise<void> {
  const contract = ofDocuments(run);
  const kind = kindOf(run);
  let text: string;
  let value: JsonValue;
  try {
    text = decoded(bytes);
    if (holdsLines(text)) return await checkLines(run, run.open(file, kind), [bytes]);
    value = parseLine(text, 1); // `parse` would take a second byte order mark for the first
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    const check = run.open(file, kind);
    if (error.code === "empty-file") check.nothing(...EMPTY);
    else check.fault(error, true);
    check.result.complete = false;
    return;
  }
  const items = Array.isArray(value) ? value : isObject(value) ? value["items"] : undefined;
  if (!Array.isArray(items)) {
    const asMetadata = isMetadata && contract === undefined;
    const check = run.open(file, asMetadata ? "dataset_metadata" : kind);
    const verdict = asMetadata ? told(value, "dataset_metadata" as ContractName) : judged(run, value);
    return check.document(value, verdict, text, 1);
  }
  const dataset = isObject(value) ? value : undefined;
  const check = run.open(file, dataset && contract === undefined ? "dataset" : kind);
  items.forEach((item, index) => {
    const at = (dataset ? "/items" : "") + step(index);
    check.document(item, judged(run, item, dataset?.["metadata"]), text, 1, at);
  });
  if (dataset && contract === undefined) check.whole(validate({ ...dataset, items: [] }, "dataset" as ContractName), text);
  if (!items.length) check.nothing("nothing-checked", "0 items checked", "a file without items is never a success");
}

/** What a file holds, as far as the caller says. */
export function kindOf(run: Run): string {
  const contract = ofDocuments(run);
  return contract === undefined ? "items" : resolve(contract);
}

/** The contract that each document is judged by; none where items are judged by the schema type that they declare. */
function ofDocuments({ contract }: Run): ContractName | undefined {
  return contract === undefined || /^(dataset|evaluation_item)(@|$)/.test(contract) ? undefined : contract;
}

function judged(run: Run, value: JsonValue, metadata?: unknown): Verdict {
  const contract = ofDocuments(run);
  if (contract !== undefined) return told(value, contract);
  return (mayBeRecords(run) ? asRecord(value) : undefined) ?? validateItem(value, metadata, run.type);
}

/** Whether documents may be records: nobody has said what they are. */
function mayBeRecords(run: Run): boolean {
  return run.contract === undefined && run.type === undefined;
}

/** Whether the first line is a whole object or array, and another value begins on a later line. */
function holdsLines(text: string): boolean {
  const [, first = "", opening = ""] = /^[ \t\r\n]*(([{[])[^\n]*)\n[ \t\r\n]*[{[\ufeff]/.exec(text) ?? [];
  if (!opening) return false;
  try {
    parse(first);
    return true;
  } catch (error) {
    return error instanceof ReadError && /^(duplicate-key|not-finite|too-deep)$/.test(error.code);
  }
}

/** Notes a line that can't be read, or a file that is no JSON Lines. */
function refused(check: FileCheck, fault: ReadError): void {
  if (fault.code === "empty-file") return check.nothing(...EMPTY);
  const whole = fault.code === "not-json-lines" || fault.code === "lfs-pointer";
  check.fault(fault, !whole);
  if (whole) check.result.complete = false;
}

function recordVerdict(run: Run, line: Extract<Line, { value: JsonValue }>): Verdict {
  return mayBeRecords(run) ? (asRecord(line.value) ?? line.verdict) : line.verdict;
}

/**
 * The verdict on a prediction or score record; undefined for others. A record carries an item_id and no input; a
 * prediction may carry the input that it answers, and then no expected output beside it.
 */
function asRecord(value: JsonValue): Verdict | undefined {
  if (!isObject(value) || !Object.hasOwn(value, "item_id")) return undefined;
  const answers = isObject(value["prediction"]) && (value["expected_output"] ?? null) === null;
  const isRecord = (name: string) =>
    Object.hasOwn(value, name) && ((value["input"] ?? null) === null || (name === "prediction" && answers));
  const key = Object.keys(RECORDS).find(isRecord);
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
