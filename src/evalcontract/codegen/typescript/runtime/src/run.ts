/** What a run counts and finds, file by file. */

import type { Verdict } from "./items.js";
import { type JsonValue, offsets } from "./json.js";
import { position, type ReadError } from "./source.js";
import { shown } from "./text.js";
import type { Violation } from "./validate.js";
import type { ContractName } from "./types.js";

/** A violation with its place in a file. */
export type Found = Violation & {
  hint: string | null;
  item_id: string | null;
  file: string;
  line: number | null;
  column: number | null;
};

/** The counts of one file. */
export interface FileResult {
  file: string;
  kind: string;
  items: number;
  invalid: number;
  errors: number;
  advices: number;
  contracts: { [name: string]: number };
  complete: boolean;
}

/** One run over files: what was counted and found. */
export class Run {
  readonly files: FileResult[] = [];
  readonly violations: Found[] = [];
  readonly unreadable: { file: string; reason: string }[] = [];
  unlisted = 0;

  constructor(
    readonly contract: ContractName | undefined,
    readonly max: number,
    readonly type?: string,
  ) {}

  open(file: string, kind: string): FileCheck {
    const result = { file, kind, items: 0, invalid: 0, errors: 0, advices: 0, contracts: {}, complete: true };
    this.files.push(result);
    return new FileCheck(this, result);
  }

  total(key: "items" | "invalid" | "errors" | "advices"): number {
    return this.files.reduce((sum, file) => sum + file[key], 0);
  }

  get exitCode(): number {
    return this.unreadable.length ? 2 : this.total("errors") ? 1 : 0;
  }
}

/** Takes the documents of one file. */
export class FileCheck {
  private readonly seen = new Map<string, number>();
  private located: { text: string; places: Map<string, number> } | undefined;

  constructor(
    private readonly run: Run,
    readonly result: FileResult,
  ) {}

  /** Counts a document and keeps what was found; `at` is its pointer in `text`, which begins at `firstLine`. */
  document(value: JsonValue, verdict: Verdict, text: string, firstLine: number, at = ""): void {
    const { result } = this;
    result.items++;
    result.contracts[verdict.contract] = (result.contracts[verdict.contract] ?? 0) + 1;
    const itemId = idOf(value);
    const violations = [...verdict.violations];
    const repeats: Violation[] = [];
    for (const key of keysOf(value)) {
      const first = this.seen.get(key.text);
      if (first === undefined) this.seen.set(key.text, result.items);
      else repeats.push(repeated(key, first));
    }
    violations.push(...repeats.slice(0, 1));
    if (!violations.length) return;
    const places = this.full ? undefined : this.placesIn(text);
    const placed = violations.map((violation) => this.placed(violation, itemId, text, firstLine, at, places));
    placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    this.add(placed);
    if (violations.some((violation) => violation.severity === "error")) result.invalid++;
  }

  /** Violations of the file as a whole, such as those of a dataset's metadata. */
  whole(violations: readonly Violation[], text: string): void {
    const places = violations.length && !this.full ? this.placesIn(text) : undefined;
    this.add(violations.map((violation) => this.placed(violation, null, text, 1, "", places)));
  }

  fault(fault: ReadError, isItem: boolean): void {
    if (isItem) {
      this.result.items++;
      this.result.invalid++;
    }
    this.add([{ ...plain(fault.code, fault.reason), hint: fault.hint ?? null, ...this.here(fault.line, fault.column) }]);
  }

  nothing(code: string, message: string, hint: string): void {
    this.add([{ ...plain(code, message), hint, ...this.here(null, null) }]);
    if (code !== "nothing-checked") this.result.complete = false;
  }

  /** Where the values of a text are; kept for the text that was asked for last, which may hold many items. */
  private placesIn(text: string): Map<string, number> {
    if (this.located?.text !== text) this.located = { text, places: offsets(text) };
    return this.located.places;
  }

  private get full(): boolean {
    return this.run.violations.length >= this.run.max;
  }

