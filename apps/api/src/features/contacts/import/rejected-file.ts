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
import type { SheetRow } from '../../../core/sheets/sheet.ts';

/** A CSV of the rejected rows with row number and reason, which can be corrected and imported again. */
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
      // Without a listener an error, such as a full disk, would end the process. The next `add` throws it.
      this.stream.on('error', (error) => (this.failure = error));
      this.stream.write(`\ufeff${this.line([...this.header, ...REJECTED_COLUMNS])}`);
    }
    const own = Array.from({ length: width }, (_, i) => cells[i] ?? '');
    const why = `${reason}: ${REASONS[reason]}`;
    // Cells beyond the header come last, so that the others stay below their names.
    const hasRoom = this.stream.write(this.line([...own, String(n), why, ...cells.slice(width)]));
    if (!hasRoom) await once(this.stream, 'drain');
  }

  async end(): Promise<void> {
    if (!this.stream || this.stream.writableFinished) return;
    this.stream.end();
    await finished(this.stream);
  }

  /** Removes the file unless it was stored. */
  async dispose(): Promise<void> {
    const { stream } = this;
    // Waits for the close, since a file that is still being opened would be created after the removal.
    if (stream && !stream.closed)
      await new Promise((resolve) => stream.destroy().once('close', resolve));
    await rm(this.path, { force: true });
  }

  private line(cells: string[]): string {
    return stringify([cells.map(neutralizeCell)], {
      delimiter: this.delimiter,
      record_delimiter: 'windows',
      // Other programs may trim unquoted cells or split at a lone line feed.
      quoted_match: /^\s|\s$|[\r\n]/,
    });
  }
}
