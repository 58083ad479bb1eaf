/** The parsers of exceljs, which its own types leave out. */
declare module 'exceljs/lib/xlsx/xform/book/workbook-xform.js' {
  import type { Readable } from 'node:stream';
  export default class WorkbookXform {
    model?: { sheets?: { name?: string; rId: string; state?: string }[] };
    map: { workbookPr: { model?: { date1904?: boolean } } };
    parseStream(part: Readable): Promise<unknown>;
  }
}
declare module 'exceljs/lib/xlsx/xform/core/relationships-xform.js' {
  import type { Readable } from 'node:stream';
  export default class RelationshipsXform {
    parseStream(part: Readable): Promise<{ Id: string; Target: string }[]>;
  }
}
declare module 'exceljs/lib/xlsx/xform/style/styles-xform.js' {
  import type { Readable } from 'node:stream';
  export default class StylesXform {
    parseStream(part: Readable): Promise<unknown>;
    getStyleModel(id: number): { numFmt?: string } | null;
  }
}
