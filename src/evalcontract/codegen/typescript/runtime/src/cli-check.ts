/** Reads files and judges what is in them. */

import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createGunzip, gunzipSync } from "node:zlib";
import { LINES } from "./cli-files.js";
import { type FileCheck, isObject, type Run } from "./cli-run.js";
import { validateItem, type Verdict } from "./items.js";
import { type JsonValue, parse, step } from "./json.js";
import { type Line, type LineOptions, readLines } from "./lines.js";
import { decoded, ReadError } from "./source.js";
import { cut } from "./text.js";
import type { ContractName } from "./types.js";
import { resolve, validate } from "./validate.js";

const LARGEST = 2 ** 30; // bytes of a .json.gz when it is unpacked, which are held in memory
const RECORDS = { prediction: "prediction_record", scores: "score_record" };
const EMPTY = [
  "empty-file",
  "the file holds no data",
  "an empty file is never a success; write it again or leave it out",
] as const;

/** Checks one file, or standard input for `-`. */
export async function checkFile(run: Run, file: string): Promise<void> {
  const name = file === "-" ? "<stdin>" : file;
  if (file === "-" || LINES.test(file)) return checkLines(run, file, name);
  let bytes: Uint8Array;
  try {
    bytes = unpacked(file);
  } catch (error) {
    return damaged(run.open(name, run.contract ?? "items"), error);
  }
  checkJson(run, name, bytes);
}

/** Notes that a packed file is damaged; any other error is thrown again. */
function damaged(check: FileCheck, error: unknown): void {
  check.result.complete = false;
  if (!String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw error;
  const message = `the compressed file can't be read to its end: ${reasonOf(error)}`;
  check.nothing("damaged-archive", message, "write the file again; what came before was read");
}

async function checkLines(run: Run, file: string, name: string): Promise<void> {
  const check = run.open(name, run.contract ?? "items");
  const options = run.contract ? { contract: run.contract } : { datasetMetadata: besideOf(file, check) };
  await feed(check, opened(file), options, run);
}

function opened(file: string): AsyncIterable<Uint8Array> {
  const raw = file === "-" ? process.stdin : createReadStream(file);
  if (!/\.gz$/i.test(file)) return raw;
  const unpacked = createGunzip();
  raw.on("error", (error: Error) => unpacked.destroy(error));
  return raw.pipe(unpacked);
}

async function feed(
  check: FileCheck,
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: LineOptions,
  run: Run,
): Promise<void> {
  try {
    for await (const line of readLines(stream, options)) {
      if ("fault" in line) refused(check, line.fault);
      else check.document(line.value, recordVerdict(run, line), line.text, line.line);
    }
  } catch (error) {
    damaged(check, error);
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

function checkJson(run: Run, file: string, bytes: Uint8Array): void {
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
    const check = run.open(file, isMetadata(file) ? "dataset_metadata" : "items");
    const verdict = isMetadata(file) ? told(value, "dataset_metadata" as ContractName) : (asRecord(value) ?? validateItem(value));
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

function isMetadata(file: string): boolean {
  const stem = file.replace(/\.metadata\.json$/, "");
  return stem !== file && [".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"].some((end) => existsSync(stem + end));
}

/** The metadata in NAME.metadata.json beside a JSON Lines file. */
function besideOf(file: string, check: FileCheck): unknown {
  const path = file.replace(LINES, "") + ".metadata.json";
  if (file === "-" || !existsSync(path)) return undefined;
  try {
    return parse(readFileSync(path));
  } catch (error) {
    if (error instanceof ReadError) check.fault(error, false);
    return undefined;
  }
}

function unpacked(file: string): Uint8Array {
  const bytes = readFileSync(file);
  return /\.gz$/i.test(file) ? gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes;
}

/** Why something failed, in a few words. */
export function reasonOf(error: unknown): string {
  return cut(error instanceof Error ? error.message : String(error), 200);
}
