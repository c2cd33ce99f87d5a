/** The command for Node: `validate FILES`, with the output of the Python command of that name. */

import { checkFile, reasonOf } from "./cli-check.js";
import { expanded, refuseUnreadable, UsageError } from "./cli-files.js";
import { typeNames, validateItem } from "./items.js";
import { asJson, asText } from "./report.js";
import { Run } from "./run.js";
import { PACKAGE } from "./table.js";
import { shown, visible } from "./text.js";
import type { ContractName } from "./types.js";
import { resolve } from "./validate.js";

const USAGE = `usage: ${PACKAGE.name} validate [--contract NAME[@VERSION] | --type NAME[@VERSION]] [--format text|json] [--max-violations N] FILE...

Checks evaluation data (.json, .jsonl, .ndjson, each also with .gz or .zst) against its contracts: items and datasets
by the schema type that they declare or that --type tells, or each document against one contract. - is standard
input, JSON Lines. zstd needs Node 22.15 or newer.
Exit code: 0 clean, 1 violations, 2 wrong usage or unreadable input.
`;
interface Options {
  readonly paths: string[];
  readonly contract: ContractName | undefined;
  readonly type: string | undefined;
  readonly format: string;
  readonly max: number;
}

function options(argv: string[]): Options {
  const [command, ...rest] = argv;
  if (command !== "validate") throw new UsageError(`there is no command ${shown(command ?? "")}`, "the command is validate");
  const paths: string[] = [];
  const values: { [option: string]: string } = { "--format": "text", "--max-violations": "1000" };
  for (let at = 0; at < rest.length; at++) {
    const [name = "", inline] = (rest[at] ?? "").split(/=(.*)/s, 2);
    if (!name.startsWith("--")) {
      paths.push(rest[at] ?? "");
    } else if (["--contract", "--type", "--format", "--max-violations"].includes(name)) {
      const value = inline ?? rest[++at];
      if (value === undefined) throw new UsageError(`${name} needs a value`, "see --help");
      values[name] = value;
    } else {
      throw new UsageError(`there is no option ${shown(name)}`, "see --help");
    }
  }
  const { "--format": format = "", "--contract": contract, "--type": type, "--max-violations": max } = values;
  if (!paths.length) throw new UsageError("no file is named", "name files, folders or -");
  if (format !== "text" && format !== "json") throw new UsageError(`there is no format ${shown(format)}`, "known: text, json");
  if (!/^[1-9][0-9]{0,8}$/.test(max ?? "")) throw new UsageError("--max-violations takes a number from 1", "leave it out");
  try {
    if (contract !== undefined) resolve(contract);
  } catch (error) {
    throw new UsageError(reasonOf(error), "names look like rag_input or rag_input@1.0");
  }
  if (type !== undefined) {
    if (contract !== undefined) throw new UsageError(`--contract ${contract} checks whole documents, --type their parts`, "leave one out");
    try {
      validateItem(null, undefined, type);
    } catch (error) {
      throw new UsageError(reasonOf(error), `known: ${typeNames().join(", ")}`);
    }
  }
  return { paths, contract: contract as ContractName | undefined, type, format, max: Number(max) };
}

async function main(argv: string[]): Promise<number> {
  if (!argv.length || argv.some((argument) => argument === "--help" || argument === "-h")) {
    process.stdout.write(USAGE);
    return argv.length ? 0 : 2;
  }
  if (argv[0] === "--version") {
    process.stdout.write(`${PACKAGE.name} ${PACKAGE.version}\n`);
    return 0;
  }
  try {
    const { paths, contract, type, format, max } = options(argv);
    const files = [...new Set(expanded(paths))];
    refuseUnreadable(files);
    const run = new Run(contract, max, type);
    for (const file of files) {
      try {
        await checkFile(run, file);
      } catch (error) {
        run.unreadable.push({ file, reason: reasonOf(error) });
      }
    }
    process.stdout.write(format === "json" ? asJson(run) : asText(run));
    return run.exitCode;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`error: ${visible(error.message)}\n  hint: ${visible(error.hint)}\n`);
    return 2;
  }
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(1); // the reader has seen enough
  throw error;
});
process.exitCode = await main(process.argv.slice(2));
