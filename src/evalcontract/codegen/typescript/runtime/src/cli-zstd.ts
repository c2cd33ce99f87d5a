/** Unpacks zstd, where this Node can: frame by frame, since Node reads one and says nothing of a missing end. */

import * as zlib from "node:zlib";

/** What Node 22.15 and later have; the types are those of a Node before. */
interface Zstd {
  createZstdDecompress(): zlib.Gunzip;
  zstdDecompressSync(bytes: Uint8Array, options: { maxOutputLength: number }): Uint8Array;
}

const node = "createZstdDecompress" in zlib ? (zlib as unknown as Zstd) : undefined;

/** Whether this Node unpacks zstd. */
export const readsZstd = node !== undefined;

const MAGIC = 0xfd2fb528;
const SKIPPED = 0x184d2a50; // and the fifteen after it

/** The error of a file that ends inside a frame, with the kind of code that zlib's errors have. */
class CutOff extends Error {
  readonly code = "ZSTD_cut_off";
  constructor() {
    super("unexpected end of file");
  }
}

/** The content of every frame, in chunks; throws behind what could be read. */
export async function* unpackedFrames(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const [frame, whole] of frames(bytes)) {
    const stream = node?.createZstdDecompress();
    stream?.end(frame);
    if (stream) yield* stream as AsyncIterable<Uint8Array>;
    if (!whole) throw new CutOff();
  }
}

/** The content of all frames, of at most `limit` bytes together. */
export function unpackedAtOnce(bytes: Uint8Array, limit: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let left = limit;
  for (const [frame, whole] of frames(bytes)) {
    if (!whole) throw new CutOff();
    const part = node?.zstdDecompressSync(frame, { maxOutputLength: Math.max(left, 1) }) ?? frame;
    left -= part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Each frame that has content, and whether it is there to its end. What is no frame is left to the decompressor. */
function* frames(bytes: Uint8Array): Generator<[Uint8Array, boolean], void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return yield [bytes.subarray(at), false];
    const magic = view.getUint32(at, true);
    const isSkipped = magic - (magic % 16) === SKIPPED;
    const end = isSkipped ? skippedEnd(view, at) : magic === MAGIC ? frameEnd(view, at) : bytes.length;
    const whole = end <= bytes.length;
    if (!isSkipped || !whole) yield [bytes.subarray(at, end), whole];
    at = end;
  }
}

function skippedEnd(view: DataView, at: number): number {
  return at + 8 > view.byteLength ? Infinity : at + 8 + view.getUint32(at + 4, true);
}

/** The offset behind a frame, Infinity when its end is missing (RFC 8878, 3.1.1). */
function frameEnd(view: DataView, start: number): number {
  if (start + 5 > view.byteLength) return Infinity;
  const descriptor = view.getUint8(start + 4);
  const isSingle = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const contentSize = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  let at = start + 5 + (isSingle ? 0 : 1) + dictionary + contentSize;
  while (at + 3 <= view.byteLength) {
    const block = view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
    at += 3 + ((block >> 1) % 4 === 1 ? 1 : block >> 3);
    if (block % 2) {
      const end = at + (descriptor & 4 ? 4 : 0);
      return end <= view.byteLength ? end : Infinity;
    }
  }
  return Infinity;
}
