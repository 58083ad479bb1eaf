import { encodingOf } from '../encoding.ts';
import { Archive, CONTENT } from './archive.ts';
import { openCsv } from './csv.ts';
import { damaged, unreadable } from './file-error.ts';
import { firstBytes } from './first-bytes.ts';
import type { Table } from './table.ts';
import { isVcard, openVcard } from './vcard.ts';

const HEAD = 512;
const PAGE = /^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype html|html|head|meta|table)\b/i;

/** Opens a file by its first bytes; `plain` formats are .xlsx and text. Parsers that take long to load are loaded for their formats only. */
export async function openTable(path: string, formats: 'all' | 'plain'): Promise<Table> {
  const head = (await firstBytes(path, HEAD)).toString('latin1');
  const isPlain = formats === 'plain';
  if (head.startsWith('PK\x03\x04')) {
    const archive = await Archive.open(path);
    if (!archive.entries.has(CONTENT)) {
      const { openXlsx } = await import('./xlsx.ts');
      return openXlsx(archive).catch(damaged);
    }
    if (isPlain) throw notPlain();
    const { openOds } = await import('./ods.ts');
    return openOds(archive).catch(damaged);
  }
  if (isVcard(head)) {
    if (isPlain) throw notPlain();
    return openVcard(path);
  }
  const kind = head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') ? 'xls' : 'html';
  if (kind === 'html' && !PAGE.test(head)) return openCsv(path);
  if (isPlain) throw notPlain();
  const { openHtml, openXls } = await import('./whole-file.ts');
  if (kind === 'xls') return openXls(path);
  return openHtml(path, (await encodingOf(path)) ?? 'utf-8');
}

const notPlain = () => unreadable('The format is not supported. Save the file as .xlsx or .csv.');
