import { Injectable } from '@nestjs/common';
import { REPORT_COLUMNS, REPORT_PRESETS, type ReportColumn } from '@heliograph/contract';
import { reportHeader } from '@heliograph/domain';
import { join } from 'node:path';
import { readdir, rm } from 'node:fs/promises';
import { writeXlsxStream } from 'hucre/xlsx';
import type { AccessScope } from '../../core/auth/actor.ts';
import { Files } from '../../core/files/files.ts';
import { cellKind, csvCells, DATE_STYLES, workbookCells } from './cell-sql.ts';
import { OutputFile } from '../../core/files/output-file.ts';
import type { Report } from './report.entity.ts';
import { ReportRowsStore } from './report-rows.store.ts';
import { ReportStatements } from './report-statements.ts';
import { Transcoder } from './transcoder.ts';
import { numberFormat, workbookRows } from './workbook-rows.ts';

/** Changes while the file is written. */
export interface Progress {
  rows: number;
  /** Estimated; null while unknown. */
  total: number | null;
}

export interface WrittenFile {
  path: string;
  size: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  replaced: number;
}

interface Writing {
  report: Report;
  scope: AccessScope;
  file: OutputFile;
  progress: Progress;
  signal: AbortSignal;
}

const SHEET_NAME = 'Report';

/** Writes the rows of a report to a temporary file. */
@Injectable()
export class ReportFileService {
  constructor(
    private readonly files: Files,
    private readonly rows: ReportRowsStore,
    private readonly statements: ReportStatements,
  ) {}

  /** The caller stores or removes the file. Throws when the signal aborts; nothing is left then. */
  async write(
    report: Report,
    scope: AccessScope,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<WrittenFile> {
    await this.removeUnfinished(report.id);
    const name = `${prefixOf(report.id)}${report.lease}`;
    const file = await OutputFile.create(join(await this.files.incoming(), name));
    try {
      const writing = { report, scope, file, progress, signal };
      const replaced =
        report.format === 'xlsx' ? await this.writeWorkbook(writing) : await this.writeCsv(writing);
      const hash = await file.close();
      return { path: file.path, size: file.size, hash, replaced };
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  /**
   * Removes what a worker that was killed has left of a report. One that was only suspended keeps writing to a file without a name,
   * which it cannot store.
   */
  async removeUnfinished(id: string): Promise<void> {
    const folder = await this.files.incoming();
    for (const name of await readdir(folder))
      if (name.startsWith(prefixOf(id))) await rm(join(folder, name), { force: true });
  }

  private async writeCsv(writing: Writing): Promise<number> {
    const { report, scope, file, progress } = writing;
    const { delimiter, locale, encoding } = report;
    const select = await this.statements.select({ ...report, scope }, csvCells(locale));
    const transcoder = new Transcoder(encoding, delimiter, columnsOf(report).map(cellKind));
    transcoder.header(headers(report));
    const options = `format csv, delimiter '${delimiter}'`;
    for await (const chunk of this.copy(writing, select, options)) {
      const output = transcoder.push(chunk);
      progress.rows = transcoder.rows;
      if (output) await file.write(output);
    }
    await file.write(transcoder.end());
    return transcoder.replaced;
  }

  private async writeWorkbook(writing: Writing): Promise<number> {
    const { report, scope, file, progress } = writing;
    const columns = columnsOf(report);
    const select = await this.statements.select({ ...report, scope }, workbookCells);
    const chunks = this.copy(writing, select, 'format text');
    const rows = counted(workbookRows(chunks, columns), progress);
    const names = headers(report);
    const workbook = writeXlsxStream(rows, {
      name: SHEET_NAME,
      freezePane: { rows: 1 },
      columns: columns.map((column, i) => ({
        header: names[i],
        width: REPORT_COLUMNS[column] === 'time' ? 20 : 16,
        numFmt: numberFormat(column, report.locale),
      })),
    });
    for await (const part of workbook) await file.write(part);
    return 0;
  }

  private copy(
    { report, progress, signal }: Writing,
    select: string,
    options: string,
  ): AsyncGenerator<Buffer> {
    const { preset, locale, timeZone } = report;
    const operators = this.statements.operators(preset, locale);
    const settings = { timeZone, dateStyle: DATE_STYLES[locale], operators, signal };
    return this.rows.copy(select, options, settings, (rows) => (progress.total = rows));
  }
}

const prefixOf = (id: string): string => `report-${id}-`;

const columnsOf = ({ preset }: Report): readonly ReportColumn[] => REPORT_PRESETS[preset].columns;

/** Times name their zone, since a file is read far from the cabinet. */
function headers(report: Report): string[] {
  const { locale, timeZone } = report;
  return columnsOf(report).map((column) => {
    const name = reportHeader(locale, column);
    const type = REPORT_COLUMNS[column];
    return type === 'time' || type === 'day' ? `${name} (${timeZone})` : name;
  });
}

async function* counted<T>(rows: AsyncIterable<T>, progress: Progress): AsyncGenerator<T> {
  for await (const row of rows) {
    progress.rows++;
    yield row;
  }
}
