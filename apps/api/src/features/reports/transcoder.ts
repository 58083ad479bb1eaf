import type { ReportEncoding } from '@heliograph/contract';
import { startsFormula, transliterate } from '@heliograph/domain';
import iconv from 'iconv-lite';
import type { CellKind } from './cell-sql.ts';

/** Bytes that are collected before they are passed on. */
const OUTPUT_BYTES = 128 * 1024;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
/** Replacements that are kept for repeated characters. */
const MAX_REPLACEMENTS = 4096;
const BYTE_ORDER_MARK = '\ufeff';
const APOSTROPHE = 0x27;
const PLUS = 0x2b;
const ZERO = 0x30;
const NINE = 0x39;

/** What is known of the code points of the basic plane: 1 for those that start a formula, 2 for the others. */
const formulas = new Uint8Array(0x10000);

function isFormulaCode(code: number): boolean {
  if (code >= formulas.length) return false;
  return (formulas[code] ||= startsFormula(String.fromCodePoint(code)) ? 1 : 2) === 1;
}

interface Charset {
  /** Byte of each character of the basic plane; 0 if the encoding lacks it. */
  bytes: Uint8Array;
  isEncodable: (text: string) => boolean;
}

const charsets = new Map<ReportEncoding, Charset>();

function charsetOf(encoding: ReportEncoding): Charset {
  let charset = charsets.get(encoding);
  if (charset) return charset;
  const bytes = new Uint8Array(0x10000);
  for (let byte = SPACE; byte < 0x100; byte++) {
    const code = iconv.decode(Buffer.of(byte), encoding).charCodeAt(0);
    if (code !== 0xfffd) bytes[code] = byte;
  }
  for (const byte of [TAB, LINE_FEED, CARRIAGE_RETURN]) bytes[byte] = byte;
  const isEncodable = (text: string) =>
    [...text].every((c) => c.length === 1 && bytes[c.charCodeAt(0)]! > 0);
  charsets.set(encoding, (charset = { bytes, isEncodable }));
  return charset;
}

/**
 * Converts CSV in UTF-8, as Postgres writes it, to another encoding with CRLF between rows, and writes an apostrophe before texts
 * that a spreadsheet would run. Works on bytes, because a string for each row would take several times as long.
 */
export class Transcoder {
  /** Rows, apart from the header. */
  rows = 0;
  /** Characters that the encoding lacks. */
  replaced = 0;
  private readonly charset: Charset | null;
  private readonly replacements = new Map<number, Buffer>();
  private output = Buffer.allocUnsafe(OUTPUT_BYTES * 2);
  private length = 0;
  private rest: Buffer = Buffer.alloc(0);
  private isQuoted = false;
  private column = 0;
  /** Before the first character of a cell, which may follow a quote. */
  private isStart = true;
  private readonly delimiter: number;
  /** By byte: 1 for those that are copied wherever they stand, in UTF-8 also all parts of longer characters. */
  private readonly ordinary = new Uint8Array(0x100);
  private kinds: readonly CellKind[] = [];

  constructor(
    encoding: ReportEncoding,
    delimiter: string,
    private readonly columns: readonly CellKind[] = [],
  ) {
    this.delimiter = delimiter.charCodeAt(0);
    this.charset = encoding === 'utf8' ? null : charsetOf(encoding);
    this.ordinary.fill(1, SPACE, this.charset ? 0x80 : 0x100);
    this.ordinary[QUOTE] = this.ordinary[this.delimiter] = 0;
    if (encoding === 'utf8') this.length = this.output.write(BYTE_ORDER_MARK);
  }

  /** The line of the headers, which Postgres does not write. */
  header(cells: string[]): void {
    const line = cells.map((cell) =>
      /[";,\s]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell,
    );
    this.push(Buffer.from(`${line.join(String.fromCharCode(this.delimiter))}\n`));
    this.rows = 0;
    this.replaced = 0;
    this.kinds = this.columns;
  }

  /** Returns the output so far when there is enough of it. The buffer is the caller's. */
  push(chunk: Buffer): Buffer | null {
    const input = this.rest.length ? Buffer.concat([this.rest, chunk]) : chunk;
    this.reserve(input.length * 2);
    const read = this.convert(input);
    this.rest = read < input.length ? Buffer.from(input.subarray(read)) : Buffer.alloc(0);
    return this.length >= OUTPUT_BYTES ? this.take() : null;
  }

  /** The rest of the output. */
  end(): Buffer {
    return this.take();
  }

  private take(): Buffer {
    const taken = this.output.subarray(0, this.length);
    this.output = Buffer.allocUnsafe(OUTPUT_BYTES * 2);
    this.length = 0;
    return taken;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.output.length) return;
    const larger = Buffer.allocUnsafe(this.length + bytes);
    this.output.copy(larger, 0, 0, this.length);
    this.output = larger;
  }

