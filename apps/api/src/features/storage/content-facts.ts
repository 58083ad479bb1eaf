import { imageSize } from 'image-size';
import { open, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { videoFacts } from './video-facts.ts';

/** What is known of a file's content beside how long a recording plays. */
export interface ContentFacts {
  /** In pixels, of an image or a video. */
  width?: number;
  height?: number;
  /** Of a video, in started seconds. */
  duration?: number;
  /** Of a PDF. */
  pages?: number;
}

/** Of an image so much is read: what stands in front of its size (a preview, a colour profile) is seldom longer. */
const IMAGE_HEAD = 512 * 1024;

/** By its first bytes, of a PDF by all of it; what cannot be told is left out. The work is bounded whatever the file says. */
export async function contentFacts(path: string, type: string): Promise<ContentFacts> {
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return sizeOf(await headOf(path));
  if (type.startsWith('video/') || type === 'audio/mp4') return videoFacts(path);
  if (type !== 'application/pdf') return {};
  const pages = await pageCount(await readFile(path));
  return pages ? { pages } : {};
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(IMAGE_HEAD), 0, IMAGE_HEAD, 0);
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
    // Cut off, or an image only by its first bytes.
    return {};
  }
}

const inflated = promisify(inflate);
/** Nodes of page trees and packed objects of a PDF that are looked at. */
const MAX_NODES = 2000;
const MAX_PACKED = 32;
const MAX_UNPACKED = 1024 * 1024;
const AROUND = 4096;

/**
 * Pages of a PDF: what a linearized one says in front, else the greatest count of a node of the page tree, which is that of its
 * root (ISO 32000-1, 7.7.3.2); null when neither is found.
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

/** The streams that hold objects, as they are packed since PDF 1.5. */
function* packedObjects(bytes: Buffer): Generator<Buffer> {
  let at = -1;
  for (let n = 0; n < MAX_PACKED && (at = bytes.indexOf('/ObjStm', at + 1)) >= 0; n++) {
    const stream = bytes.indexOf('stream', at);
    if (stream < 0 || stream > at + AROUND) continue;
    const begin = stream + 'stream'.length + (bytes[stream + 6] === 0x0d ? 2 : 1);
    const end = bytes.indexOf('endstream', begin);
    if (end > begin) yield bytes.subarray(begin, end);
  }
}
