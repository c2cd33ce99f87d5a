// Reads {schema, texts} from standard input; prints what VS Code's JSON service says of each text, and what it completes.
const { getLanguageService, TextDocument } = require("vscode-json-languageservice");

const { schema, texts, complete } = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
const service = getLanguageService({ schemaRequestService: async (uri) => { throw new Error(`asked for ${uri}`); } });
service.configure({ validate: true, schemas: [{ uri: "schema://data", fileMatch: ["*.json"], schema }] });

async function diagnose(text) {
  const document = TextDocument.create("file:///one.json", "json", 1, text);
  const found = await service.doValidation(document, service.parseJSONDocument(document));
  return found.map(({ range, message }) => [document.getText(range), message]);
}

async function completed({ text, at }) {
  const document = TextDocument.create("file:///one.json", "json", 1, text);
  const list = await service.doComplete(document, document.positionAt(at), service.parseJSONDocument(document));
  return list.items.map((item) => item.label);
}

Promise.all([Promise.all(texts.map(diagnose)), Promise.all(complete.map(completed))]).then(([diagnostics, completions]) =>
  process.stdout.write(JSON.stringify({ diagnostics, completions })),
);
