import { Injectable } from '@nestjs/common';
import type { FilePreview } from '@heliograph/contract';
import { PRESET_RULES } from '@heliograph/domain';
import iconv from 'iconv-lite';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { AccountSemaphore } from '../../core/account-semaphore.ts';
import { AppError } from '../../core/errors.ts';
import { Files } from '../../core/files/files.ts';
import { encodingOf } from '../../core/sheets/encoding.ts';
import { openBook } from '../../core/sheets/open-book.ts';
import { sheetIndex, sheetNames } from '../../core/sheets/sheet-names.ts';
import { unreadable } from '../../core/sheets/sheet.ts';
import { contentsOf, type StoredFile } from './stored-file.entity.ts';

const MAX_ROWS = 50;
const MAX_COLUMNS = 30;
const MAX_CELL_LENGTH = 200;
const MAX_SHEETS = 50;
const MAX_TEXT_LENGTH = 20_000;
/** Bytes of a text or CSV that are read, from a store as well: reports may be of any length. */
const HEAD_BYTES = 256 * 1024;
/** Workbooks are read as a whole. */
const MAX_WORKBOOK_BYTES = PRESET_RULES.sheet.maxSize;
const RETRY_SECONDS = 5;
const LIMITS = { running: 2, runningOfAccount: 1, held: 12, heldOfAccount: 4 };

const isText = (type: string) =>
  type.startsWith('text/') || type === 'application/json' || type === 'image/svg+xml';
const isTable = (type: string) => type !== 'text/plain' && PRESET_RULES.sheet.types!.includes(type);

/** The beginning of a table or a text, for people to see what is in a file. Bounded in rows, columns, characters and bytes. */
@Injectable()
export class Previews {
  private readonly semaphore = new AccountSemaphore(
    LIMITS,
    () =>
      new AppError('rate_limited', 'Other previews are in progress. Try again later.', {
        headers: { 'retry-after': String(RETRY_SECONDS) },
      }),
  );

  constructor(private readonly files: Files) {}

  read(file: StoredFile, sheet?: string): Promise<FilePreview> {
    const { OwnerId, type } = file;
    if (isTable(type))
      return this.semaphore.run(OwnerId, () =>
        this.withBeginning(file, (path, isCut) => tableOf(path, isCut, sheet)),
      );
    if (isText(type)) return this.semaphore.run(OwnerId, () => this.withBeginning(file, textOf));
    throw unreadable('The file has no preview as a text or a table.');
  }

  /** Runs `work` with a local file: of a text its first bytes, else the whole. */
  private async withBeginning<T>(
    file: StoredFile,
    work: (path: string, isCut: boolean) => Promise<T>,
  ): Promise<T> {
    const { type, size } = file;
    const id = contentsOf(file);
    const isCut = isText(type) && size > HEAD_BYTES;
    if (!isCut) {
      if (size > MAX_WORKBOOK_BYTES)
        throw new AppError('too_large', 'The workbook is too large for a preview', {
          payload: { max: MAX_WORKBOOK_BYTES },
        });
      return this.files.withLocal(id, (path) => work(path, false));
    }
    const head = await buffer(await this.files.read(id, { start: 0, end: HEAD_BYTES - 1 }));
    const path = join(await this.files.incoming(), randomUUID());
    try {
      await writeFile(path, wholeLines(head));
      return await work(path, true);
    } finally {
      await rm(path, { force: true });
    }
  }
}

const NEWLINE = 0x0a;

/** Up to the last line break, so that neither a row nor a character is cut. */
function wholeLines(head: Buffer): Buffer {
  const end = head.lastIndexOf(NEWLINE);
  if (end > 0) return head.subarray(0, end + 1);
  let length = head.length;
  while (length > 0 && head[length - 1]! >= 0x80) length--;
  return head.subarray(0, length || head.length);
}

async function tableOf(path: string, isCut: boolean, wanted?: string): Promise<FilePreview> {
  const book = await openBook(path);
  try {
    const sheets = sheetNames(book).slice(0, MAX_SHEETS);
    const place = sheetIndex(sheets, wanted);
    const rows: string[][] = [];
    let isTruncated = isCut;
    for await (const { cells } of book.rows(place, MAX_ROWS + 1)) {
      isTruncated ||= rows.length === MAX_ROWS || cells.length > MAX_COLUMNS;
      if (rows.length < MAX_ROWS)
        rows.push(cells.slice(0, MAX_COLUMNS).map((cell) => shortened(cell, MAX_CELL_LENGTH)));
    }
    return { kind: 'table', text: null, sheets, sheet: sheets[place] ?? null, rows, isTruncated };
  } finally {
    book.close();
  }
}

async function textOf(path: string, isCut: boolean): Promise<FilePreview> {
  const encoding = await encodingOf(path);
  if (!encoding) throw unreadable('The file is not a text.');
  const whole = iconv.decode(await readFile(path), encoding);
  const text = shortened(whole, MAX_TEXT_LENGTH);
  const isTruncated = isCut || whole.length > MAX_TEXT_LENGTH;
  return { kind: 'text', text, sheets: [], sheet: null, rows: [], isTruncated };
}

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
