/** Verdicts: an interpreter of the keywords that contracts use. Nothing is compiled, nothing is fetched. */

import { type JsonValue, step } from "./json.js";
import { TABLE } from "./table.js";
import { actual, isInteger, short, shortList } from "./text.js";
import type { ContractName, Contracts } from "./types.js";

/** One way in which a value breaks its contract; `pointer` is where a missing property should be. */
export interface Violation {
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
  readonly keyword: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly severity: "error" | "advice";
  readonly contract: string;
}

/** The keywords of a contract. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** A value that is not what it should be; `violations` lists every way. */
export class ContractError extends Error {
  constructor(
    readonly contract: string,
    readonly violations: readonly Violation[],
  ) {
    const lines = violations.slice(0, 5).map((found) => `\n  ${found.pointer || "(document)"}: ${found.message}`);
    super(`the value breaks ${contract}:${lines.join("")}`);
    this.name = "ContractError";
  }
}

/** Every way in which a value breaks a contract, named `rag_input` (its newest version) or `rag_input@1.0`. */
export function validate(value: unknown, contract: ContractName): Violation[] {
  const name = resolve(contract);
  return judge(value, { $ref: name }, name);
}

/** Whether a value keeps a contract. */
export function is<Name extends ContractName>(value: unknown, contract: Name): value is Contracts[Name] {
  return validate(value, contract).length === 0;
}

/** The value, now typed. Throws ContractError when it breaks the contract. */
export function decode<Name extends ContractName>(value: unknown, contract: Name): Contracts[Name] {
  const violations = validate(value, contract);
  if (violations.length) throw new ContractError(resolve(contract), violations);
  return value as Contracts[Name];
}

/** `name@version` of a contract. Throws RangeError for a name that is none. */
export function resolve(name: string): string {
  const newest = Object.hasOwn(TABLE.newest, name) ? `${name}@${TABLE.newest[name]}` : name;
  if (!Object.hasOwn(TABLE.contracts, newest)) throw new RangeError(`there is no contract ${name}`);
  return newest;
}

/** The violations of a value under a schema of the table's form. */
export function judge(value: unknown, schema: Schema, contract: string): Violation[] {
  const found = new Map<string, Violation>();
  const add: Add = (pointer, keyword, code, expected, value, message) => {
    const key = `${keyword} ${pointer}`;
    if (found.has(key)) return;
    const got = keyword === "required" ? "nothing" : actual(value);
    message ??= `expected ${expected}, got ${got}`;
    found.set(key, { code, message, pointer, keyword, expected, actual: got, severity: "error", contract });
  };
  notJson(value, "", 0, (pointer, expected, odd) => {
    const got = String(odd).slice(0, 80);
    const message = `expected ${expected}, got ${got}`;
    const violation = { code: "not-json", message, pointer, keyword: null, expected, actual: got };
    found.set(pointer, { ...violation, severity: "error", contract });
  });
  if (!found.size) check(schema, value, "", add);
  return [...found.values()];
}

type Add = (
  pointer: string,
  keyword: string,
  code: string,
  expected: string,
  value: unknown,
  message?: string,
) => void;

function notJson(value: unknown, at: string, depth: number, add: (at: string, expected: string, odd: unknown) => void) {
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return;
  if (typeof value === "string") {
    if (/[\ud800-\udfff]/u.test(value)) add(at, "a string without lone surrogates", JSON.stringify(value));
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) add(at, "a finite number", value);
  } else if (typeof value !== "object" || (!Array.isArray(value) && !isPlain(value))) {
    add(at, "a JSON value", typeof value === "object" ? Object.prototype.toString.call(value) : value);
  } else if (depth >= TABLE.max_depth) {
    add(at, `nesting of at most ${TABLE.max_depth} levels`, "more, or a cycle");
  } else if (Array.isArray(value)) {
    Array.from(value).forEach((element, index) => notJson(element, at + step(index), depth + 1, add));
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) notJson(member, at + step(key), depth + 1, add);
    }
  }
}

function isPlain(value: object): boolean {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "number" : typeof value;
}

function hasType(value: unknown, types: readonly string[]): boolean {
  return types.includes(kindOf(value)) || (isInteger(value) && types.includes("integer"));
}

function check(schema: Schema, value: unknown, at: string, add: Add): void {
  if (schema.$ref !== undefined) check(target(schema.$ref), value, at, add);
  for (const keyword of Object.keys(schema) as (keyof Schema)[]) {
    KEYWORDS[keyword]?.(schema as Required<Schema>, value, at, add);
  }
}

function target(name: string): Schema {
  return TABLE.contracts[name] ?? {};
}

type Keyword = (schema: Required<Schema>, value: unknown, at: string, add: Add) => void;

const patterns = new Map<string, RegExp>();

