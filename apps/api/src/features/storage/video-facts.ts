import { open, type FileHandle } from 'node:fs/promises';
import type { ContentFacts } from './read-facts.ts';

/** Reads per file, which bounds the cost of hostile files. */
const MAX_READS = 1000;
/** Bytes; longer than all fields read here. */
const FIELDS_BYTES = 128;
/** One year. Longer durations are ignored as invalid. */
const MAX_SECONDS = 31_536_000;

/** A box of ISO/IEC 14496-12 or an element of EBML (RFC 8794): its path and the range of its content. */
interface Part {
  path: string;
  begin: number;
  end: number;
}

/** Parses a header: name, length of the header and total size in bytes; null if it is invalid. */
type Header = (bytes: Buffer, room: number) => { name: string; head: number; size: number } | null;

/** Containers that are descended into, which bounds the depth. */
const BOXES = new Set(['/moov', '/moov/mvex', '/moov/trak', '/moov/trak/mdia']);
const SEGMENT = '/18538067';
const INFO = `${SEGMENT}/1549a966`;
const TRACK = `${SEGMENT}/1654ae6b/ae`;
const ELEMENTS = new Set([SEGMENT, INFO, `${SEGMENT}/1654ae6b`, TRACK, `${TRACK}/e0`]);

/**
 * Display size in pixels and duration in seconds, rounded up, of MP4, QuickTime, 3GP, WebM and Matroska; of MP4 audio the
 * duration. Unknown fields are omitted. Reads only headers, never the whole file.
 */
export async function videoFacts(path: string): Promise<ContentFacts> {
  const file = await open(path);
  try {
    const reader = new Reader(file, (await file.stat()).size);
    const isEbml = (await reader.bytes(0, 4)).toString('hex') === '1a45dfa3';
    const { width, height, seconds } = await (isEbml ? ofElements(reader) : ofBoxes(reader));
    const isSeen = width >= 1 && height >= 1;
    return {
      ...(isSeen && { width: Math.round(width), height: Math.round(height) }),
      ...(seconds > 0 && seconds <= MAX_SECONDS && { duration: Math.ceil(seconds) }),
    };
  } finally {
    await file.close();
  }
}

class Reader {
  private left = MAX_READS;

  readonly size: number;
  private readonly file: FileHandle;

  constructor(file: FileHandle, size: number) {
    this.file = file;
    this.size = size;
  }

  /** Up to `length` bytes; empty after `MAX_READS`. */
  async bytes(at: number, length: number): Promise<Buffer> {
    if (this.left-- <= 0 || length <= 0) return Buffer.alloc(0);
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  }

  /** The first bytes of a part's content, padded with zeros. */
  async fields({ begin, end }: Part): Promise<Buffer> {
    const fields = Buffer.alloc(FIELDS_BYTES);
    (await this.bytes(begin, Math.min(FIELDS_BYTES, end - begin))).copy(fields);
    return fields;
  }

  /** The parts of a file in order, depth first. Parts are clipped to their parent. */
  async *parts(header: Header, opened: Set<string>, within?: Part): AsyncGenerator<Part> {
    const { path, begin, end } = within ?? { path: '', begin: 0, end: this.size };
    for (let at = begin; at < end;) {
      const found = header(await this.bytes(at, Math.min(16, end - at)), end - at);
      if (!found) return;
      const part = {
        path: `${path}/${found.name}`,
        begin: at + found.head,
        end: Math.min(at + found.size, end),
      };
      yield part;
      if (opened.has(part.path)) yield* this.parts(header, opened, part);
      at += found.size;
    }
  }
}

/** Size 1: a 64-bit size follows; size 0: the box extends to the end. */
const boxHeader: Header = (bytes, room) => {
  if (bytes.length < 8) return null;
  const name = bytes.toString('latin1', 4, 8);
  const short = bytes.readUInt32BE(0);
  if (short === 1 && bytes.length < 16) return null;
  const head = short === 1 ? 16 : 8;
  const size = short === 1 ? Number(bytes.readBigUInt64BE(8)) : short || room;
  return size < head ? null : { name, head, size };
};

