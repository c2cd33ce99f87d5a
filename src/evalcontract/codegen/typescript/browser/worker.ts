/** The check as a worker of a page: gets files, says how far it is, gives the report of the command. */

import { checkJson, checkLines, kindOf } from "./check.js";
import { asJson } from "./report.js";
import { FileCheck, Run } from "./run.js";
import type { ContractName } from "./types.js";

/** What a page asks for. */
interface Asked {
  readonly files: readonly { readonly name: string; readonly content: Blob }[];
  readonly contract: ContractName | null;
}

/** What a page hears: how far a file is, or at the end the report. */
type Said =
  | { readonly file: string; readonly phase: "reading" | "judging"; readonly bytes: number; readonly of: number; readonly items: number }
  | { readonly report: string }
  | { readonly failure: string };

interface Page {
  onmessage: ((event: { readonly data: Asked }) => void) | null;
  postMessage(said: Said): void;
}

const MOST = 1000;
const LINES = /\.(jsonl|ndjson)$/i;
const READ = /\.(json|jsonl|ndjson)$/i;
const STEP = 100; // milliseconds
const page = globalThis as unknown as Page;

/** A run that says how far it is. */
class Told extends Run {
  private last = 0;
  private bytes = 0;
  private of = 0;
  private phase: "reading" | "judging" = "reading";

  begin(of: number): void {
    Object.assign(this, { bytes: 0, of, phase: "reading" });
  }

  override open(file: string, kind: string): FileCheck {
    const result = super.open(file, kind).result;
    const told = () => this.said(file);
    return new (class extends FileCheck {
      override document(...given: Parameters<FileCheck["document"]>): void {
        super.document(...given);
        told();
      }
    })(this, result);
  }

  async *read(file: string, content: Blob): AsyncGenerator<Uint8Array> {
    const reader = content.stream().getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      yield chunk.value;
      this.bytes += chunk.value.length;
      this.said(file);
    }
  }

  /** All bytes of a file that is judged when it is read. */
  async whole(file: string, content: Blob): Promise<Uint8Array> {
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

  private said(file: string, now = false): void {
    const time = Date.now();
    if (!now && time - this.last < STEP) return;
    this.last = time;
    const { phase, bytes, of } = this;
    page.postMessage({ file, phase, bytes, of, items: this.total("items") });
  }
}

async function check({ files, contract }: Asked): Promise<string> {
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
        const opened = run.open(name, kindOf(run));
        const beside = named.get(name.replace(LINES, "") + ".metadata.json");
        const metadata = beside && new Uint8Array(await beside.arrayBuffer());
        await checkLines(run, opened, run.read(name, content), metadata);
      } else {
        const stem = name.replace(/\.metadata\.json$/, "");
        const isMetadata = stem !== name && [".jsonl", ".ndjson"].some((end) => named.has(stem + end));
        await checkJson(run, name, await run.whole(name, content), isMetadata);
      }
    } catch (error) {
      run.unreadable.push({ file: name, reason: String(error).slice(0, 200) });
    }
  }
  return asJson(run);
}

page.onmessage = ({ data }) => {
  check(data).then(
    (report) => page.postMessage({ report }),
    (error: unknown) => page.postMessage({ failure: String(error).slice(0, 200) }),
  );
};