  private here(line: number | null, column: number | null) {
    return { item_id: null, file: this.result.file, line, column };
  }

  private placed(
    violation: Violation,
    itemId: string | null,
    text: string,
    firstLine: number,
    at: string,
    places: Map<string, number> | undefined,
  ): Found {
    const hint = HINTS[violation.code] ?? null;
    const found = { ...violation, hint, item_id: itemId };
    if (!places) return { ...found, file: this.result.file, line: null, column: null };
    const missing = violation.keyword === "required";
    const pointer = at + (missing ? violation.pointer.replace(/\/[^/]*$/, "") : violation.pointer);
    const { line, column } = position(text, places.get(pointer) ?? places.get(at) ?? 0);
    return { ...found, file: this.result.file, line: line + firstLine - 1, column };
  }

  private add(found: Found[]): void {
    for (const violation of found) {
      if (violation.severity === "advice") this.result.advices++;
      else this.result.errors++;
      if (this.full) this.run.unlisted++;
      else this.run.violations.push(violation);
    }
  }
}

function plain(code: string, message: string): Violation {
  const nothing = { pointer: "", keyword: null, expected: null, actual: null };
  return { code, message, ...nothing, severity: "error", contract: "" };
}

/** What no other document of a file may have: an item's id, or a record's item, kind, run, repetition and who scored. */
interface Key {
  readonly text: string;
  readonly itemId: string;
  readonly record?: { readonly thing: string; readonly repetition: string; readonly by: readonly string[] };
}

const RECORDS = { prediction: "prediction", scores: "score record" };
const HINTS: { [code: string]: string } = {
  "duplicate-item-id": "give each item an id of its own",
  "duplicate-prediction": "keep one of them, or number them with repetition",
  "duplicate-score-record": "keep one of them, or number them with repetition",
};

function keysOf(value: JsonValue): Key[] {
  const itemId = idOf(value);
  if (itemId === null || !isObject(value)) return [];
  const kind = Object.entries(RECORDS).find(([name]) => name in value);
  if (!kind) return [{ text: itemId, itemId }];
  const run = typeof value["run_id"] === "string" ? value["run_id"] : "";
  const repetition = String(value["repetition"] ?? 1);
  return (kind[0] === "scores" ? evaluators(value["scores"]) : [[]]).map((by) => ({
    text: JSON.stringify([itemId, ...kind, run, repetition, ...by]),
    itemId,
    record: { thing: kind[1], repetition, by },
  }));
}

/** Who gave the scores of a record: each may be in one record of an item, this package without a name. */
function evaluators(scores: JsonValue | undefined): readonly string[][] {
  const named = new Set<string | null>();
  for (const score of isObject(scores) ? Object.values(scores) : []) {
    const evaluator = isObject(score) ? score["evaluator"] : undefined;
    if (isObject(score)) named.add(typeof evaluator === "string" ? evaluator : null);
  }
  const own = named.delete(null) || named.size === 0;
  return [...(own ? [[]] : []), ...[...named].sort().map((name) => [name as string])];
}

function repeated({ itemId, record }: Key, first: number): Violation {
  const shared = { pointer: "/item_id", actual: shown(itemId) };
  if (!record) {
    const message = `item_id ${shown(itemId)} is already used by item ${first} of the file`;
    return { ...plain("duplicate-item-id", message), ...shared, expected: "an id that is unique in the dataset" };
  }
  const { thing, repetition, by } = record;
  const scorer = by[0] === undefined ? "" : ` by ${shown(by[0], 60)}`;
  const which = (repetition === "1" ? "" : ` for repetition ${repetition}`) + scorer;
  const message = `item ${shown(itemId)} already has a ${thing}${which}, record ${first} of the file`;
  const expected = `one ${thing} for an item and repetition`;
  return { ...plain(`duplicate-${thing.replace(" ", "-")}`, message), ...shared, expected };
}

function idOf(value: JsonValue): string | null {
  const id = isObject(value) ? value["item_id"] : null;
  return typeof id === "string" ? id : null;
}

/** Whether a value is a JSON object. */
export function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
