// Judges a long JSON Lines stream that is made as it is read; prints how many lines and violations there were.
import { readLines } from "evalcontract";

const padding = "x".repeat(4000);
const line = (number) =>
  JSON.stringify({ item_id: number % 100 ? String(number) : "", input: { messages: [], padding } }) + "\n";

function* chunks() {
  for (let number = 0; number < 40_000; number++) yield new TextEncoder().encode(line(number));
}

let lines = 0;
let violations = 0;
for await (const { verdict } of readLines(chunks())) {
  lines++;
  violations += verdict.violations.length;
}
console.log(lines, violations);
