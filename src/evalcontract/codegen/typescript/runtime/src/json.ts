/** Strict JSON: what it refuses, a reader in another language might read as something else. */

import { cutOff, decoded, position, refusal, type ReadError } from "./source.js";
import { TABLE } from "./table.js";
import { cut, visible } from "./text.js";

/** Any JSON value. An integer beyond 2^53-1 is a bigint, so that it keeps its value. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [key: string]: JsonValue };

/** Arrays and objects may be nested so deep, the same in every language of the contracts. */
export const MAX_DEPTH: number = TABLE.max_depth;

const SPACE = /[ \t\r\n]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const UNFINISHED_NUMBER = /^-?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?)?)?$/;
const UNFINISHED_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)?$/;
const WORD = /[-+.0-9a-zA-Z_]{1,80}/y;
const NOT_FINITE = new Set(["NaN", "-NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-inf"]);
const ESCAPES: Record<string, string> = {
  '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t",
};
const LITERALS: [string, null | boolean][] = [["true", true], ["false", false], ["null", null]];

/** The value of one strict JSON text, given as text or as bytes of UTF-8. Throws ReadError. */
export function parse(source: string | Uint8Array): JsonValue {
  return new Scanner(decoded(source)).document();
}

/** The same for a text that is one line of a longer one, with its number. */
export function parseLine(text: string, line: number): JsonValue {
  return new Scanner(text, undefined, line).document();
}

/** Where each value of a text begins, by JSON pointer: an offset into the text. */
export function offsets(text: string): Map<string, number> {
  const found = new Map<string, number>();
  new Scanner(text, found).document();
  return found;
}

/** One step of a JSON pointer. */
export function step(key: string | number): string {
  return "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** JSON text of a value, bigints included. Throws TypeError for what is not JSON, such as NaN. */
export function stringify(value: unknown, indent = 0): string {
  return write(value, indent, indent ? "\n" : "", 0);
}

function write(value: unknown, indent: number, line: string, depth: number): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return digits(value);
  if (typeof value !== "object") throw new TypeError(`${String(value)} is not a JSON value`);
  if (depth >= 1000) throw new TypeError("the value is nested too deep, or holds itself");
  const list = Array.isArray(value);
  const inner = line + " ".repeat(indent);
  const parts = list
    ? Array.from(value, (element) => write(element, indent, inner, depth + 1))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => JSON.stringify(key) + (indent ? ": " : ":") + write(member, indent, inner, depth + 1));
  const [open, close] = list ? "[]" : "{}";
  return parts.length ? `${open}${inner}${parts.join("," + inner)}${line}${close}` : `${open}${close}`;
}

/** A number as it is: without exponent JavaScript rounds whole numbers beyond 2^53, and it drops the sign of -0. */
function digits(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const text = String(value);
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : BigInt(value).toString();
}

