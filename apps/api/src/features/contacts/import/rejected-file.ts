import { neutralizeCell } from '@heliograph/domain';
import { stringify } from 'csv-stringify/sync';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { REJECTED_COLUMNS } from './columns.ts';
import { REASONS, type Reason } from './contact-row.ts';
import type { SheetRow } from './sheet.ts';

/** The rows that were not taken, as they came, each with its number and reason: to be corrected and imported again. */
export class RejectedFile {
  readonly reasons: Partial<Record<Reason, number>> = {};
  count = 0;
  readonly path: string;
  private stream?: WriteStream;
  private failure?: Error;
  private header: string[] = [];
  private delimiter = ';';

  constructor(folder: string) {
    this.path = join(folder, randomUUID());
  }

  begin(header: string[], delimiter: string): void {
    this.header = header;
    this.delimiter = delimiter;
  }

  async add({ n, cells }: SheetRow, reason: Reason): Promise<void> {
    this.count++;
    this.reasons[reason] = (this.reasons[reason] ?? 0) + 1;
    const width = this.header.length;
    if (this.failure) throw this.failure;
    if (!this.stream) {
      this.stream = createWriteStream(this.path, { flags: 'wx' });
      // Without a listener a full disk would end the process; who writes next is told instead.
      this.stream.on('error', (error) => (this.failure = error));
      this.stream.write(`\ufeff${this.line([...this.header, ...REJECTED_COLUMNS])}`);
    }
    const own = Array.from({ length: width }, (_, i) => cells[i] ?? '');
    const why = `${reason}: ${REASONS[reason]}`;
    // Cells that no column names follow last, so that the named ones stay under their names.
    const isGoing = this.stream.write(this.line([...own, String(n), why, ...cells.slice(width)]));
    if (!isGoing) await once(this.stream, 'drain');
  }

  async end(): Promise<void> {
    if (!this.stream || this.stream.writableFinished) return;
    this.stream.end();
    await finished(this.stream);
  }

  /** Removes the bytes unless somebody has adopted them. */
  async dispose(): Promise<void> {
    const { stream } = this;
    // Not before it is closed: it may not have been opened yet, and would come after its removal.
    if (stream && !stream.closed)
      await new Promise((resolve) => stream.destroy().once('close', resolve));
    await rm(this.path, { force: true });
  }

  private line(cells: string[]): string {
    return stringify([cells.map(neutralizeCell)], {
      delimiter: this.delimiter,
      record_delimiter: 'windows',
      // Readers may trim what is not quoted, and some end a line at a lone line feed.
      quoted_match: /^\s|\s$|[\r\n]/,
    });
  }
}
