import type { DocumentFacts } from '@heliograph/domain';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pdfmake from 'pdfmake';
import { documentDefinition } from './definition.ts';

const FONTS = join(
  dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')),
  'fonts/Roboto',
);
const font = (name: string): string => join(FONTS, `Roboto-${name}.ttf`);

pdfmake.setFonts({
  Roboto: { normal: font('Regular'), bold: font('Medium'), italics: font('Italic') },
});
// Documents refer to nothing outside: only the fonts are read.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => path.startsWith(FONTS));

/** The end of the documents that are being made: one at a time, which bounds the memory that they take. */
let last: Promise<unknown> = Promise.resolve();

/** The PDF of a document. The same facts give the same bytes. */
export function makePdf(facts: DocumentFacts): Promise<Buffer> {
  const made = last.then(() => pdfmake.createPdf(documentDefinition(facts)).getBuffer());
  last = made.catch(() => undefined);
  return made;
}
