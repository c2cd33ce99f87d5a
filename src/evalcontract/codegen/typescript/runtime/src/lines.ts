/** JSON Lines, one strict JSON text a line, read and judged line by line. */

import { validateItem, type Verdict } from "./items.js";
import { type JsonValue, parseLine } from "./json.js";
import { decoded, ReadError } from "./source.js";
import { resolve, validate } from "./validate.js";
import type { ContractName } from "./types.js";

/** A line with its value and verdict, or why it can't be read. Blank lines are left out. */
export type Line =
  | { readonly line: number; readonly text: string; readonly value: JsonValue; readonly verdict: Verdict }
  | { readonly line: number; readonly text: string; readonly fault: ReadError };

export interface LineOptions {
  /** What each line is: without it an item, judged by the type that it or its dataset declares. */
  readonly contract?: ContractName;
  /** The metadata of the dataset that the items belong to. */
  readonly datasetMetadata?: unknown;
  /** The schema type of every item, whatever it declares. */
  readonly type?: string | undefined;
  /** The longest line in bytes that is read; 256 MiB when nothing is said. */
  readonly maxLineBytes?: number;
}

/**
 * Every line that isn't blank. No more than one line and one chunk are held in memory. A text without such a line,
 * and one that is no JSON Lines at all, gives one fault.
 *
 * `source` gives bytes of UTF-8: a readable stream of Node or the web, or chunks.
 */
export async function* readLines(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: LineOptions = {},
): AsyncGenerator<Line, void, undefined> {
  let number = 0;
  let seen = 0;
  for await (const bytes of splitLines(source, options.maxLineBytes ?? 256 * 2 ** 20)) {
    number++;
    const line = bytes instanceof Uint8Array ? judged(bytes, number, options) : tooLong(bytes, number);
    if (!line) continue;
    const fatal = seen++ === 0 && "fault" in line ? notLines(line) : undefined;
    yield fatal ?? line;
    if (fatal) return;
  }
  if (!seen) yield fault("empty-file", "the file holds no data", 1, "an empty file is never a success; write it again or leave it out");
}

/** What a text is that can't be JSON Lines, going by its first line, which is refused. */
function notLines({ line, text }: Line): Line | undefined {
  if (/^[ \t\r\n]*[{[][ \t\r\n]*$/.test(text)) {
    const hint = "name it .json, or write one item a line";
    return fault("not-json-lines", "a JSON document over several lines, not JSON Lines", line, hint);
  }
  if (line === 1 && text.startsWith("version https://git-lfs.github.com/spec/")) {
    return fault("lfs-pointer", "the file is a Git LFS pointer, its data was not fetched", line, "run git lfs pull");
  }
  return undefined;
}

function fault(code: string, reason: string, line: number, hint: string): Line {
  return { line, text: "", fault: new ReadError(code, reason, line, 1, hint) };
}

function judged(bytes: Uint8Array, line: number, options: LineOptions): Line | undefined {
  let text = "";
  try {
    text = decoded(bytes, line === 1);
    if (/^[ \t\r\n]*$/.test(text)) return undefined;
    const value = parseLine(text, line);
    return { line, text, value, verdict: verdictOn(value, options) };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { line, text, fault: new ReadError(error.code, error.reason, line + error.line - 1, error.column, error.hint) };
  }
}

function verdictOn(value: JsonValue, options: LineOptions): Verdict {
  if (options.contract === undefined) return validateItem(value, options.datasetMetadata, options.type);
  const violations = validate(value, options.contract);
  return { contract: resolve(options.contract), origin: "envelope", violations, valid: !violations.length };
}

function tooLong(limit: number, line: number): Line {
  const hint = "one item a line; raise the limit if it is meant to be that long";
  return fault("too-long", `a line of more than ${limit.toLocaleString("en")} bytes`, line, hint);
}

/** The bytes of each line with its end, or the limit for a line that is longer than that; a blank one never is. */
async function* splitLines(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array | number> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let blank = true;
  const take = (part: Uint8Array) => {
    size += part.length;
    blank &&= isBlank(part);
    if (size <= limit + 1) parts.push(part);
    else parts = [];
  };
  const finish = (end: number): Uint8Array | number => {
    const whole = size - end <= limit ? joined(parts, size) : blank ? new Uint8Array() : limit;
    parts = [];
    size = 0;
    blank = true;
    return whole;
  };
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, end + 1));
      yield finish(1);
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.slice(start));
  }
  if (size) yield finish(0);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 10) || byte === 13);
}

function joined(parts: Uint8Array[], size: number): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
