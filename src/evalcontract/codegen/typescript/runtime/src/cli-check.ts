/** Reads files, and has what is in them judged. */

import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createGunzip, gunzipSync } from "node:zlib";
import { checkJson, checkLines, kindOf } from "./check.js";
import { LINES, ZSTD } from "./cli-files.js";
import { unpackedAtOnce, unpackedFrames } from "./cli-zstd.js";
import type { FileCheck, Run } from "./run.js";
import { cut } from "./text.js";

const LINES_ENDS = [".jsonl", ".ndjson"].flatMap((end) => [end, `${end}.gz`, `${end}.zst`]);
const LARGEST = 2 ** 30; // bytes of a packed .json when it is unpacked, which are held in memory

/** Checks one file, or standard input for `-`. */
export async function checkFile(run: Run, file: string): Promise<void> {
  const name = file === "-" ? "<stdin>" : file;
  if (file === "-" || LINES.test(file)) {
    const check = run.open(name, kindOf(run));
    try {
      return await checkLines(run, check, opened(file), beside(file));
    } catch (error) {
      return damaged(check, error);
    }
  }
  let bytes: Uint8Array;
  try {
    bytes = unpacked(file);
  } catch (error) {
    return damaged(run.open(name, kindOf(run)), error);
  }
  await checkJson(run, name, bytes, isMetadata(file));
}

/** Notes that a packed file is damaged; any other error is thrown again. */
function damaged(check: FileCheck, error: unknown): void {
  check.result.complete = false;
  if (!/^(Z|ZSTD)_/.test(String((error as NodeJS.ErrnoException).code))) throw error;
  const message = `the compressed file can't be read to its end: ${reasonOf(error)}`;
  check.nothing("damaged-archive", message, "write the file again; what came before was read");
}

function opened(file: string): AsyncIterable<Uint8Array> {
  if (ZSTD.test(file)) return unpackedFrames(readFileSync(file));
  const raw = file === "-" ? process.stdin : createReadStream(file);
  if (!/\.gz$/i.test(file)) return raw;
  const unpacked = createGunzip();
  raw.on("error", (error: Error) => unpacked.destroy(error));
  return raw.pipe(unpacked);
}

function isMetadata(file: string): boolean {
  const stem = file.replace(/\.metadata\.json$/, "");
  return stem !== file && LINES_ENDS.some((end) => existsSync(stem + end));
}

/** The metadata in NAME.metadata.json beside a JSON Lines file. */
function beside(file: string): Uint8Array | undefined {
  const path = file.replace(LINES, "") + ".metadata.json";
  return file === "-" || !existsSync(path) ? undefined : readFileSync(path);
}

function unpacked(file: string): Uint8Array {
  const bytes = readFileSync(file);
  if (/\.gz$/i.test(file)) return gunzipSync(bytes, { maxOutputLength: LARGEST });
  return ZSTD.test(file) ? unpackedAtOnce(bytes, LARGEST) : bytes;
}

/** Why something failed, in a few words. */
export function reasonOf(error: unknown): string {
  return cut(error instanceof Error ? error.message : String(error), 200);
}
