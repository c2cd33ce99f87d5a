// Made by python -m tools.compile_checker from sources of sha256 942cff645d6c7188b392e0c54ba9780e9a0e91b502dfd0911e6ccca2c023cdb0. Do not edit.
const modules = {
"./check.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.checkLines = checkLines;
exports.checkJson = checkJson;
exports.kindOf = kindOf;
const items_js_1 = require("./items.js");
const json_js_1 = require("./json.js");
const lines_js_1 = require("./lines.js");
const run_js_1 = require("./run.js");
const source_js_1 = require("./source.js");
const validate_js_1 = require("./validate.js");
const RECORDS = { prediction: "prediction_record", scores: "score_record" };
const EMPTY = [
    "empty-file",
    "the file holds no data",
    "an empty file is never a success; write it again or leave it out",
];
async function checkLines(run, check, stream, metadata) {
    const contract = ofDocuments(run);
    const options = contract ? { contract } : { datasetMetadata: metadataOf(metadata, check), type: run.type };
    for await (const line of (0, lines_js_1.readLines)(stream, options)) {
        if ("fault" in line)
            refused(check, line.fault);
        else
            check.document(line.value, recordVerdict(run, line), line.text, line.line);
    }
}
async function checkJson(run, file, bytes, isMetadata) {
    const contract = ofDocuments(run);
    const kind = kindOf(run);
    let text;
    let value;
    try {
        text = (0, source_js_1.decoded)(bytes);
        if (holdsLines(text))
            return await checkLines(run, run.open(file, kind), [bytes]);
        value = (0, json_js_1.parseLine)(text, 1);
    }
    catch (error) {
        if (!(error instanceof source_js_1.ReadError))
            throw error;
        const check = run.open(file, kind);
        if (error.code === "empty-file")
            check.nothing(...EMPTY);
        else
            check.fault(error, true);
        check.result.complete = false;
        return;
    }
    const items = Array.isArray(value) ? value : (0, run_js_1.isObject)(value) ? value["items"] : undefined;
    if (!Array.isArray(items)) {
        const asMetadata = isMetadata && contract === undefined;
        const check = run.open(file, asMetadata ? "dataset_metadata" : kind);
        const verdict = asMetadata ? told(value, "dataset_metadata") : judged(run, value);
        return check.document(value, verdict, text, 1);
    }
    const dataset = (0, run_js_1.isObject)(value) ? value : undefined;
    const check = run.open(file, dataset && contract === undefined ? "dataset" : kind);
    items.forEach((item, index) => {
        const at = (dataset ? "/items" : "") + (0, json_js_1.step)(index);
        check.document(item, judged(run, item, dataset?.["metadata"]), text, 1, at);
    });
    if (dataset && contract === undefined)
        check.whole((0, validate_js_1.validate)({ ...dataset, items: [] }, "dataset"), text);
    if (!items.length)
        check.nothing("nothing-checked", "0 items checked", "a file without items is never a success");
}
function kindOf(run) {
    const contract = ofDocuments(run);
    return contract === undefined ? "items" : (0, validate_js_1.resolve)(contract);
}
function ofDocuments({ contract }) {
    return contract === undefined || /^(dataset|evaluation_item)(@|$)/.test(contract) ? undefined : contract;
}
function judged(run, value, metadata) {
    const contract = ofDocuments(run);
    if (contract !== undefined)
        return told(value, contract);
    return (mayBeRecords(run) ? asRecord(value) : undefined) ?? (0, items_js_1.validateItem)(value, metadata, run.type);
}
function mayBeRecords(run) {
    return run.contract === undefined && run.type === undefined;
}
function holdsLines(text) {
    const [, first = "", opening = ""] = /^[ \t\r\n]*(([{[])[^\n]*)\n[ \t\r\n]*[{[\ufeff]/.exec(text) ?? [];
    if (!opening)
        return false;
    try {
        (0, json_js_1.parse)(first);
        return true;
    }
    catch (error) {
        return error instanceof source_js_1.ReadError && /^(duplicate-key|not-finite|too-deep)$/.test(error.code);
    }
}
function refused(check, fault) {
    if (fault.code === "empty-file")
        return check.nothing(...EMPTY);
    const whole = fault.code === "not-json-lines" || fault.code === "lfs-pointer";
    check.fault(fault, !whole);
    if (whole)
        check.result.complete = false;
}
function recordVerdict(run, line) {
    return mayBeRecords(run) ? (asRecord(line.value) ?? line.verdict) : line.verdict;
}
function asRecord(value) {
    if (!(0, run_js_1.isObject)(value) || !Object.hasOwn(value, "item_id"))
        return undefined;
    const answers = (0, run_js_1.isObject)(value["prediction"]) && (value["expected_output"] ?? null) === null;
    const isRecord = (name) => Object.hasOwn(value, name) && ((value["input"] ?? null) === null || (name === "prediction" && answers));
    const key = Object.keys(RECORDS).find(isRecord);
    return key === undefined ? undefined : told(value, RECORDS[key]);
}
function told(value, contract) {
    const violations = (0, validate_js_1.validate)(value, contract);
    return { contract: (0, validate_js_1.resolve)(contract), origin: "envelope", violations, valid: !violations.length };
}
function metadataOf(bytes, check) {
    try {
        return bytes && (0, json_js_1.parse)(bytes);
    }
    catch (error) {
        if (error instanceof source_js_1.ReadError)
            check.fault(error, false);
        return undefined;
    }
}
},
"./items.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.validateItem = validateItem;
exports.validateDataset = validateDataset;
exports.typeNames = typeNames;
const json_js_1 = require("./json.js");
const table_js_1 = require("./table.js");
const text_js_1 = require("./text.js");
const validate_js_1 = require("./validate.js");
const TYPE = "input_schema_type";
const VERSION = "input_schema_version";
const IN_ITEM = "/metadata/raw_metadata";
const IS_VERSION = /^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$/;
function validateItem(item, datasetMetadata, type) {
    const raw = member(member(item, "metadata"), "raw_metadata");
    const choice = type === undefined ? choose(raw, datasetMetadata) : toldType(type);
    const envelope = (0, validate_js_1.resolve)("evaluation_item");
    const contract = choice.name ?? envelope;
    const typed = choice.pair && {
        properties: { input: { $ref: choice.pair.input }, expected_output: { $ref: choice.pair.expected_output } },
        required: ["expected_output"],
    };
    const schema = { allOf: [{ $ref: envelope }], ...typed };
    const placed = [...choice.findings, ...judgedTwice(item)].map((finding) => ({ ...finding, contract }));
    const violations = [...placed, ...(0, validate_js_1.judge)(item, schema, contract)];
    return { contract, origin: choice.origin, violations, valid: violations.every(isAdvice) };
}
function validateDataset(dataset) {
    const found = new Map();
    const add = (violation) => {
        const key = `${violation.keyword ?? violation.code} ${violation.pointer}`;
        if (!found.has(key))
            found.set(key, violation);
    };
    const items = member(dataset, "items");
    if (Array.isArray(items)) {
        items.forEach((item, index) => {
            const at = (0, json_js_1.step)("items") + (0, json_js_1.step)(index);
            for (const violation of validateItem(item, member(dataset, "metadata")).violations) {
                add({ ...violation, pointer: at + violation.pointer });
            }
        });
    }
    (0, validate_js_1.validate)(dataset, "dataset").forEach(add);
    return [...found.values()];
}
function isAdvice(violation) {
    return violation.severity === "advice";
}
function judgedTwice(item) {
    const rows = member(member(item, "expected_output"), "retrieval_ground_truth");
    const seen = new Set();
    const found = [];
    (Array.isArray(rows) ? rows : []).forEach((row, index) => {
        const id = text(row, "document_id");
        if (id !== undefined && seen.has(id)) {
            const message = `the ground truth judges document ${(0, text_js_1.shown)(id)} twice`;
            const at = `/expected_output/retrieval_ground_truth/${index}/document_id`;
            found.push(finding("duplicate-judgement", message, at, "one judgement a document", (0, text_js_1.shown)(id)));
        }
        if (id !== undefined)
            seen.add(id);
    });
    return found;
}
function member(value, key) {
    return typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
}
function text(holder, key) {
    const found = member(holder, key);
    return typeof found === "string" ? found : undefined;
}
function toldType(spec) {
    const [name = "", version] = spec.split(/@(.*)/s, 2);
    const known = versionsOf(name);
    const used = version || newest(known ?? {});
    if (!known || !Object.hasOwn(known, used))
        throw new Error(`there is no schema type ${(0, text_js_1.shown)(spec)}`);
    return chosen(name, used, "told", []);
}
function typeNames() {
    return Object.entries(table_js_1.TABLE.schema_types).flatMap(([name, versions]) => Object.keys(versions).map((version) => `${name}@${version}`));
}
function versionsOf(name) {
    return Object.hasOwn(table_js_1.TABLE.schema_types, name) ? table_js_1.TABLE.schema_types[name] : undefined;
}
function newest(versions) {
    return Object.keys(versions).sort(byVersion).at(-1) ?? "";
}
function choose(item, dataset) {
    const conflict = disagreement(item, dataset);
    if (conflict.length)
        return { origin: "envelope", findings: conflict };
    const own = text(item, TYPE);
    const name = own ?? text(dataset, TYPE);
    const version = text(item, VERSION) ?? text(dataset, VERSION);
    if (name === undefined)
        return { origin: "envelope", findings: [] };
    const origin = own === undefined ? "dataset" : "item";
    const place = origin === "item" ? IN_ITEM : "";
    const known = versionsOf(name);
    if (!known)
        return unknown(place, TYPE, name, "unknown-schema-type", "schema type");
    if (version === undefined || !IS_VERSION.test(version))
        return chosen(name, newest(known), origin);
    if (Object.hasOwn(known, version))
        return chosen(name, version, origin);
    const ofMajor = Object.entries(known).filter(([other]) => other.split(".")[0] === version.split(".")[0]);
    const used = newest(Object.fromEntries(ofMajor));
    if (!used) {
        return unknown(place, VERSION, `${name}@${version}`, "unknown-schema-version", "version of a schema type");
    }
    const message = `${name}@${version} is not known here; checked against ${name}@${used}`;
    return chosen(name, used, origin, [finding("unknown-minor-version", message, `${place}/${VERSION}`, null, null, "advice")]);
}
function chosen(type, version, origin, findings = []) {
    const pair = table_js_1.TABLE.schema_types[type]?.[version];
    return pair ? { name: `${type}@${version}`, pair, origin, findings } : { origin, findings };
}
function disagreement(item, dataset) {
    return [TYPE, VERSION].flatMap((field) => {
        const own = text(item, field);
        const other = text(dataset, field);
        if (own === undefined || other === undefined || own === other)
            return [];
        if (field === VERSION && !(IS_VERSION.test(own) && IS_VERSION.test(other)))
            return [];
        const message = `the item declares ${field} ${(0, text_js_1.shown)(own)}, its dataset declares ${(0, text_js_1.shown)(other)}`;
        return [finding("declarations-disagree", message, `${IN_ITEM}/${field}`, (0, text_js_1.shown)(other), (0, text_js_1.shown)(own))];
    });
}
function unknown(place, field, value, code, thing) {
    const known = (0, text_js_1.shortList)("known: ", typeNames());
    const message = `${(0, text_js_1.shown)(value)} is not a known ${thing}; ${known}`;
    return { origin: "envelope", findings: [finding(code, message, `${place}/${field}`, known, (0, text_js_1.shown)(value))] };
}
function finding(code, message, pointer, expected, actual, severity = "error") {
    return { code, message, pointer, keyword: null, expected, actual, severity, contract: "" };
}
function byVersion(left, right) {
    const [a = 0, b = 0] = left.split(".").map(Number);
    const [c = 0, d = 0] = right.split(".").map(Number);
    return a - c || b - d;
}
},
"./json.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.MAX_DEPTH = void 0;
exports.parse = parse;
exports.parseLine = parseLine;
exports.offsets = offsets;
exports.step = step;
exports.stringify = stringify;
const source_js_1 = require("./source.js");
const table_js_1 = require("./table.js");
const text_js_1 = require("./text.js");
exports.MAX_DEPTH = table_js_1.TABLE.max_depth;
const SPACE = /[ \t\r\n]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const UNFINISHED_NUMBER = /^-?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?)?)?$/;
const UNFINISHED_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)?$/;
const WORD = /[-+.0-9a-zA-Z_]{1,80}/y;
const NOT_FINITE = new Set(["NaN", "-NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-inf"]);
const ESCAPES = {
    '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t",
};
const LITERALS = [["true", true], ["false", false], ["null", null]];
function parse(source) {
    return new Scanner((0, source_js_1.decoded)(source)).document();
}
function parseLine(text, line) {
    return new Scanner(text, undefined, line).document();
}
function offsets(text) {
    const found = new Map();
    new Scanner(text, found).document();
    return found;
}
function step(key) {
    return "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}
function stringify(value, indent = 0) {
    return write(value, indent, indent ? "\n" : "", 0);
}
function write(value, indent, line, depth) {
    if (value === null || typeof value === "boolean" || typeof value === "string")
        return JSON.stringify(value);
    if (typeof value === "bigint")
        return String(value);
    if (typeof value === "number" && Number.isFinite(value))
        return digits(value);
    if (typeof value !== "object")
        throw new TypeError(`${String(value)} is not a JSON value`);
    if (depth >= 1000)
        throw new TypeError("the value is nested too deep, or holds itself");
    const list = Array.isArray(value);
    const inner = line + " ".repeat(indent);
    const parts = list
        ? Array.from(value, (element) => write(element, indent, inner, depth + 1))
        : Object.entries(value)
            .filter(([, member]) => member !== undefined)
            .map(([key, member]) => JSON.stringify(key) + (indent ? ": " : ":") + write(member, indent, inner, depth + 1));
    const [open, close] = list ? "[]" : "{}";
    return parts.length ? `${open}${inner}${parts.join("," + inner)}${line}${close}` : `${open}${close}`;
}
function digits(value) {
    if (Object.is(value, -0))
        return "-0";
    const text = String(value);
    return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : BigInt(value).toString();
}
class Scanner {
    text;
    found;
    firstLine;
    at = 0;
    depth = 0;
    constructor(text, found, firstLine = 1) {
        this.text = text;
        this.found = found;
        this.firstLine = firstLine;
    }
    document() {
        if (!this.peek())
            throw (0, source_js_1.refusal)(this.text, 0, "empty-file", "the text holds no data");
        const value = this.value("");
        if (this.peek()) {
            const word = this.word();
            if (word === "\ufeff")
                throw this.unexpected("the end");
            const hint = "one JSON value only; several belong in a .jsonl file, one a line";
            throw this.refuse("trailing-content", `more after the end of the value: "${(0, text_js_1.visible)((0, text_js_1.cut)(word, 40))}"`, hint);
        }
        return value;
    }
    value(pointer) {
        const opening = this.peek();
        this.found?.set(pointer, this.at);
        if (opening === "{" || opening === "[") {
            if (this.depth >= exports.MAX_DEPTH) {
                throw this.refuse("too-deep", `nested deeper than ${exports.MAX_DEPTH} levels`, "flatten the value");
            }
            this.depth++;
            this.at++;
            const value = opening === "{" ? this.object(pointer) : this.array(pointer);
            this.depth--;
            return value;
        }
        if (opening === '"')
            return this.string();
        if (opening === "-" || (opening >= "0" && opening <= "9"))
            return this.number();
        for (const [word, value] of LITERALS) {
            if (this.text.startsWith(word, this.at)) {
                this.at += word.length;
                return value;
            }
        }
        const word = this.word();
        if (NOT_FINITE.has(word))
            throw this.refuse("not-finite", `${word} is not JSON`, "use null");
        if (word && this.at + word.length === this.text.length && LITERALS.some(([name]) => name.startsWith(word))) {
            throw (0, source_js_1.cutOff)(this.text, this.at, "inside a value");
        }
        throw this.unexpected("a value");
    }
    object(pointer) {
        const value = {};
        const seen = new Map();
        if (this.peek() === "}")
            return this.closed(value);
        do {
            if (this.peek() !== '"')
                throw this.unexpected("a property name in double quotes");
            const start = this.at;
            const key = this.string();
            const before = seen.get(key);
            if (before !== undefined) {
                const { line, column } = (0, source_js_1.position)(this.text, before);
                const first = `line ${line + this.firstLine - 1}, column ${column}`;
                const reason = `duplicate key "${(0, text_js_1.visible)((0, text_js_1.cut)(key))}", first at ${first}`;
                throw (0, source_js_1.refusal)(this.text, start, "duplicate-key", reason, "keep one of the two");
            }
            seen.set(key, start);
            if (this.peek() !== ":")
                throw this.unexpected("':'");
            this.at++;
            const member = this.value(pointer + (this.found ? step(key) : ""));
            if (key === "__proto__") {
                Object.defineProperty(value, key, { value: member, enumerable: true, configurable: true, writable: true });
            }
            else {
                value[key] = member;
            }
        } while (this.goesOn("}"));
        return value;
    }
    array(pointer) {
        const value = [];
        if (this.peek() === "]")
            return this.closed(value);
        do {
            value.push(this.value(pointer + (this.found ? step(value.length) : "")));
        } while (this.goesOn("]"));
        return value;
    }
    closed(value) {
        this.at++;
        return value;
    }
    goesOn(closing) {
        const following = this.peek();
        if (following !== "," && following !== closing)
            throw this.unexpected(`',' or '${closing}'`);
        const comma = this.at++;
        if (following === closing)
            return false;
        if (this.peek() === closing) {
            throw (0, source_js_1.refusal)(this.text, comma, "syntax", `a comma before '${closing}'`, "remove the comma");
        }
        return true;
    }
    string() {
        const start = this.at++;
        let value = "";
        for (;;) {
            value += this.match(PLAIN);
            const character = this.text[this.at];
            if (character === '"') {
                this.at++;
                return value;
            }
            if (character !== "\\") {
                if (character === undefined)
                    throw (0, source_js_1.cutOff)(this.text, start, "inside a string");
                const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
                throw this.refuse("syntax", `a raw control character U+${code} inside a string`, "write it as an escape");
            }
            value += this.escape(start);
        }
    }
    escape(start) {
        const rest = this.text.slice(this.at, this.at + 12);
        const letter = rest[1] ?? "";
        if (letter !== "u" && letter in ESCAPES) {
            this.at += 2;
            return ESCAPES[letter] ?? "";
        }
        const unicode = /^\\u([0-9a-fA-F]{4})/.exec(rest);
        const unit = parseInt(unicode?.[1] ?? "", 16);
        if (unicode && (unit < 0xd800 || unit > 0xdfff)) {
            this.at += 6;
            return String.fromCharCode(unit);
        }
        const pair = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(rest);
        if (pair) {
            this.at += 12;
            return String.fromCharCode(parseInt(pair[1] ?? "", 16), parseInt(pair[2] ?? "", 16));
        }
        if (this.at + rest.length === this.text.length && UNFINISHED_ESCAPE.test(rest)) {
            throw (0, source_js_1.cutOff)(this.text, start, "inside a string");
        }
        if (unicode) {
            const hint = "write both halves of the pair, or the character itself";
            throw this.refuse("lone-surrogate", `a lone surrogate ${unicode[0]} is half a character`, hint);
        }
        if (letter === "u")
            throw this.refuse("syntax", "\\u must be followed by four hexadecimal digits");
        throw this.refuse("syntax", `an unknown escape \\${(0, text_js_1.visible)(letter)} in a string`);
    }
    number() {
        NUMBER.lastIndex = this.at;
        const found = NUMBER.exec(this.text);
        const following = found ? (this.text[this.at + found[0].length] ?? "") : "";
        if (!found || /^[0-9a-zA-Z+\-._]$/.test(following)) {
            const rest = this.text.slice(this.at);
            if (UNFINISHED_NUMBER.test(rest))
                throw (0, source_js_1.cutOff)(this.text, this.at, "inside a number");
            const word = this.word();
            if (NOT_FINITE.has(word))
                throw this.refuse("not-finite", `${word} is not JSON`, "use null");
            throw this.refuse("syntax", `${(0, text_js_1.visible)(word)} is not a JSON number`);
        }
        const digits = found[0];
        const whole = found[1] === undefined && found[2] === undefined;
        const value = Number(digits);
        if (!Number.isFinite(value)) {
            const reason = `${(0, text_js_1.cut)(digits, 40)} is too large for a number: it would become Infinity`;
            throw this.refuse("not-finite", reason, "use null, or a number below 1.8e308");
        }
        this.at += digits.length;
        return whole && !Number.isSafeInteger(value) ? BigInt(digits) : value;
    }
    peek() {
        this.match(SPACE);
        return this.text[this.at] ?? "";
    }
    match(pattern) {
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text)?.[0] ?? "";
        this.at += found.length;
        return found;
    }
    word() {
        WORD.lastIndex = this.at;
        const point = this.text.codePointAt(this.at);
        return WORD.exec(this.text)?.[0] ?? (point === undefined ? "" : String.fromCodePoint(point));
    }
    refuse(code, reason, hint) {
        return (0, source_js_1.refusal)(this.text, this.at, code, reason, hint);
    }
    unexpected(expected) {
        const found = this.word();
        if (!found)
            return (0, source_js_1.cutOff)(this.text, this.at, `where ${expected} should be`);
        if (found === "\ufeff") {
            const reason = "a byte order mark in the middle of the file";
            return this.refuse("bom-in-the-middle", reason, "files were joined; remove the mark");
        }
        return this.refuse("syntax", `${expected} expected, found "${(0, text_js_1.visible)((0, text_js_1.cut)(found, 40))}"`);
    }
}
},
"./lines.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readLines = readLines;
const items_js_1 = require("./items.js");
const json_js_1 = require("./json.js");
const source_js_1 = require("./source.js");
const validate_js_1 = require("./validate.js");
async function* readLines(source, options = {}) {
    let number = 0;
    let seen = 0;
    for await (const bytes of splitLines(source, options.maxLineBytes ?? 256 * 2 ** 20)) {
        number++;
        const line = bytes instanceof Uint8Array ? judged(bytes, number, options) : tooLong(bytes, number);
        if (!line)
            continue;
        const fatal = seen++ === 0 && "fault" in line ? notLines(line) : undefined;
        yield fatal ?? line;
        if (fatal)
            return;
    }
    if (!seen)
        yield fault("empty-file", "the file holds no data", 1, "an empty file is never a success; write it again or leave it out");
}
function notLines({ line, text }) {
    if (/^[ \t\r\n]*[{[][ \t\r\n]*$/.test(text)) {
        const hint = "name it .json, or write one item a line";
        return fault("not-json-lines", "a JSON document over several lines, not JSON Lines", line, hint);
    }
    if (line === 1 && text.startsWith("version https://git-lfs.github.com/spec/")) {
        return fault("lfs-pointer", "the file is a Git LFS pointer, its data was not fetched", line, "run git lfs pull");
    }
    return undefined;
}
function fault(code, reason, line, hint) {
    return { line, text: "", fault: new source_js_1.ReadError(code, reason, line, 1, hint) };
}
function judged(bytes, line, options) {
    let text = "";
    try {
        text = (0, source_js_1.decoded)(bytes, line === 1);
        if (/^[ \t\r\n]*$/.test(text))
            return undefined;
        const value = (0, json_js_1.parseLine)(text, line);
        return { line, text, value, verdict: verdictOn(value, options) };
    }
    catch (error) {
        if (!(error instanceof source_js_1.ReadError))
            throw error;
        return { line, text, fault: new source_js_1.ReadError(error.code, error.reason, line + error.line - 1, error.column, error.hint) };
    }
}
function verdictOn(value, options) {
    if (options.contract === undefined)
        return (0, items_js_1.validateItem)(value, options.datasetMetadata, options.type);
    const violations = (0, validate_js_1.validate)(value, options.contract);
    return { contract: (0, validate_js_1.resolve)(options.contract), origin: "envelope", violations, valid: !violations.length };
}
function tooLong(limit, line) {
    const hint = "one item a line; raise the limit if it is meant to be that long";
    return fault("too-long", `a line of more than ${limit.toLocaleString("en")} bytes`, line, hint);
}
async function* splitLines(source, limit) {
    let parts = [];
    let size = 0;
    let blank = true;
    const take = (part) => {
        size += part.length;
        blank &&= isBlank(part);
        if (size <= limit + 1)
            parts.push(part);
        else
            parts = [];
    };
    const finish = (end) => {
        const whole = size - end <= limit ? joined(parts, size) : blank ? new Uint8Array() : limit;
        parts = [];
        size = 0;
        blank = true;
        return whole;
    };
    for await (const chunk of source) {
        let start = 0;
        for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
            take(chunk.subarray(start, end + 1));
            yield finish(1);
            start = end + 1;
        }
        if (start < chunk.length)
            take(chunk.slice(start));
    }
    if (size)
        yield finish(0);
}
function isBlank(bytes) {
    return bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 10) || byte === 13);
}
function joined(parts, size) {
    if (parts.length === 1 && parts[0])
        return parts[0];
    const whole = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}
},
"./report.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.asText = asText;
exports.asJson = asJson;
const text_js_1 = require("./text.js");
function asText(run) {
    const lines = run.violations.flatMap((found) => {
        const where = [found.file, found.line, found.column].filter((part) => part !== null).join(":");
        const item = found.item_id ? ` [${(0, text_js_1.visible)(found.item_id)}]` : "";
        const pointer = found.pointer ? ` ${(0, text_js_1.visible)(found.pointer)}` : "";
        const said = `${(0, text_js_1.visible)(where)}: ${found.severity}${item}${pointer}: ${(0, text_js_1.visible)(found.message)} [${found.code}]`;
        return found.hint ? [said, `  hint: ${(0, text_js_1.visible)(found.hint)}`] : [said];
    });
    if (run.unlisted)
        lines.push(`and ${run.unlisted} more`);
    lines.push(...run.unreadable.map(({ file, reason }) => `error: ${(0, text_js_1.visible)(file)}: ${(0, text_js_1.visible)(reason)}`));
    if (lines.length)
        lines.push("");
    if (run.files.length)
        lines.push(...table(run.files), ...unseen(run.files));
    const [items, errors, files] = [run.total("items"), run.total("errors"), run.files.length];
    const counts = `${counted(items, "item")} in ${counted(files, "file")}`;
    lines.push(run.exitCode ? `failed: ${counts}, ${counted(errors, "error")}` : `ok: ${counts}`);
    return lines.join("\n") + "\n";
}
function unseen(files) {
    const judged = files.filter(({ kind }) => kind === "items" || kind === "dataset");
    const counts = judged.flatMap(({ contracts }) => Object.entries(contracts));
    const plain = counts.filter(([name]) => name.startsWith("evaluation_item@"));
    const items = plain.reduce((sum, [, count]) => sum + count, 0);
    if (!items)
        return [];
    return [
        `note: no schema type applies to ${counted(items, "item")}, so that input and expected_output may hold anything: ` +
            "declare input_schema_type in an item's metadata.raw_metadata or in the dataset's metadata",
    ];
}
function table(files) {
    const rows = [["file", "items", "invalid", "errors", "advices", "checked against"]];
    for (const file of files) {
        const contracts = Object.entries(file.contracts).map(([name, count]) => `${name} (${counted(count, "item")})`);
        const numbers = [file.items, file.invalid, file.errors, file.advices].map((number) => number.toLocaleString("en"));
        rows.push([(0, text_js_1.visible)(file.file), ...numbers, contracts.join(", ") || "nothing"]);
    }
    const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    return rows.map((row) => row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd());
}
function counted(number, thing) {
    return `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;
}
function asJson(run) {
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
},
"./run.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.FileCheck = exports.Run = void 0;
exports.isObject = isObject;
const json_js_1 = require("./json.js");
const source_js_1 = require("./source.js");
const text_js_1 = require("./text.js");
class Run {
    contract;
    max;
    type;
    files = [];
    violations = [];
    unreadable = [];
    unlisted = 0;
    constructor(contract, max, type) {
        this.contract = contract;
        this.max = max;
        this.type = type;
    }
    open(file, kind) {
        const result = { file, kind, items: 0, invalid: 0, errors: 0, advices: 0, contracts: {}, complete: true };
        this.files.push(result);
        return new FileCheck(this, result);
    }
    total(key) {
        return this.files.reduce((sum, file) => sum + file[key], 0);
    }
    get exitCode() {
        return this.unreadable.length ? 2 : this.total("errors") ? 1 : 0;
    }
}
exports.Run = Run;
class FileCheck {
    run;
    result;
    seen = new Map();
    located;
    constructor(run, result) {
        this.run = run;
        this.result = result;
    }
    document(value, verdict, text, firstLine, at = "") {
        const { result } = this;
        result.items++;
        result.contracts[verdict.contract] = (result.contracts[verdict.contract] ?? 0) + 1;
        const itemId = idOf(value);
        const violations = [...verdict.violations];
        const repeats = [];
        for (const key of keysOf(value)) {
            const first = this.seen.get(key.text);
            if (first === undefined)
                this.seen.set(key.text, result.items);
            else
                repeats.push(repeated(key, first));
        }
        violations.push(...repeats.slice(0, 1));
        if (!violations.length)
            return;
        const places = this.full ? undefined : this.placesIn(text);
        const placed = violations.map((violation) => this.placed(violation, itemId, text, firstLine, at, places));
        placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
        this.add(placed);
        if (violations.some((violation) => violation.severity === "error"))
            result.invalid++;
    }
    whole(violations, text) {
        const places = violations.length && !this.full ? this.placesIn(text) : undefined;
        this.add(violations.map((violation) => this.placed(violation, null, text, 1, "", places)));
    }
    fault(fault, isItem) {
        if (isItem) {
            this.result.items++;
            this.result.invalid++;
        }
        this.add([{ ...plain(fault.code, fault.reason), hint: fault.hint ?? null, ...this.here(fault.line, fault.column) }]);
    }
    nothing(code, message, hint) {
        this.add([{ ...plain(code, message), hint, ...this.here(null, null) }]);
        if (code !== "nothing-checked")
            this.result.complete = false;
    }
    placesIn(text) {
        if (this.located?.text !== text)
            this.located = { text, places: (0, json_js_1.offsets)(text) };
        return this.located.places;
    }
    get full() {
        return this.run.violations.length >= this.run.max;
    }
    here(line, column) {
        return { item_id: null, file: this.result.file, line, column };
    }
    placed(violation, itemId, text, firstLine, at, places) {
        const hint = HINTS[violation.code] ?? null;
        const found = { ...violation, hint, item_id: itemId };
        if (!places)
            return { ...found, file: this.result.file, line: null, column: null };
        const missing = violation.keyword === "required";
        const pointer = at + (missing ? violation.pointer.replace(/\/[^/]*$/, "") : violation.pointer);
        const { line, column } = (0, source_js_1.position)(text, places.get(pointer) ?? places.get(at) ?? 0);
        return { ...found, file: this.result.file, line: line + firstLine - 1, column };
    }
    add(found) {
        for (const violation of found) {
            if (violation.severity === "advice")
                this.result.advices++;
            else
                this.result.errors++;
            if (this.full)
                this.run.unlisted++;
            else
                this.run.violations.push(violation);
        }
    }
}
exports.FileCheck = FileCheck;
function plain(code, message) {
    const nothing = { pointer: "", keyword: null, expected: null, actual: null };
    return { code, message, ...nothing, severity: "error", contract: "" };
}
const RECORDS = { prediction: "prediction", scores: "score record" };
const HINTS = {
    "duplicate-item-id": "give each item an id of its own",
    "duplicate-prediction": "keep one of them, or number them with repetition",
    "duplicate-score-record": "keep one of them, or number them with repetition",
};
function keysOf(value) {
    const itemId = idOf(value);
    if (itemId === null || !isObject(value))
        return [];
    const kind = Object.entries(RECORDS).find(([name]) => name in value);
    if (!kind)
        return [{ text: itemId, itemId }];
    const run = typeof value["run_id"] === "string" ? value["run_id"] : "";
    const repetition = String(value["repetition"] ?? 1);
    return (kind[0] === "scores" ? evaluators(value["scores"]) : [[]]).map((by) => ({
        text: JSON.stringify([itemId, ...kind, run, repetition, ...by]),
        itemId,
        record: { thing: kind[1], repetition, by },
    }));
}
function evaluators(scores) {
    const named = new Set();
    for (const score of isObject(scores) ? Object.values(scores) : []) {
        const evaluator = isObject(score) ? score["evaluator"] : undefined;
        if (isObject(score))
            named.add(typeof evaluator === "string" ? evaluator : null);
    }
    const own = named.delete(null) || named.size === 0;
    return [...(own ? [[]] : []), ...[...named].sort().map((name) => [name])];
}
function repeated({ itemId, record }, first) {
    const shared = { pointer: "/item_id", actual: (0, text_js_1.shown)(itemId) };
    if (!record) {
        const message = `item_id ${(0, text_js_1.shown)(itemId)} is already used by item ${first} of the file`;
        return { ...plain("duplicate-item-id", message), ...shared, expected: "an id that is unique in the dataset" };
    }
    const { thing, repetition, by } = record;
    const scorer = by[0] === undefined ? "" : ` by ${(0, text_js_1.shown)(by[0], 60)}`;
    const which = (repetition === "1" ? "" : ` for repetition ${repetition}`) + scorer;
    const message = `item ${(0, text_js_1.shown)(itemId)} already has a ${thing}${which}, record ${first} of the file`;
    const expected = `one ${thing} for an item and repetition`;
    return { ...plain(`duplicate-${thing.replace(" ", "-")}`, message), ...shared, expected };
}
function idOf(value) {
    const id = isObject(value) ? value["item_id"] : null;
    return typeof id === "string" ? id : null;
}
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
},
"./source.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ReadError = void 0;
exports.decoded = decoded;
exports.position = position;
exports.refusal = refusal;
exports.cutOff = cutOff;
const LONE = /[\ud800-\udfff]/u;
class ReadError extends Error {
    code;
    reason;
    line;
    column;
    hint;
    constructor(code, reason, line, column, hint) {
        super(`${line}:${column}: ${reason}`);
        this.code = code;
        this.reason = reason;
        this.line = line;
        this.column = column;
        this.hint = hint;
        this.name = "ReadError";
    }
}
exports.ReadError = ReadError;
function decoded(source, isStart = true) {
    const text = typeof source === "string" ? source : decodedBytes(source);
    const lone = LONE.exec(text);
    if (lone)
        throw refusal(text, lone.index, "lone-surrogate", "a lone surrogate is half a character");
    return isStart && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
function position(text, offset) {
    const start = text.lastIndexOf("\n", offset - 1) + 1;
    let line = 1;
    for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
        line++;
    return { line, column: [...text.slice(start, offset)].length + 1 };
}
function decodedBytes(bytes) {
    try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    }
    catch {
        const good = validPrefix(bytes);
        const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, good));
        const lead = bytes[good] ?? 0;
        const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (lead >= 0xc2 && lead <= 0xf4 && good + size > bytes.length && continues(bytes, good + 1, bytes.length)) {
            throw cutOff(before, before.length, "inside a character");
        }
        const isSurrogate = lead === 0xed && (bytes[good + 1] ?? 0) >= 0xa0 && (bytes[good + 1] ?? 0) <= 0xbf;
        const byte = `byte 0x${lead.toString(16).padStart(2, "0")} is not valid UTF-8 here`;
        const reason = isSurrogate ? "a lone surrogate encoded as UTF-8" : byte;
        throw refusal(before, before.length, "invalid-utf8", reason, "save the file as UTF-8");
    }
}
function continues(bytes, from, to) {
    return bytes.subarray(from, to).every((byte) => byte >= 0x80 && byte <= 0xbf);
}
function validPrefix(bytes) {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    for (let at = 0;;) {
        const lead = bytes[at];
        if (lead === undefined)
            return at;
        const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        try {
            if (size > 1)
                decoder.decode(bytes.subarray(at, at + size));
        }
        catch {
            return at;
        }
        at += size;
    }
}
function refusal(text, offset, code, reason, hint) {
    const { line, column } = position(text, offset);
    return new ReadError(code, reason, line, column, hint);
}
function cutOff(text, offset, where) {
    return refusal(text, offset, "truncated", `the text ends ${where}`, "the end is missing; write the file again");
}
},
"./text.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.cut = cut;
exports.visible = visible;
exports.actual = actual;
exports.short = short;
exports.shown = shown;
exports.shortList = shortList;
exports.isInteger = isInteger;
const LIMIT = 80;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
function cut(text, limit = LIMIT) {
    if (text.length <= limit)
        return text;
    const characters = [...text.slice(0, 2 * limit + 2)];
    return characters.length <= limit ? text : characters.slice(0, limit - 1).join("") + "…";
}
function visible(text) {
    return text.replace(UNPRINTABLE, (found) => "\\u" + code(found, 4));
}
function actual(value) {
    if (value === null)
        return "null";
    if (typeof value === "boolean")
        return `boolean ${value}`;
    if (typeof value === "string")
        return `string ${short(value, LIMIT - 7)}`;
    if (typeof value === "bigint" || typeof value === "number") {
        return `${isInteger(value) && !huge(value) ? "integer" : "number"} ${short(value)}`;
    }
    if (Array.isArray(value))
        return `array of ${value.length}`;
    const keys = Object.keys(Object(value));
    return keys.length ? cut(visible("object with " + keys.slice(0, LIMIT).join(", "))) : "empty object";
}
function short(value, limit = LIMIT) {
    if (typeof value === "string")
        return cut(JSON.stringify(cutRaw(value, limit + 1)), limit);
    if (typeof value === "number")
        return numeral(value);
    return typeof value === "object" && value !== null ? actual(value) : cut(String(value), limit);
}
function shown(name, limit = LIMIT) {
    const text = cutRaw(name, limit + 1);
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    const escaped = text
        .replaceAll("\\", "\\\\")
        .replaceAll(quote, "\\" + quote)
        .replaceAll("\n", "\\n")
        .replaceAll("\r", "\\r")
        .replaceAll("\t", "\\t")
        .replace(UNPRINTABLE, (found) => {
        const point = found.codePointAt(0) ?? 0;
        return point < 0x100 ? "\\x" + code(found, 2) : point < 0x10000 ? "\\u" + code(found, 4) : "\\U" + code(found, 8);
    });
    return cut(quote + escaped + quote, limit);
}
function shortList(prefix, words, between = ", ") {
    return cut(prefix + words.join(", ")).replaceAll(", ", between);
}
function isInteger(value) {
    return typeof value === "bigint" || Number.isInteger(value);
}
function huge(value) {
    return typeof value === "number" && !Number.isSafeInteger(value);
}
function numeral(value) {
    const [digits = "", exponent = "0"] = value.toExponential().split("e");
    const power = Number(exponent);
    if (Number.isSafeInteger(value) || (power >= -4 && power < 16))
        return String(value);
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
function cutRaw(text, length) {
    return text.length <= length ? text : [...text.slice(0, 2 * length)].slice(0, length).join("");
}
function code(character, width) {
    return (character.codePointAt(0) ?? 0).toString(16).padStart(width, "0");
}
},
"./validate.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ContractError = void 0;
exports.validate = validate;
exports.is = is;
exports.decode = decode;
exports.resolve = resolve;
exports.judge = judge;
const json_js_1 = require("./json.js");
const table_js_1 = require("./table.js");
const text_js_1 = require("./text.js");
class ContractError extends Error {
    contract;
    violations;
    constructor(contract, violations) {
        const lines = violations.slice(0, 5).map((found) => `\n  ${found.pointer || "(document)"}: ${found.message}`);
        super(`the value breaks ${contract}:${lines.join("")}`);
        this.contract = contract;
        this.violations = violations;
        this.name = "ContractError";
    }
}
exports.ContractError = ContractError;
function validate(value, contract) {
    const name = resolve(contract);
    return judge(value, { $ref: name }, name);
}
function is(value, contract) {
    return validate(value, contract).length === 0;
}
function decode(value, contract) {
    const violations = validate(value, contract);
    if (violations.length)
        throw new ContractError(resolve(contract), violations);
    return value;
}
function resolve(name) {
    const newest = Object.hasOwn(table_js_1.TABLE.newest, name) ? `${name}@${table_js_1.TABLE.newest[name]}` : name;
    if (!Object.hasOwn(table_js_1.TABLE.contracts, newest))
        throw new RangeError(`there is no contract ${name}`);
    return newest;
}
function judge(value, schema, contract) {
    const found = new Map();
    const add = (pointer, keyword, code, expected, value, message) => {
        const key = `${keyword} ${pointer}`;
        if (found.has(key))
            return;
        const got = keyword === "required" ? "nothing" : (0, text_js_1.actual)(value);
        message ??= `expected ${expected}, got ${got}`;
        found.set(key, { code, message, pointer, keyword, expected, actual: got, severity: "error", contract });
    };
    notJson(value, "", 0, (pointer, expected, odd) => {
        const got = String(odd).slice(0, 80);
        const message = `expected ${expected}, got ${got}`;
        const violation = { code: "not-json", message, pointer, keyword: null, expected, actual: got };
        found.set(pointer, { ...violation, severity: "error", contract });
    });
    if (!found.size)
        check(schema, value, "", add);
    return [...found.values()];
}
function notJson(value, at, depth, add) {
    if (value === null || typeof value === "boolean" || typeof value === "bigint")
        return;
    if (typeof value === "string") {
        if (/[\ud800-\udfff]/u.test(value))
            add(at, "a string without lone surrogates", JSON.stringify(value));
    }
    else if (typeof value === "number") {
        if (!Number.isFinite(value))
            add(at, "a finite number", value);
    }
    else if (typeof value !== "object" || (!Array.isArray(value) && !isPlain(value))) {
        add(at, "a JSON value", typeof value === "object" ? Object.prototype.toString.call(value) : value);
    }
    else if (depth >= table_js_1.TABLE.max_depth) {
        add(at, `nesting of at most ${table_js_1.TABLE.max_depth} levels`, "more, or a cycle");
    }
    else if (Array.isArray(value)) {
        Array.from(value).forEach((element, index) => notJson(element, at + (0, json_js_1.step)(index), depth + 1, add));
    }
    else {
        for (const [key, member] of Object.entries(value)) {
            if (member !== undefined)
                notJson(member, at + (0, json_js_1.step)(key), depth + 1, add);
        }
    }
}
function isPlain(value) {
    return Object.prototype.toString.call(value) === "[object Object]";
}
function kindOf(value) {
    if (value === null)
        return "null";
    if (Array.isArray(value))
        return "array";
    return typeof value === "bigint" ? "number" : typeof value;
}
function hasType(value, types) {
    return types.includes(kindOf(value)) || ((0, text_js_1.isInteger)(value) && types.includes("integer"));
}
function check(schema, value, at, add) {
    if (schema.$ref !== undefined)
        check(target(schema.$ref), value, at, add);
    for (const keyword of Object.keys(schema)) {
        KEYWORDS[keyword]?.(schema, value, at, add);
    }
}
function target(name) {
    return table_js_1.TABLE.contracts[name] ?? {};
}
const patterns = new Map();
const KEYWORDS = {
    type(schema, value, at, add) {
        if (!hasType(value, [schema.type].flat()))
            add(at, "type", "wrong-type", expectedType(schema), value);
    },
    enum(schema, value, at, add) {
        if (schema.enum.some((member) => member === value || ((0, text_js_1.isInteger)(value) && Number(value) === member)))
            return;
        const members = schema.enum.map((member) => (0, text_js_1.short)(member, 30));
        add(at, "enum", "not-allowed", (0, text_js_1.shortList)("one of ", members), value);
    },
    allOf(schema, value, at, add) {
        for (const part of schema.allOf)
            check(part, value, at, add);
    },
    anyOf(schema, value, at, add) {
        const failures = schema.anyOf.map((branch) => {
            const found = [];
            check(branch, value, at, (...failure) => found.push(failure));
            return found;
        });
        if (failures.some((found) => !found.length))
            return;
        const wrongType = (failure) => failure[0] === at && /^(type|enum)$/.test(failure[1]);
        const meant = failures.filter((found) => !found.some(wrongType));
        if (meant.length === 1) {
            for (const failure of meant[0] ?? [])
                add(...failure);
            return;
        }
        const types = new Set(schema.anyOf.map((branch) => (branch.$ref ? "object" : expectedType(branch))));
        const allTypes = failures.flat().every((failure) => failure[1] === "type");
        const code = allTypes ? "wrong-type" : "no-alternative";
        add(at, allTypes ? "type" : "anyOf", code, (0, text_js_1.shortList)("", [...types], " or "), value);
    },
    properties(schema, value, at, add) {
        for (const [name, part] of members(value)) {
            const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
            if (property)
                check(property, part, at + (0, json_js_1.step)(name), add);
        }
    },
    additionalProperties(schema, value, at, add) {
        for (const [name, part] of members(value)) {
            if (!Object.hasOwn(schema.properties ?? {}, name))
                check(schema.additionalProperties, part, at + (0, json_js_1.step)(name), add);
        }
    },
    required(schema, value, at, add) {
        if (kindOf(value) !== "object")
            return;
        const present = new Set(members(value).map(([name]) => name));
        for (const name of schema.required) {
            if (present.has(name))
                continue;
            const wanted = schema.properties?.[name];
            const typed = wanted?.$ref ? target(wanted.$ref) : wanted;
            const expected = typed?.type ? expectedType(typed) : "a value";
            const message = `${name} is required but missing, expected ${expected}`;
            add(at + (0, json_js_1.step)(name), "required", "missing-property", expected, value, message);
        }
    },
    items(schema, value, at, add) {
        if (Array.isArray(value))
            value.forEach((element, index) => check(schema.items, element, at + (0, json_js_1.step)(index), add));
    },
    minLength(schema, value, at, add) {
        const least = schema.minLength;
        if (typeof value === "string" && value.length < 2 * least && length(value) < least) {
            add(at, "minLength", "too-short", count("at least", least, "character"), value);
        }
    },
    maxLength(schema, value, at, add) {
        const most = schema.maxLength;
        if (typeof value === "string" && value.length > most && length(value) > most) {
            add(at, "maxLength", "too-long", count("at most", most, "character"), value);
        }
    },
    minItems(schema, value, at, add) {
        if (Array.isArray(value) && value.length < schema.minItems) {
            add(at, "minItems", "too-few-items", count("at least", schema.minItems, "item"), value);
        }
    },
    maxItems(schema, value, at, add) {
        if (Array.isArray(value) && value.length > schema.maxItems) {
            add(at, "maxItems", "too-many-items", count("at most", schema.maxItems, "item"), value);
        }
    },
    minimum(schema, value, at, add) {
        if (kindOf(value) === "number" && value < schema.minimum) {
            add(at, "minimum", "too-small", `at least ${(0, text_js_1.short)(schema.minimum)}`, value);
        }
    },
    maximum(schema, value, at, add) {
        if (kindOf(value) === "number" && value > schema.maximum) {
            add(at, "maximum", "too-large", `at most ${(0, text_js_1.short)(schema.maximum)}`, value);
        }
    },
    pattern(schema, value, at, add) {
        let pattern = patterns.get(schema.pattern);
        if (!pattern)
            patterns.set(schema.pattern, (pattern = new RegExp(schema.pattern, "u")));
        if (typeof value === "string" && !pattern.test(value)) {
            add(at, "pattern", "pattern-mismatch", `text matching ${schema.pattern}`, value);
        }
    },
};
function members(value) {
    if (kindOf(value) !== "object")
        return [];
    return Object.entries(value).filter(([, member]) => member !== undefined);
}
function length(text) {
    let count = 0;
    for (const _ of text)
        count++;
    return count;
}
function count(word, number, thing) {
    return `${word} ${number} ${thing}${number === 1 ? "" : "s"}`;
}
function expectedType(schema) {
    const { items } = schema;
    const of = items?.$ref ? "object" : typeof items?.type === "string" ? items.type : undefined;
    const names = [schema.type ?? []].flat().map((name) => (name === "array" && of ? `array of ${of}s` : name));
    return names.join(" or ") || "another value";
}
},
"./worker.js": (exports, require) => {
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const check_js_1 = require("./check.js");
const report_js_1 = require("./report.js");
const run_js_1 = require("./run.js");
const MOST = 1000;
const LINES = /\.(jsonl|ndjson)$/i;
const READ = /\.(json|jsonl|ndjson)$/i;
const STEP = 100;
const page = globalThis;
class Told extends run_js_1.Run {
    last = 0;
    bytes = 0;
    of = 0;
    phase = "reading";
    begin(of) {
        Object.assign(this, { bytes: 0, of, phase: "reading" });
    }
    open(file, kind) {
        const result = super.open(file, kind).result;
        const told = () => this.said(file);
        return new (class extends run_js_1.FileCheck {
            document(...given) {
                super.document(...given);
                told();
            }
        })(this, result);
    }
    async *read(file, content) {
        const reader = content.stream().getReader();
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
            yield chunk.value;
            this.bytes += chunk.value.length;
            this.said(file);
        }
    }
    async whole(file, content) {
        const bytes = new Uint8Array(content.size);
        let at = 0;
        for await (const chunk of this.read(file, content)) {
            bytes.set(chunk, at);
            at += chunk.length;
        }
        this.phase = "judging";
        this.said(file, true);
        return bytes;
    }
    said(file, now = false) {
        const time = Date.now();
        if (!now && time - this.last < STEP)
            return;
        this.last = time;
        const { phase, bytes, of } = this;
        page.postMessage({ file, phase, bytes, of, items: this.total("items") });
    }
}
async function check({ files, contract }) {
    const run = new Told(contract ?? undefined, MOST);
    const named = new Map(files.map(({ name, content }) => [name, content]));
    for (const { name, content } of files) {
        if (!READ.test(name)) {
            const reason = "the suffix names no format that is read here: .json, .jsonl and .ndjson are";
            run.unreadable.push({ file: name, reason });
            continue;
        }
        try {
            run.begin(content.size);
            if (LINES.test(name)) {
                const opened = run.open(name, (0, check_js_1.kindOf)(run));
                const beside = named.get(name.replace(LINES, "") + ".metadata.json");
                const metadata = beside && new Uint8Array(await beside.arrayBuffer());
                await (0, check_js_1.checkLines)(run, opened, run.read(name, content), metadata);
            }
            else {
                const stem = name.replace(/\.metadata\.json$/, "");
                const isMetadata = stem !== name && [".jsonl", ".ndjson"].some((end) => named.has(stem + end));
                await (0, check_js_1.checkJson)(run, name, await run.whole(name, content), isMetadata);
            }
        }
        catch (error) {
            run.unreadable.push({ file: name, reason: String(error).slice(0, 200) });
        }
    }
    return (0, report_js_1.asJson)(run);
}
page.onmessage = ({ data }) => {
    check(data).then((report) => page.postMessage({ report }), (error) => page.postMessage({ failure: String(error).slice(0, 200) }));
};
},
"./table.js": (exports) => (exports.TABLE = TABLE),
};
const loaded = {};
function load(name) {
  if (!(name in loaded)) modules[name]((loaded[name] = {}), load);
  return loaded[name];
}
load("./worker.js");
