// Answers the cases of tests/languages/protocol.py. Argument: the folder of the built package.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const at = (name) => import(pathToFileURL(`${process.argv[2]}/dist/esm/${name}`));
const { parse, ReadError, stringify, validate, validateDataset, validateItem, decode } = await at("index.js");

function answer(contract, bytes) {
  let value;
  try {
    value = parse(bytes);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { fault: error.code, violations: [], written: null };
  }
  const found = judged(contract, value);
  const violations = found.map(({ pointer, keyword, code, message }) => [pointer, keyword, code, message]);
  const typed = !contract.startsWith("@") && !violations.length;
  const written = contract === "@json" ? stringify(value) : typed ? stringify(decode(value, contract)) : null;
  return { fault: null, violations, written };
}

function judged(contract, value) {
  if (contract === "@json") return [];
  if (contract === "@item") return validateItem(value).violations;
  if (contract === "@dataset") return validateDataset(value);
  return validate(value, contract);
}

const answers = [];
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { id, contract, bytes } = JSON.parse(line);
  answers.push(JSON.stringify({ id, ...answer(contract, Buffer.from(bytes, "base64")) }));
}
process.stdout.write(answers.join("\n") + "\n");