  /** Returns the number of bytes read: a character at the end may be incomplete. */
  private convert(input: Buffer): number {
    const { output, delimiter, ordinary } = this;
    const bytes = this.charset?.bytes;
    const end = input.length;
    let at = this.length;
    let i = 0;
    while (i < end) {
      const byte = input[i]!;
      if (this.isStart && (byte !== QUOTE || this.isQuoted)) {
        const needed = this.needsApostrophe(input, i);
        if (needed === null) break;
        this.isStart = false;
        if (needed) output[at++] = APOSTROPHE;
      }
      // Nearly all of a file are runs of these two.
      const start = i;
      for (; i < end; i++) {
        const next = input[i]!;
        if (ordinary[next]) {
          output[at++] = next;
          continue;
        }
        if ((next & 0xe0) !== 0xc0 || i + 1 === end) break;
        const known = bytes![codePoint(input, i, 2)]!;
        if (!known) break;
        output[at++] = known;
        i++;
      }
      if (i > start) continue;
      if (byte < 0x80) {
        i++;
        if (byte === QUOTE) this.isQuoted = !this.isQuoted;
        else if (!this.isQuoted) {
          if (byte === LINE_FEED) {
            output[at++] = CARRIAGE_RETURN;
            this.rows++;
            this.column = 0;
            this.isStart = true;
          } else if (byte === delimiter) {
            this.column++;
            this.isStart = true;
          }
        }
        output[at++] =
          byte >= SPACE || byte === LINE_FEED || byte === TAB || byte === CARRIAGE_RETURN
            ? byte
            : this.blank();
        continue;
      }
      const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      if (i + size > end) break;
      const code = codePoint(input, i, size);
      const known = size < 4 ? bytes![code]! : 0;
      if (known) output[at++] = known;
      else at += this.replacement(code).copy(output, at);
      i += size;
    }
    this.length = at;
    return i;
  }

  /** Whether the cell that begins at `i` would be run as a formula. Null if that depends on bytes that have not arrived. */
  private needsApostrophe(input: Buffer, i: number): boolean | null {
    const kind = this.kinds[this.column];
    if (kind !== 'text' && kind !== 'phone') return false;
    const byte = input[i]!;
    if (byte >= 0x80) {
      const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      return i + size > input.length ? null : isFormulaCode(codePoint(input, i, size));
    }
    // A line feed outside of quotes ends an empty cell.
    if (!isFormulaCode(byte) || (byte === LINE_FEED && !this.isQuoted)) return false;
    if (kind !== 'phone' || byte !== PLUS || this.isQuoted) return true;
    // A phone number keeps its plus sign: a spreadsheet reads `+79990000000` as a number.
    for (let k = i + 1; k < input.length; k++) {
      const next = input[k]!;
      if (next === this.delimiter || next === LINE_FEED) return false;
      if (next !== PLUS && (next < ZERO || next > NINE)) return true;
    }
    return null;
  }

  /** A space instead of a control character, which programs read as the end of a file or refuse. */
  private blank(): number {
    this.replaced++;
    return SPACE;
  }

  private replacement(code: number): Buffer {
    this.replaced++;
    let found = this.replacements.get(code);
    if (!found) {
      const { bytes, isEncodable } = this.charset!;
      const text = transliterate(String.fromCodePoint(code), isEncodable);
      // Bounded, since a text may contain any of a million characters.
      if (this.replacements.size >= MAX_REPLACEMENTS) this.replacements.clear();
      found = Buffer.from([...text].map((character) => bytes[character.charCodeAt(0)]!));
      this.replacements.set(code, found);
    }
    return found;
  }
}

function codePoint(input: Buffer, i: number, size: number): number {
  const next = (k: number) => input[i + k]! & 0x3f;
  if (size === 2) return ((input[i]! & 0x1f) << 6) | next(1);
  if (size === 3) return ((input[i]! & 0x0f) << 12) | (next(1) << 6) | next(2);
  return ((input[i]! & 0x07) << 18) | (next(1) << 12) | (next(2) << 6) | next(3);
}
