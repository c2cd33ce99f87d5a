/** Items and datasets: each item is judged by the schema type that it declares, else by its dataset's. */

import { step } from "./json.js";
import { TABLE } from "./table.js";
import { shortList, shown } from "./text.js";
import { judge, resolve, type Schema, validate, type Violation } from "./validate.js";

/** What was found about one item, the contract that it was judged by, and who said so. */
export interface Verdict {
  readonly contract: string;
  readonly origin: "item" | "dataset" | "envelope" | "told";
  readonly violations: readonly Violation[];
  /** Whether no violation is an error. */
  readonly valid: boolean;
}

interface Pair {
  readonly input: string;
  readonly expected_output: string;
}

interface Choice {
  readonly name?: string;
  readonly pair?: Pair;
  readonly origin: Verdict["origin"];
  readonly findings: readonly Violation[];
}

const TYPE = "input_schema_type";
const VERSION = "input_schema_version";
const IN_ITEM = "/metadata/raw_metadata";
const IS_VERSION = /^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$/;

/**
 * The verdict on one item. `datasetMetadata` is that of its dataset, whose declaration counts for all items. With a
 * `type`, such as `rag` or `rag@1.0`, no declaration counts; Error for a type that is not known.
 */
export function validateItem(item: unknown, datasetMetadata?: unknown, type?: string): Verdict {
  const raw = member(member(item, "metadata"), "raw_metadata");
  const choice = type === undefined ? choose(raw, datasetMetadata) : toldType(type);
  const envelope = resolve("evaluation_item");
  const contract = choice.name ?? envelope;
  const typed = choice.pair && {
    properties: { input: { $ref: choice.pair.input }, expected_output: { $ref: choice.pair.expected_output } },
    required: ["expected_output"],
  };
  const schema: Schema = { allOf: [{ $ref: envelope }], ...typed };
  const placed = [...choice.findings, ...judgedTwice(item)].map((finding) => ({ ...finding, contract }));
  const violations = [...placed, ...judge(item, schema, contract)];
  return { contract, origin: choice.origin, violations, valid: violations.every(isAdvice) };
}

/** Every violation of a whole dataset: its own, and those of each item under the type that applies to it. */
export function validateDataset(dataset: unknown): Violation[] {
  const found = new Map<string, Violation>();
  const add = (violation: Violation) => {
    const key = `${violation.keyword ?? violation.code} ${violation.pointer}`;
    if (!found.has(key)) found.set(key, violation);
  };
  const items = member(dataset, "items");
  if (Array.isArray(items)) {
    items.forEach((item: unknown, index) => {
      const at = step("items") + step(index);
      for (const violation of validateItem(item, member(dataset, "metadata")).violations) {
        add({ ...violation, pointer: at + violation.pointer });
      }
    });
  }
  validate(dataset, "dataset" as Parameters<typeof validate>[1]).forEach(add);
  return [...found.values()];
}

function isAdvice(violation: Violation): boolean {
  return violation.severity === "advice";
}

/** A ground truth judges a document once: what no schema can say. */
function judgedTwice(item: unknown): Violation[] {
  const rows = member(member(item, "expected_output"), "retrieval_ground_truth");
  const seen = new Set<string>();
  const found: Violation[] = [];
  (Array.isArray(rows) ? rows : []).forEach((row: unknown, index) => {
    const id = text(row, "document_id");
    if (id !== undefined && seen.has(id)) {
      const message = `the ground truth judges document ${shown(id)} twice`;
      const at = `/expected_output/retrieval_ground_truth/${index}/document_id`;
      found.push(finding("duplicate-judgement", message, at, "one judgement a document", shown(id)));
    }
    if (id !== undefined) seen.add(id);
  });
  return found;
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as { [key: string]: unknown })[key]
    : undefined;
}

function text(holder: unknown, key: string): string | undefined {
  const found = member(holder, key);
  return typeof found === "string" ? found : undefined;
}

function toldType(spec: string): Choice {
  const [name = "", version] = spec.split(/@(.*)/s, 2);
  const known = versionsOf(name);
  const used = version || newest(known ?? {});
  if (!known || !Object.hasOwn(known, used)) throw new Error(`there is no schema type ${shown(spec)}`);
  return chosen(name, used, "told", []);
}

/** Every schema type with its versions. */
export function typeNames(): string[] {
  return Object.entries(TABLE.schema_types).flatMap(([name, versions]) =>
    Object.keys(versions).map((version) => `${name}@${version}`),
  );
}

function versionsOf(name: string) {
  return Object.hasOwn(TABLE.schema_types, name) ? TABLE.schema_types[name] : undefined;
}

function newest(versions: object): string {
  return Object.keys(versions).sort(byVersion).at(-1) ?? "";
}

function choose(item: unknown, dataset: unknown): Choice {
  const conflict = disagreement(item, dataset);
  if (conflict.length) return { origin: "envelope", findings: conflict };
  const own = text(item, TYPE);
  const name = own ?? text(dataset, TYPE);
  const version = text(item, VERSION) ?? text(dataset, VERSION);
  if (name === undefined) return { origin: "envelope", findings: [] };
  const origin = own === undefined ? "dataset" : "item";
  const place = origin === "item" ? IN_ITEM : "";
  const known = versionsOf(name);
  if (!known) return unknown(place, TYPE, name, "unknown-schema-type", "schema type");
  if (version === undefined || !IS_VERSION.test(version)) return chosen(name, newest(known), origin);
  if (Object.hasOwn(known, version)) return chosen(name, version, origin);
  const ofMajor = Object.entries(known).filter(([other]) => other.split(".")[0] === version.split(".")[0]);
  const used = newest(Object.fromEntries(ofMajor));
  if (!used) {
    return unknown(place, VERSION, `${name}@${version}`, "unknown-schema-version", "version of a schema type");
  }
  const message = `${name}@${version} is not known here; checked against ${name}@${used}`;
  return chosen(name, used, origin, [finding("unknown-minor-version", message, `${place}/${VERSION}`, null, null, "advice")]);
}

function chosen(type: string, version: string, origin: Verdict["origin"], findings: Violation[] = []): Choice {
  const pair = TABLE.schema_types[type]?.[version];
  return pair ? { name: `${type}@${version}`, pair, origin, findings } : { origin, findings };
}

function disagreement(item: unknown, dataset: unknown): Violation[] {
  return [TYPE, VERSION].flatMap((field) => {
    const own = text(item, field);
    const other = text(dataset, field);
    if (own === undefined || other === undefined || own === other) return [];
    if (field === VERSION && !(IS_VERSION.test(own) && IS_VERSION.test(other))) return [];
    const message = `the item declares ${field} ${shown(own)}, its dataset declares ${shown(other)}`;
    return [finding("declarations-disagree", message, `${IN_ITEM}/${field}`, shown(other), shown(own))];
  });
}

function unknown(place: string, field: string, value: string, code: string, thing: string): Choice {
  const known = shortList("known: ", typeNames());
  const message = `${shown(value)} is not a known ${thing}; ${known}`;
  return { origin: "envelope", findings: [finding(code, message, `${place}/${field}`, known, shown(value))] };
}

function finding(
  code: string,
  message: string,
  pointer: string,
  expected: string | null,
  actual: string | null,
  severity: Violation["severity"] = "error",
): Violation {
  return { code, message, pointer, keyword: null, expected, actual, severity, contract: "" };
}

function byVersion(left: string, right: string): number {
  const [a = 0, b = 0] = left.split(".").map(Number);
  const [c = 0, d = 0] = right.split(".").map(Number);
  return a - c || b - d;
}
