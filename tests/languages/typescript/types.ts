// What must compile, and what must not, under strict and exactOptionalPropertyTypes.
import { type ContractName, decode, is, type ItemOf, type JsonValue, parse, type RAGInput, readLines, stringify, validate } from "evalcontract";

const minimal: RAGInput = { messages: [{ role: "user", content: "Where?" }] };
const nothing: RAGInput = { ...minimal, context: null };
const more: RAGInput = { ...minimal, tenant: "acme" };
// @ts-expect-error a required property is missing
const missing: RAGInput = { context: [] };
// @ts-expect-error not a role
const role: RAGInput = { messages: [{ role: "tool", content: "" }] };
// @ts-expect-error absent is not undefined
const absent: RAGInput = { ...minimal, context: undefined };
// @ts-expect-error there is no such contract
const unknown: ContractName = "rag_inputs";

const value: JsonValue = parse("{}");
if (is(value, "rag_input@1.0")) value.messages[0]?.content.trim();
const input: RAGInput = decode(value, "rag_input");
const base: { messages: { content: string }[] } = input;
const kept: unknown = input["tenant"];
const item: ItemOf<"rag@1.0"> = { item_id: "1", input: minimal, expected_output: { response: "Here." } };
// @ts-expect-error an expected output has a response
const wrong: ItemOf<"rag@1.0"> = { item_id: "1", input: minimal, expected_output: {} };
const codes: string[] = validate(item, "evaluation_item").map((violation) => violation.code);

export async function lines(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of readLines(stream)) {
    if ("fault" in line) found.push(line.fault.code);
    else found.push(stringify(line.value), line.verdict.contract);
  }
  return found;
}
export const used = [nothing, more, missing, role, absent, unknown, base, kept, wrong, codes];
