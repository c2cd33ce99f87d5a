// Prints a line of JSON for each line of a JSON Lines file. Arguments: file, longest line, metadata of the dataset.
import { createReadStream } from "node:fs";
import { readLines } from "evalcontract";

const [file, longest, metadata] = process.argv.slice(2);
const options = { maxLineBytes: Number(longest), datasetMetadata: metadata && JSON.parse(metadata) };
for await (const line of readLines(createReadStream(file), options)) {
  const found = "fault" in line ? [] : line.verdict.violations;
  const fault = "fault" in line ? [line.fault.code, line.fault.line, line.fault.column, line.fault.reason] : null;
  const violations = found.map(({ pointer, keyword, code, message }) => [pointer, keyword, code, message]);
  console.log(JSON.stringify({ contract: "fault" in line ? null : line.verdict.contract, fault, violations }));
}
