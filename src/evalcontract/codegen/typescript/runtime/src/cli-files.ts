/** Which files a command's arguments mean. */

import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readsZstd } from "./cli-zstd.js";

/** A name that ends like JSON Lines. */
export const LINES = /\.(jsonl|ndjson)(\.gz|\.zst)?$/i;
const READ = /\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i;
const YAML = /\.ya?ml$/i;
/** A name that ends like zstd. */
export const ZSTD = /\.zst$/i;
const SUFFIXES = ".json, .jsonl or .ndjson, each also with .gz or .zst";

/** A command that can't be carried out as it was given, with the way out. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** The files meant, each once; a folder stands for the files below it that can be read. */
export function expanded(paths: string[]): string[] {
  return paths.flatMap((path) => {
    if (path === "-" || !existsSync(path) || !statSync(path).isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => READ.test(name));
    const files = names.map((name) => join(path, name)).filter((file) => statSync(file).isFile() && !hidden(file, path));
    if (!files.length) throw new UsageError(`${path}: no file in this folder is read`, `read are ${SUFFIXES}`);
    return files.sort();
  });
}

function hidden(file: string, top: string): boolean {
  for (let at = file; at !== top && at !== dirname(at); at = dirname(at)) {
    if (basename(at).startsWith(".")) return true;
  }
  return false;
}

/** Throws UsageError for a file that isn't there or has a suffix that isn't read. */
export function refuseUnreadable(files: string[]): void {
  for (const file of files) {
    if (file === "-") continue;
    if (!existsSync(file)) throw new UsageError(`${file}: no such file or folder`, "check the spelling and the folder");
    if (YAML.test(file)) throw new UsageError(`${file}: YAML is not read here`, `write it as ${SUFFIXES}; the Python command reads YAML`);
    if (!READ.test(file)) throw new UsageError(`${file}: the suffix names no format that is read`, `use ${SUFFIXES}`);
    if (ZSTD.test(file) && !readsZstd) throw new UsageError(`${file}: this Node can't unpack zstd`, "use Node 22.15 or newer, or pack the file with gzip");
  }
}
