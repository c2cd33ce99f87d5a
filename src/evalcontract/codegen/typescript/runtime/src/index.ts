/** Types, verdicts and strict reading for the contracts. */

export { MAX_DEPTH, type JsonValue, parse, stringify } from "./json.js";
export { ReadError } from "./source.js";
export { validateDataset, validateItem, type Verdict } from "./items.js";
export { type Line, type LineOptions, readLines } from "./lines.js";
export { ContractError, decode, is, validate, type Violation } from "./validate.js";
export type * from "./types.js";
