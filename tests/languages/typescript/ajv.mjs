// Answers whether each case is valid, by Ajv on the bundles. Argument: the folder of the package.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Ajv2020 } from "ajv/dist/2020.js";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: false });
const compiled = new Map();

function validator(contract) {
  if (!compiled.has(contract)) {
    const file = `${process.argv[2]}/bundles/${contract.replace("@", "-")}.schema.json`;
    compiled.set(contract, ajv.compile(JSON.parse(readFileSync(file, "utf8"))));
  }
  return compiled.get(contract);
}

const answers = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { contract, bytes } = JSON.parse(line);
  answers.push(validator(contract)(JSON.parse(Buffer.from(bytes, "base64").toString("utf8"))));
}
process.stdout.write(JSON.stringify(answers));
