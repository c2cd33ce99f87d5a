/** The text of bytes, and places in it. */

const LONE = /[\ud800-\udfff]/u;

/** Why a text is not strict JSON, and where: line and column count from 1, the column in characters. */
export class ReadError extends Error {
  constructor(
    readonly code: string,
    readonly reason: string,
    readonly line: number,
    readonly column: number,
    readonly hint?: string,
  ) {
    super(`${line}:${column}: ${reason}`);
    this.name = "ReadError";
  }
}

/** The text of strict UTF-8; a byte order mark at its start is left out where it `isStart` of a file. Throws ReadError. */
export function decoded(source: string | Uint8Array, isStart = true): string {
  const text = typeof source === "string" ? source : decodedBytes(source);
  const lone = LONE.exec(text);
  if (lone) throw refusal(text, lone.index, "lone-surrogate", "a lone surrogate is half a character");
  return isStart && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Line and column, from 1, of an offset into a text. */
export function position(text: string, offset: number): { line: number; column: number } {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return { line, column: [...text.slice(start, offset)].length + 1 };
}

function decodedBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const good = validPrefix(bytes);
    const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, good));
    const lead = bytes[good] ?? 0;
    const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead >= 0xc2 && lead <= 0xf4 && good + size > bytes.length && continues(bytes, good + 1, bytes.length)) {
      throw cutOff(before, before.length, "inside a character");
    }
    const isSurrogate = lead === 0xed && (bytes[good + 1] ?? 0) >= 0xa0 && (bytes[good + 1] ?? 0) <= 0xbf;
    const byte = `byte 0x${lead.toString(16).padStart(2, "0")} is not valid UTF-8 here`;
    const reason = isSurrogate ? "a lone surrogate encoded as UTF-8" : byte;
    throw refusal(before, before.length, "invalid-utf8", reason, "save the file as UTF-8");
  }
}

function continues(bytes: Uint8Array, from: number, to: number): boolean {
  return bytes.subarray(from, to).every((byte) => byte >= 0x80 && byte <= 0xbf);
}

/** How many bytes at the beginning are whole characters of UTF-8. */
function validPrefix(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let at = 0; ; ) {
    const lead = bytes[at];
    if (lead === undefined) return at;
    const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    try {
      if (size > 1) decoder.decode(bytes.subarray(at, at + size));
    } catch {
      return at;
    }
    at += size;
  }
}

/** The refusal of what stands at an offset of a text. */
export function refusal(text: string, offset: number, code: string, reason: string, hint?: string): ReadError {
  const { line, column } = position(text, offset);
  return new ReadError(code, reason, line, column, hint);
}

/** The refusal of a text that ends too early. */
export function cutOff(text: string, offset: number, where: string): ReadError {
  return refusal(text, offset, "truncated", `the text ends ${where}`, "the end is missing; write the file again");
}