class Scanner {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly found?: Map<string, number>,
    private readonly firstLine = 1,
  ) {}

  document(): JsonValue {
    if (!this.peek()) throw refusal(this.text, 0, "empty-file", "the text holds no data");
    const value = this.value("");
    if (this.peek()) {
      const word = this.word();
      if (word === "\ufeff") throw this.unexpected("the end");
      const hint = "one JSON value only; several belong in a .jsonl file, one a line";
      throw this.refuse("trailing-content", `more after the end of the value: "${visible(cut(word, 40))}"`, hint);
    }
    return value;
  }

  private value(pointer: string): JsonValue {
    const opening = this.peek();
    this.found?.set(pointer, this.at);
    if (opening === "{" || opening === "[") {
      if (this.depth >= MAX_DEPTH) {
        throw this.refuse("too-deep", `nested deeper than ${MAX_DEPTH} levels`, "flatten the value");
      }
      this.depth++;
      this.at++;
      const value = opening === "{" ? this.object(pointer) : this.array(pointer);
      this.depth--;
      return value;
    }
    if (opening === '"') return this.string();
    if (opening === "-" || (opening >= "0" && opening <= "9")) return this.number();
    for (const [word, value] of LITERALS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const word = this.word();
    if (NOT_FINITE.has(word)) throw this.refuse("not-finite", `${word} is not JSON`, "use null");
    if (word && this.at + word.length === this.text.length && LITERALS.some(([name]) => name.startsWith(word))) {
      throw cutOff(this.text, this.at, "inside a value");
    }
    throw this.unexpected("a value");
  }

  private object(pointer: string): JsonValue {
    const value: { [key: string]: JsonValue } = {};
    const seen = new Map<string, number>();
    if (this.peek() === "}") return this.closed(value);
    do {
      if (this.peek() !== '"') throw this.unexpected("a property name in double quotes");
      const start = this.at;
      const key = this.string();
      const before = seen.get(key);
      if (before !== undefined) {
        const { line, column } = position(this.text, before);
        const first = `line ${line + this.firstLine - 1}, column ${column}`;
        const reason = `duplicate key "${visible(cut(key))}", first at ${first}`;
        throw refusal(this.text, start, "duplicate-key", reason, "keep one of the two");
      }
      seen.set(key, start);
      if (this.peek() !== ":") throw this.unexpected("':'");
      this.at++;
      const member = this.value(pointer + (this.found ? step(key) : ""));
      if (key === "__proto__") {
        Object.defineProperty(value, key, { value: member, enumerable: true, configurable: true, writable: true });
      } else {
        value[key] = member;
      }
    } while (this.goesOn("}"));
    return value;
  }

  private array(pointer: string): JsonValue {
    const value: JsonValue[] = [];
    if (this.peek() === "]") return this.closed(value);
    do {
      value.push(this.value(pointer + (this.found ? step(value.length) : "")));
    } while (this.goesOn("]"));
    return value;
  }

  private closed(value: JsonValue): JsonValue {
    this.at++;
    return value;
  }

  private goesOn(closing: string): boolean {
    const following = this.peek();
    if (following !== "," && following !== closing) throw this.unexpected(`',' or '${closing}'`);
    const comma = this.at++;
    if (following === closing) return false;
    if (this.peek() === closing) {
      throw refusal(this.text, comma, "syntax", `a comma before '${closing}'`, "remove the comma");
    }
    return true;
  }

  private string(): string {
    const start = this.at++;
    let value = "";
    for (;;) {
      value += this.match(PLAIN);
      const character = this.text[this.at];
      if (character === '"') {
        this.at++;
        return value;
      }
      if (character !== "\\") {
        if (character === undefined) throw cutOff(this.text, start, "inside a string");
        const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        throw this.refuse("syntax", `a raw control character U+${code} inside a string`, "write it as an escape");
      }
      value += this.escape(start);
    }
  }

  private escape(start: number): string {
    const rest = this.text.slice(this.at, this.at + 12);
    const letter = rest[1] ?? "";
    if (letter !== "u" && letter in ESCAPES) {
      this.at += 2;
      return ESCAPES[letter] ?? "";
    }
    const unicode = /^\\u([0-9a-fA-F]{4})/.exec(rest);
    const unit = parseInt(unicode?.[1] ?? "", 16);
    if (unicode && (unit < 0xd800 || unit > 0xdfff)) {
      this.at += 6;
      return String.fromCharCode(unit);
    }
    const pair = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(rest);
    if (pair) {
      this.at += 12;
      return String.fromCharCode(parseInt(pair[1] ?? "", 16), parseInt(pair[2] ?? "", 16));
    }
    if (this.at + rest.length === this.text.length && UNFINISHED_ESCAPE.test(rest)) {
      throw cutOff(this.text, start, "inside a string");
    }
    if (unicode) {
      const hint = "write both halves of the pair, or the character itself";
      throw this.refuse("lone-surrogate", `a lone surrogate ${unicode[0]} is half a character`, hint);
    }
    if (letter === "u") throw this.refuse("syntax", "\\u must be followed by four hexadecimal digits");
    throw this.refuse("syntax", `an unknown escape \\${visible(letter)} in a string`);
  }

  private number(): number | bigint {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    const following = found ? (this.text[this.at + found[0].length] ?? "") : "";
    if (!found || /^[0-9a-zA-Z+\-._]$/.test(following)) {
      const rest = this.text.slice(this.at);
      if (UNFINISHED_NUMBER.test(rest)) throw cutOff(this.text, this.at, "inside a number");
      const word = this.word();
      if (NOT_FINITE.has(word)) throw this.refuse("not-finite", `${word} is not JSON`, "use null");
      throw this.refuse("syntax", `${visible(word)} is not a JSON number`);
    }
    const digits = found[0];
    const whole = found[1] === undefined && found[2] === undefined;
    const value = Number(digits);
    if (!Number.isFinite(value)) {
      const reason = `${cut(digits, 40)} is too large for a number: it would become Infinity`;
      throw this.refuse("not-finite", reason, "use null, or a number below 1.8e308");
    }
    this.at += digits.length;
    return whole && !Number.isSafeInteger(value) ? BigInt(digits) : value;
  }

  private peek(): string {
    this.match(SPACE);
    return this.text[this.at] ?? "";
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private word(): string {
    WORD.lastIndex = this.at;
    const point = this.text.codePointAt(this.at);
    return WORD.exec(this.text)?.[0] ?? (point === undefined ? "" : String.fromCodePoint(point));
  }

  private refuse(code: string, reason: string, hint?: string): ReadError {
    return refusal(this.text, this.at, code, reason, hint);
  }

  private unexpected(expected: string): ReadError {
    const found = this.word();
    if (!found) return cutOff(this.text, this.at, `where ${expected} should be`);
    if (found === "\ufeff") {
      const reason = "a byte order mark in the middle of the file";
      return this.refuse("bom-in-the-middle", reason, "files were joined; remove the mark");
    }
    return this.refuse("syntax", `${expected} expected, found "${visible(cut(found, 40))}"`);
  }
}
