import { Injectable } from '@nestjs/common';
import {
  operationOutcome,
  operationReason,
  operationReportHeaders,
  type Locale,
} from '@heliograph/domain';
import { writeXlsxStream } from 'hucre/xlsx';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Files } from '../../core/files/files.ts';
import { OutputFile } from '../../core/files/output-file.ts';
import { workbookText } from '../../core/sheets/workbook-text.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { StorageService, type GeneratedFile } from '../storage/storage.service.ts';
import type { Claimed } from './billing-operations.store.ts';
import { OperationRowsStore, type ReportRow } from './operation-rows.store.ts';

const PAGE_SIZE = 2000;
const SHEET_NAME = 'Operations';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TITLE_LENGTH = 150;

/** A workbook with each row of an operation, its outcome and the reason. */
@Injectable()
export class OperationReport {
  constructor(
    private readonly rows: OperationRowsStore,
    private readonly files: Files,
    private readonly storage: StorageService,
  ) {}

  /** Writes and stores the contents. The caller adds the file in its transaction, or discards it. */
  async store({ id, OwnerId, filename, locale }: Claimed): Promise<GeneratedFile> {
    const output = await OutputFile.create(join(await this.files.incoming(), randomUUID()));
    try {
      const headers = operationReportHeaders(locale);
      const workbook = writeXlsxStream(this.cells(id, locale), {
        name: SHEET_NAME,
        freezePane: { rows: 1 },
        columns: headers.map((header) => ({ header, width: 20 })),
      });
      for await (const part of workbook) await output.write(part);
      const hash = await output.close();
      const { size, path } = output;
      const contentsId = await this.storage.storeGenerated(OwnerId, path, size, {
        ignoresQuota: true,
      });
      const name = `${filename.replace(/\.\w{1,5}$/, '').slice(0, TITLE_LENGTH)} - report.xlsx`;
      return {
        id: uuidv7(),
        contentsId,
        OwnerId,
        permission: 'billings.generate',
        filename: name,
        type: TYPE,
        size,
        hash,
        expiredAt: null,
      };
    } catch (error) {
      await output.discard();
      throw error;
    } finally {
      await rm(output.path, { force: true });
    }
  }

  /** In the transaction that ends the operation. */
  async add(file: GeneratedFile): Promise<void> {
    await this.storage.addGenerated(file, { ignoresQuota: true });
  }

  discard({ contentsId }: GeneratedFile): Promise<void> {
    return this.storage.discardGenerated(contentsId!);
  }

  private async *cells(id: string, locale: Locale): AsyncGenerator<(string | number | null)[]> {
    let last = 0;
    for (;;) {
      const rows = await this.rows.report(id, last, PAGE_SIZE);
      for (const row of rows) yield cellsOf(row, locale);
      if (rows.length < PAGE_SIZE) return;
      last = rows.at(-1)!.n;
    }
  }
}

const written = (text: string | null) => text && workbookText(text);
const cellsOf = (row: ReportRow, locale: Locale) => [
  row.n,
  written(row.account),
  written(row.username),
  row.amount === null ? null : Number(row.amount),
  row.currency,
  written(row.comment),
  operationOutcome(locale, row.outcome),
  row.reason && operationReason(locale, row.reason),
];
