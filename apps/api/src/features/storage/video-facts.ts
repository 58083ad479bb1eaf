import { open, type FileHandle } from 'node:fs/promises';
import type { ContentFacts } from './content-facts.ts';

/** Reads of a file, each of a header or of the fields of one part: what a hostile file costs. */
const MAX_READS = 1000;
/** Longer than any fields that are read here; in bytes. */
const FIELDS = 128;
/** Of what plays longer, the length is not believed: a year in seconds. */
const LONGEST = 31_536_000;

/** A box of ISO/IEC 14496-12 or an element of EBML (RFC 8794): its path of names, and where its content lies in the file. */
interface Part {
  path: string;
  begin: number;
  end: number;
}

/** How a part begins: its name, the length of its header and that of all of it, in bytes. Null when it is none. */
type Header = (bytes: Buffer, room: number) => { name: string; head: number; size: number } | null;

/** The parts that hold others that are looked at: no other is opened, so the depth is bounded. */
const BOXES = new Set(['/moov', '/moov/mvex', '/moov/trak', '/moov/trak/mdia']);
const SEGMENT = '/18538067';
const INFO = `${SEGMENT}/1549a966`;
const TRACK = `${SEGMENT}/1654ae6b/ae`;
const ELEMENTS = new Set([SEGMENT, INFO, `${SEGMENT}/1654ae6b`, TRACK, `${TRACK}/e0`]);

/**
 * Size in pixels as it is shown, and duration in started seconds, of MP4, QuickTime and 3GP, of WebM and Matroska; of MP4
 * audio the duration. What the headers do not say is left out. The file is read in places, never as a whole.
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
      ...(seconds > 0 && seconds <= LONGEST && { duration: Math.ceil(seconds) }),
    };
  } finally {
    await file.close();
  }
}

class Reader {
  private left = MAX_READS;

  constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  /** What there is of so many bytes; none when too much was read. */
  async bytes(at: number, length: number): Promise<Buffer> {
    if (this.left-- <= 0 || length <= 0) return Buffer.alloc(0);
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  }

  /** The first bytes of the content of a part, with zeros behind. */
  async fields({ begin, end }: Part): Promise<Buffer> {
    const fields = Buffer.alloc(FIELDS);
    (await this.bytes(begin, Math.min(FIELDS, end - begin))).copy(fields);
    return fields;
  }

  /** The parts of a file in its order, those of an opened one behind it. A part that goes beyond its parent ends with it. */
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

/** Size 1 says that 64 bits follow, size 0 that the box is the last. */
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
      // Of a film in fragments, whose header says 0.
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

/** In units of the film; 0 when all bits are set, which says that it is not known. */
function length(fields: Buffer, at: number): number {
  if (fields[0]) {
    const long = fields.readBigUInt64BE(at);
    return long === 0xffff_ffff_ffff_ffffn ? 0 : Number(long);
  }
  const short = fields.readUInt32BE(at);
  return short === 0xffff_ffff ? 0 : short;
}

/** In fixed point of 16 bits each; a telephone held upright turns its picture by the matrix in front. */
function trackSize(fields: Buffer): { width: number; height: number } {
  const matrix = fields[0] ? 52 : 40;
  const [width, height] = [36, 40].map((at) => fields.readUInt32BE(matrix + at) / 65_536);
  const isTurned = !fields.readInt32BE(matrix) && fields.readInt32BE(matrix + 4) !== 0;
  return isTurned ? { width: height!, height: width! } : { width: width!, height: height! };
}

/** A size of bits that are all set is not known: the element goes to the end of its parent. */
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

/** How many bytes a number has, by the first of them; 0 when that is more than `most`. */
function octets(first: number | undefined, most: number): number {
  const count = first ? Math.clz32(first) - 23 : 0;
  return count <= most ? count : 0;
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

/** Of at most six bytes; 0 of more. */
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
