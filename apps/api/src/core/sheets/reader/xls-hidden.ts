import { damaged } from './file-error.ts';

/**
 * What hucre does not tell of an .xls: which sheets and rows are hidden. The file is a container of streams ([MS-CFB]) whose stream
 * `Workbook` is a sequence of records ([MS-XLS]).
 */
export interface Hidden {
  /** Sheets of any kind in the order of the file: the hidden ones, and those that hold no cells. */
  isSheetHidden(sheet: number): boolean;
  /** `n` is from 1. */
  isRowHidden(sheet: number, n: number): boolean;
}

const BOUND_SHEET = 0x85;
const ROW = 0x208;
const END = 0x0a;
const RECORD_HEAD = 4;
/** Flags of a row: its height is zero. */
const ZERO_HEIGHT = 0x20;

export function hiddenOf(file: Buffer): Hidden {
  const sheets: { isHidden: boolean; rows: Set<number> }[] = [];
  const stream = workbookOf(file);
  if (stream) {
    let left = stream.length;
    for (const { id, data } of records(stream, 0)) {
      if (id === END) break;
      if (id !== BOUND_SHEET || data.length < 6) continue;
      const rows = new Set<number>();
      for (const { id: kind, data: row } of records(stream, data.readUInt32LE(0))) {
        // Sheets do not share records: many that did would take minutes.
        if ((left -= RECORD_HEAD + row.length) < 0) damaged(null);
        if (kind === END) break;
        if (kind !== ROW || row.length < 14) continue;
        const n = row.readUInt16LE(0) + 1;
        // The last of several records counts.
        if (row.readUInt16LE(12) & ZERO_HEIGHT) rows.add(n);
        else rows.delete(n);
      }
      sheets.push({ isHidden: data[4] !== 0 || data[5] !== 0, rows });
    }
  }
  return {
    isSheetHidden: (sheet) => sheets[sheet]?.isHidden ?? false,
    isRowHidden: (sheet, n) => sheets[sheet]?.rows.has(n) ?? false,
  };
}

function* records(stream: Buffer, from: number): Generator<{ id: number; data: Buffer }> {
  for (let at = from; at + RECORD_HEAD <= stream.length;) {
    const length = stream.readUInt16LE(at + 2);
    const start = at + RECORD_HEAD;
    yield { id: stream.readUInt16LE(at), data: stream.subarray(start, start + length) };
    at = start + length;
  }
}

const HEADER = 512;
const DIRECTORY_ENTRY = 128;
const MINI_SECTOR = 64;
/** Sectors of the allocation table that the header names. */
const HEADER_SECTORS = 109;
const ROOT = 5;
const STREAM = 2;

/** The stream of the workbook; undefined if the container is damaged, which hucre says. */
function workbookOf(file: Buffer): Buffer | undefined {
  if (file.length < HEADER) return undefined;
  const size = 1 << file.readUInt16LE(30);
  if (size < HEADER || size > 4096) return undefined;
  const sector = (n: number) => file.subarray((n + 1) * size, (n + 2) * size);
  const most = Math.ceil(file.length / size);
  const table = numbers(Buffer.concat(tableSectors(file, most, sector).map(sector)));
  const chain = (first: number) => Buffer.concat(chained(table, first).slice(0, most).map(sector));
  const entries = entriesOf(chain(file.readUInt32LE(48)));
  const workbook = entries.find((one) => one.kind === STREAM && /^(?:Work)?Book$/i.test(one.name));
  if (!workbook) return undefined;
  if (workbook.size >= file.readUInt32LE(56))
    return chain(workbook.first).subarray(0, workbook.size);
  // Short streams are in small sectors within the stream of the root.
  const root = entries.find((one) => one.kind === ROOT);
  const minis = root ? chain(root.first) : Buffer.alloc(0);
  const parts = chained(numbers(chain(file.readUInt32LE(60))), workbook.first);
  const mini = (n: number) => minis.subarray(n * MINI_SECTOR, (n + 1) * MINI_SECTOR);
  return Buffer.concat(parts.map(mini)).subarray(0, workbook.size);
}

/** Where the allocation table is: its first sectors stand in the header, the others in a chain of sectors of their own. */
function tableSectors(file: Buffer, most: number, sector: (n: number) => Buffer): number[] {
  const found = numbers(file.subarray(76, 76 + HEADER_SECTORS * 4));
  let next = file.readUInt32LE(68);
  for (let i = 0; i < most && next < most; i++) {
    const more = numbers(sector(next));
    next = more.pop() ?? most;
    found.push(...more);
  }
  return found.filter((n) => n < most).slice(0, most);
}

const numbers = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length >> 2 }, (_, i) => bytes.readUInt32LE(i * 4));

/** The sectors from `first` on, each followed by the one that the table names for it. */
function chained(table: number[], first: number): number[] {
  const found: number[] = [];
  // A damaged table may lead in a circle.
  for (let n = first; n < table.length && found.length < table.length; n = table[n]!) found.push(n);
  return found;
}

function entriesOf(directory: Buffer) {
  return Array.from({ length: Math.floor(directory.length / DIRECTORY_ENTRY) }, (_, i) => {
    const entry = directory.subarray(i * DIRECTORY_ENTRY, (i + 1) * DIRECTORY_ENTRY);
    const length = Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2);
    return {
      name: entry.toString('utf16le', 0, length),
      kind: entry[66]!,
      first: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}
