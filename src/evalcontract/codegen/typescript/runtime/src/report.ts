/** A run as text for people and as JSON for programs. */

import type { FileResult, Run } from "./run.js";
import { visible } from "./text.js";

/** All findings, a table with a row a file, and the outcome. */
export function asText(run: Run): string {
  const lines = run.violations.flatMap((found) => {
    const where = [found.file, found.line, found.column].filter((part) => part !== null).join(":");
    const item = found.item_id ? ` [${visible(found.item_id)}]` : "";
    const pointer = found.pointer ? ` ${visible(found.pointer)}` : "";
    const said = `${visible(where)}: ${found.severity}${item}${pointer}: ${visible(found.message)} [${found.code}]`;
    return found.hint ? [said, `  hint: ${visible(found.hint)}`] : [said];
  });
  if (run.unlisted) lines.push(`and ${run.unlisted} more`);
  lines.push(...run.unreadable.map(({ file, reason }) => `error: ${visible(file)}: ${visible(reason)}`));
  if (lines.length) lines.push("");
  if (run.files.length) lines.push(...table(run.files), ...unseen(run.files));
  const [items, errors, files] = [run.total("items"), run.total("errors"), run.files.length];
  const counts = `${counted(items, "item")} in ${counted(files, "file")}`;
  lines.push(run.exitCode ? `failed: ${counts}, ${counted(errors, "error")}` : `ok: ${counts}`);
  return lines.join("\n") + "\n";
}

function unseen(files: FileResult[]): string[] {
  const judged = files.filter(({ kind }) => kind === "items" || kind === "dataset");
  const counts = judged.flatMap(({ contracts }) => Object.entries(contracts));
  const plain = counts.filter(([name]) => name.startsWith("evaluation_item@"));
  const items = plain.reduce((sum, [, count]) => sum + count, 0);
  if (!items) return [];
  return [
    `note: no schema type applies to ${counted(items, "item")}, so that input and expected_output may hold anything: ` +
      "declare input_schema_type in an item's metadata.raw_metadata or in the dataset's metadata",
  ];
}

function table(files: FileResult[]): string[] {
  const rows = [["file", "items", "invalid", "errors", "advices", "checked against"]];
  for (const file of files) {
    const contracts = Object.entries(file.contracts).map(([name, count]) => `${name} (${counted(count, "item")})`);
    const numbers = [file.items, file.invalid, file.errors, file.advices].map((number) => number.toLocaleString("en"));
    rows.push([visible(file.file), ...numbers, contracts.join(", ") || "nothing"]);
  }
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

function counted(number: number, thing: string): string {
  return `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;
}

/** The same as one JSON document. */
export function asJson(run: Run): string {
  const document = {
    ok: run.exitCode === 0,
    exit_code: run.exitCode,
    items: run.total("items"),
    errors: run.total("errors"),
    advices: run.total("advices"),
    files: run.files,
    violations: run.violations.map(({ code, message, pointer, keyword, expected, actual, hint, severity, ...rest }) => ({
      ...{ code, message, pointer, keyword, expected, actual, hint, severity },
      ...{ contract: rest.contract || null, item_id: rest.item_id, file: rest.file, line: rest.line, column: rest.column },
    })),
    unlisted: run.unlisted,
    unreadable: run.unreadable,
  };
  return JSON.stringify(document, null, 2) + "\n";
}