const KEYWORDS: { [keyword in keyof Schema]?: Keyword } = {
  type(schema, value, at, add) {
    if (!hasType(value, [schema.type].flat())) add(at, "type", "wrong-type", expectedType(schema), value);
  },
  enum(schema, value, at, add) {
    if (schema.enum.some((member) => member === value || (isInteger(value) && Number(value) === member))) return;
    const members = schema.enum.map((member) => short(member, 30));
    add(at, "enum", "not-allowed", shortList("one of ", members), value);
  },
  allOf(schema, value, at, add) {
    for (const part of schema.allOf) check(part, value, at, add);
  },
  anyOf(schema, value, at, add) {
    const failures = schema.anyOf.map((branch) => {
      const found: Parameters<Add>[] = [];
      check(branch, value, at, (...failure) => found.push(failure));
      return found;
    });
    if (failures.some((found) => !found.length)) return;
    const wrongType = (failure: Parameters<Add>) => failure[0] === at && /^(type|enum)$/.test(failure[1]);
    const meant = failures.filter((found) => !found.some(wrongType));
    if (meant.length === 1) {
      for (const failure of meant[0] ?? []) add(...failure);
      return;
    }
    const types = new Set(schema.anyOf.map((branch) => (branch.$ref ? "object" : expectedType(branch))));
    const allTypes = failures.flat().every((failure) => failure[1] === "type");
    const code = allTypes ? "wrong-type" : "no-alternative";
    add(at, allTypes ? "type" : "anyOf", code, shortList("", [...types], " or "), value);
  },
  properties(schema, value, at, add) {
    for (const [name, part] of members(value)) {
      const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      if (property) check(property, part, at + step(name), add);
    }
  },
  additionalProperties(schema, value, at, add) {
    for (const [name, part] of members(value)) {
      if (!Object.hasOwn(schema.properties ?? {}, name)) check(schema.additionalProperties, part, at + step(name), add);
    }
  },
  required(schema, value, at, add) {
    if (kindOf(value) !== "object") return;
    const present = new Set(members(value).map(([name]) => name));
    for (const name of schema.required) {
      if (present.has(name)) continue;
      const wanted = schema.properties?.[name];
      const typed = wanted?.$ref ? target(wanted.$ref) : wanted;
      const expected = typed?.type ? expectedType(typed) : "a value";
      const message = `${name} is required but missing, expected ${expected}`;
      add(at + step(name), "required", "missing-property", expected, value, message);
    }
  },
  items(schema, value, at, add) {
    if (Array.isArray(value)) value.forEach((element, index) => check(schema.items, element, at + step(index), add));
  },
  minLength(schema, value, at, add) {
    const least = schema.minLength;
    if (typeof value === "string" && value.length < 2 * least && length(value) < least) {
      add(at, "minLength", "too-short", count("at least", least, "character"), value);
    }
  },
  maxLength(schema, value, at, add) {
    const most = schema.maxLength;
    if (typeof value === "string" && value.length > most && length(value) > most) {
      add(at, "maxLength", "too-long", count("at most", most, "character"), value);
    }
  },
  minItems(schema, value, at, add) {
    if (Array.isArray(value) && value.length < schema.minItems) {
      add(at, "minItems", "too-few-items", count("at least", schema.minItems, "item"), value);
    }
  },
  maxItems(schema, value, at, add) {
    if (Array.isArray(value) && value.length > schema.maxItems) {
      add(at, "maxItems", "too-many-items", count("at most", schema.maxItems, "item"), value);
    }
  },
  minimum(schema, value, at, add) {
    if (kindOf(value) === "number" && (value as number) < schema.minimum) {
      add(at, "minimum", "too-small", `at least ${short(schema.minimum)}`, value);
    }
  },
  maximum(schema, value, at, add) {
    if (kindOf(value) === "number" && (value as number) > schema.maximum) {
      add(at, "maximum", "too-large", `at most ${short(schema.maximum)}`, value);
    }
  },
  pattern(schema, value, at, add) {
    let pattern = patterns.get(schema.pattern);
    if (!pattern) patterns.set(schema.pattern, (pattern = new RegExp(schema.pattern, "u")));
    if (typeof value === "string" && !pattern.test(value)) {
      add(at, "pattern", "pattern-mismatch", `text matching ${schema.pattern}`, value);
    }
  },
};

function members(value: unknown): [string, unknown][] {
  if (kindOf(value) !== "object") return [];
  return Object.entries(value as { [key: string]: JsonValue }).filter(([, member]) => member !== undefined);
}

function length(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function count(word: string, number: number, thing: string): string {
  return `${word} ${number} ${thing}${number === 1 ? "" : "s"}`;
}

function expectedType(schema: Schema): string {
  const { items } = schema;
  const of = items?.$ref ? "object" : typeof items?.type === "string" ? items.type : undefined;
  const names = [schema.type ?? []].flat().map((name) => (name === "array" && of ? `array of ${of}s` : name));
  return names.join(" or ") || "another value";
}
