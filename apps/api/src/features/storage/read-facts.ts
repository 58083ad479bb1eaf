import { imageSize } from 'image-size';
import { open, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { videoFacts } from './video-facts.ts';

/** Metadata of a file's content, except the duration of audio. */
export interface ContentFacts {
  /** In pixels, of an image or a video. */
  width?: number;
  height?: number;
  /** Of a video, in seconds, rounded up. */
  duration?: number;
  /** Of a PDF. */
  pages?: number;
}

/** Bytes of an image that are read. Previews and colour profiles before the size are rarely longer. */
const IMAGE_HEAD_BYTES = 512 * 1024;

/** Reads the metadata of a file; unknown fields are omitted. The work is bounded for hostile files. */
export async function readFacts(path: string, type: string): Promise<ContentFacts> {
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return sizeOf(await headOf(path));
  if (type.startsWith('video/') || type === 'audio/mp4') return videoFacts(path);
  if (type !== 'application/pdf') return {};
  const pages = await pageCount(await readFile(path));
  return pages ? { pages } : {};
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(IMAGE_HEAD_BYTES),
      0,
      IMAGE_HEAD_BYTES,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function sizeOf(head: Buffer): ContentFacts {
  try {
    const { width, height } = imageSize(head);
    return width > 0 && height > 0 ? { width, height } : {};
  } catch {
    // Truncated, or not an image after its first bytes.
    return {};
  }
}

const inflated = promisify(inflate);
/** Limits for nodes of page trees and compressed objects of a PDF. */
const MAX_NODES = 2000;
const MAX_PACKED = 32;
const MAX_UNPACKED = 1024 * 1024;
const AROUND = 4096;

/**
 * The number of pages of a PDF: that of the linearization dictionary, or the greatest count of a page tree node, which is
 * that of the root (ISO 32000-1, 7.7.3.2); null if neither is found.
 */
export async function pageCount(bytes: Buffer): Promise<number | null> {
  const linearized = /\/Linearized[^>]{0,500}?\/N\s{1,9}(\d{1,7})/.exec(
    bytes.toString('latin1', 0, 2048),
  );
  if (linearized) return Number(linearized[1]);
  let most = greatestCount(bytes);
  for (const packed of packedObjects(bytes)) {
    const plain = await inflated(packed, { maxOutputLength: MAX_UNPACKED }).catch(() => null);
    if (plain) most = Math.max(most, greatestCount(plain));
  }
  return most || null;
}

function greatestCount(bytes: Buffer): number {
  let most = 0;
  let at = -1;
  for (let n = 0; n < MAX_NODES && (at = bytes.indexOf('/Count', at + 1)) >= 0; n++) {
    const count = /^\/Count\s{0,9}(\d{1,7})/.exec(bytes.toString('latin1', at, at + 30))?.[1];
    if (!count || Number(count) <= most) continue;
    const around = bytes.toString('latin1', Math.max(0, at - AROUND), at + AROUND);
    const middle = Math.min(at, AROUND);
    const begin = around.lastIndexOf('<<', middle);
    const end = around.indexOf('>>', middle);
    const node = around.slice(Math.max(begin, 0), end < 0 ? undefined : end);
    if (/\/Type\s{0,9}\/Pages/.test(node)) most = Number(count);
  }
  return most;
}

/** Object streams, which contain compressed objects since PDF 1.5. */
function* packedObjects(bytes: Buffer): Generator<Buffer> {
  let at = -1;
  for (let n = 0; n < MAX_PACKED && (at = bytes.indexOf('/ObjStm', at + 1)) >= 0; n++) {
    const stream = at + bytes.subarray(at, at + AROUND).indexOf('stream');
    if (stream < at) continue;
    const begin = stream + 'stream'.length + (bytes[stream + 6] === 0x0d ? 2 : 1);
    const content = bytes.subarray(begin, begin + MAX_UNPACKED);
    const length = content.indexOf('endstream');
    if (length > 0) yield content.subarray(0, length);
  }
}
