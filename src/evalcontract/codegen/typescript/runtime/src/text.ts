/** Values as they stand in messages: bounded and safe to print. The same words in every language. */

const LIMIT = 80;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** As much of a text as `limit` characters hold, with a mark that there is more. */
export function cut(text: string, limit = LIMIT): string {
  if (text.length <= limit) return text;
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length <= limit ? text : characters.slice(0, limit - 1).join("") + "…";
}

/** Text from outside with what can't be printed as an escape. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (found) => "\\u" + code(found, 4));
}

/** A value's type and, where that is short, the value. */
export function actual(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return `boolean ${value}`;
  if (typeof value === "string") return `string ${short(value, LIMIT - 7)}`;
  if (typeof value === "bigint" || typeof value === "number") {
    return `${isInteger(value) && !huge(value) ? "integer" : "number"} ${short(value)}`;
  }
  if (Array.isArray(value)) return `array of ${value.length}`;
  const keys = Object.keys(Object(value));
  return keys.length ? cut(visible("object with " + keys.slice(0, LIMIT).join(", "))) : "empty object";
}

/** A value as JSON, at most `limit` characters; an array or object by what it holds. */
export function short(value: unknown, limit = LIMIT): string {
  if (typeof value === "string") return cut(JSON.stringify(cutRaw(value, limit + 1)), limit);
  if (typeof value === "number") return numeral(value);
  return typeof value === "object" && value !== null ? actual(value) : cut(String(value), limit);
}

/** A name in single quotes. */
export function shown(name: string, limit = LIMIT): string {
  const text = cutRaw(name, limit + 1);
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, "\\" + quote)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(UNPRINTABLE, (found) => {
      const point = found.codePointAt(0) ?? 0;
      return point < 0x100 ? "\\x" + code(found, 2) : point < 0x10000 ? "\\u" + code(found, 4) : "\\U" + code(found, 8);
    });
  return cut(quote + escaped + quote, limit);
}

/** A prefix and as many words as fit into one short line. */
export function shortList(prefix: string, words: readonly string[], between = ", "): string {
  return cut(prefix + words.join(", ")).replaceAll(", ", between);
}

/** Whether a number is whole: `2.0` is an integer. */
export function isInteger(value: unknown): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

function huge(value: number | bigint): boolean {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

/** A double in the shortest form, its exponent as the other languages write it. */
function numeral(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (Number.isSafeInteger(value) || (power >= -4 && power < 16)) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function cutRaw(text: string, length: number): string {
  return text.length <= length ? text : [...text.slice(0, 2 * length)].slice(0, length).join("");
}

function code(character: string, width: number): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(width, "0");
}