async function ofBoxes(reader: Reader) {
  const facts = { width: 0, height: 0, seconds: 0 };
  let timescale = 0;
  let shown = { width: 0, height: 0 };
  for await (const part of reader.parts(boxHeader, BOXES)) {
    if (part.path === '/moov/trak') shown = { width: 0, height: 0 };
    if (part.path === '/moov/mvhd') {
      const bytes = await reader.fields(part);
      timescale ||= bytes.readUInt32BE(bytes[0] ? 20 : 12);
      facts.seconds ||= length(bytes, bytes[0] ? 24 : 16) / timescale;
    } else if (part.path === '/moov/mvex/mehd') {
      // Fragmented files have a duration of 0 in `mvhd`.
      facts.seconds ||= length(await reader.fields(part), 4) / timescale;
    } else if (part.path === '/moov/trak/tkhd') {
      shown = trackSize(await reader.fields(part));
    } else if (part.path === '/moov/trak/mdia/hdlr' && !facts.width) {
      const isVideo = (await reader.fields(part)).toString('latin1', 8, 12) === 'vide';
      if (isVideo) Object.assign(facts, shown);
    }
  }
  return facts;
}

/** Duration in units of the timescale; 0 if unknown (all bits set). */
function length(fields: Buffer, at: number): number {
  if (fields[0]) {
    const long = fields.readBigUInt64BE(at);
    return long === 0xffff_ffff_ffff_ffffn ? 0 : Number(long);
  }
  const short = fields.readUInt32BE(at);
  return short === 0xffff_ffff ? 0 : short;
}

/** 16.16 fixed point. The matrix before it rotates videos of upright phones. */
function trackSize(fields: Buffer): { width: number; height: number } {
  const matrix = fields[0] ? 52 : 40;
  const [width, height] = [36, 40].map((at) => fields.readUInt32BE(matrix + at) / 65_536);
  const isTurned = !fields.readInt32BE(matrix) && fields.readInt32BE(matrix + 4) !== 0;
  return isTurned ? { width: height!, height: width! } : { width: width!, height: height! };
}

/** An unknown size (all bits set) extends to the end of the parent. */
const elementHeader: Header = (bytes, room) => {
  const named = octets(bytes[0], 4);
  const sized = octets(bytes[named], 8);
  const head = named + sized;
  if (!named || !sized || bytes.length < head) return null;
  let content = bytes[named]! & (0xff >> sized);
  let isKnown = content !== 0xff >> sized;
  for (const byte of bytes.subarray(named + 1, head)) {
    isKnown ||= byte !== 0xff;
    content = content * 256 + byte;
  }
  return { name: bytes.toString('hex', 0, named), head, size: isKnown ? head + content : room };
};

/** Length of a variable-size integer by its first byte; 0 if it exceeds `max`. */
function octets(first: number | undefined, max: number): number {
  const count = first ? Math.clz32(first) - 23 : 0;
  return count <= max ? count : 0;
}

async function ofElements(reader: Reader) {
  const facts = { width: 0, height: 0, seconds: 0 };
  let scale = 1_000_000;
  let units = 0;
  for await (const part of reader.parts(elementHeader, ELEMENTS)) {
    const is = (path: string) => part.path === path;
    if (is(`${INFO}/2ad7b1`)) scale = await number(reader, part);
    else if (is(`${INFO}/4489`)) units ||= await float(reader, part);
    else if (is(`${TRACK}/e0/b0`)) facts.width ||= await number(reader, part);
    else if (is(`${TRACK}/e0/ba`)) facts.height ||= await number(reader, part);
  }
  facts.seconds = (units * scale) / 1e9;
  return facts;
}

/** An integer of up to six bytes; 0 if it is longer. */
async function number(reader: Reader, part: Part): Promise<number> {
  const length = part.end - part.begin;
  return length > 0 && length <= 6 ? (await reader.fields(part)).readUIntBE(0, length) : 0;
}

async function float(reader: Reader, part: Part): Promise<number> {
  const fields = await reader.fields(part);
  const length = part.end - part.begin;
  if (length === 4) return fields.readFloatBE(0);
  return length === 8 ? fields.readDoubleBE(0) : 0;
}
