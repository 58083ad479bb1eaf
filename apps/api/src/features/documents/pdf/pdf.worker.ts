import type { DocumentFacts } from '@heliograph/domain';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pdfmake from 'pdfmake';
import { answers } from '../../../core/worker-answers.ts';
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

/** A document at a time, which bounds the memory that they take. */
answers((facts: DocumentFacts) => pdfmake.createPdf(documentDefinition(facts)).getBuffer());
