declare module 'pdfmake' {
  /** The parts of a document definition that documents use (https://pdfmake.github.io/docs). */
  export interface Style {
    fontSize?: number;
    bold?: boolean | undefined;
    alignment?: 'left' | 'center' | 'right' | 'justify';
    margin?: [number, number, number, number];
    wordBreak?: 'normal' | 'break-all';
    color?: string;
    lineHeight?: number;
  }
  /** One of text, stack, columns, table, qr and canvas. An empty object fills a cell that is spanned. */
  export interface Content extends Style {
    text?: string;
    stack?: Content[];
    columns?: Content[];
    table?: Table;
    qr?: string;
    canvas?: object[];
    width?: number | '*' | 'auto';
    columnGap?: number;
    colSpan?: number;
    rowSpan?: number;
    layout?: string;
    pageBreak?: 'before';
    unbreakable?: boolean;
    eccLevel?: 'L' | 'M' | 'Q' | 'H';
    fit?: number;
  }
  export interface Table {
    widths: (number | '*' | 'auto')[];
    body: Content[][];
    headerRows?: number;
    dontBreakRows?: boolean;
  }
  export interface DocumentDefinition {
    content: Content[];
    info: Record<string, string | Date>;
    pageSize: string;
    pageMargins: [number, number, number, number];
    defaultStyle: Style;
    footer: (page: number, pages: number) => Content;
  }
  interface PdfMake {
    setFonts(fonts: Record<string, Record<string, string>>): void;
    setUrlAccessPolicy(policy: (url: string) => boolean): void;
    setLocalAccessPolicy(policy: (path: string) => boolean): void;
    createPdf(definition: DocumentDefinition): { getBuffer(): Promise<Buffer> };
  }
  const pdfmake: PdfMake;
  export default pdfmake;
}
