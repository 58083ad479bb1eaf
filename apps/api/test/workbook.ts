import { createRequire } from 'node:module';
import type ExcelJS from 'exceljs';

/** Without the readers and writers of archives, whose packages are not installed. */
const WorkbookModule = createRequire(import.meta.url)('exceljs/lib/doc/workbook.js') as unknown;

export const Workbook = WorkbookModule as typeof ExcelJS.Workbook;
export type Worksheet = ExcelJS.Worksheet;
