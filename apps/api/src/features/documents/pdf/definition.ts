import {
  documentValues,
  renderTemplate,
  type DocumentFacts,
  type TemplateBlock,
} from '@heliograph/domain';
import type { Content, DocumentDefinition } from 'pdfmake';
import { bankBox, requisiteColumns } from './party-blocks.ts';
import { itemsTable, parties, signatures, totals, wordsBlock } from './sum-blocks.ts';
import { qrBlock } from './qr-block.ts';
import { textOf } from './text.ts';

/** Width of an A4 page without its margins, in points. */
const PAGE_WIDTH = 515;

const BLOCKS: Record<
  TemplateBlock['kind'],
  (facts: DocumentFacts, block: TemplateBlock) => Content
> = {
  heading: (_, { text, align }) =>
    textOf(text ?? '', { fontSize: 14, bold: true, alignment: align, margin: [0, 8, 0, 4] }),
  text: (_, { text, align }) => textOf(text ?? '', { alignment: align, margin: [0, 3, 0, 3] }),
  small: (_, { text, align }) =>
    textOf(text ?? '', { fontSize: 8, alignment: align, margin: [0, 3, 0, 3] }),
  bank: bankBox,
  parties,
  items: itemsTable,
  totals,
  words: wordsBlock,
  qr: qrBlock,
  signatures,
  requisites: requisiteColumns,
  line: () => ({
    canvas: [{ type: 'line', x1: 0, y1: 0, x2: PAGE_WIDTH, y2: 0, lineWidth: 1.2 }],
    margin: [0, 4, 0, 6],
  }),
  space: () => ({ text: ' ', margin: [0, 2, 0, 2] }),
  pageBreak: () => ({ text: '', pageBreak: 'before' }),
};

/** The definition of a document for pdfmake. */
export function documentDefinition(facts: DocumentFacts): DocumentDefinition {
  const blocks = renderTemplate(facts.blocks, documentValues(facts));
  // The id of a PDF is derived from its properties: a fixed time makes equal documents equal bytes.
  const CreationDate = new Date(`${facts.day}T00:00:00Z`);
  return {
    content: blocks.map((block) => BLOCKS[block.kind](facts, block)),
    info: {
      title: facts.number,
      author: facts.seller.name.slice(0, 100),
      creationDate: CreationDate,
    },
    pageSize: 'A4',
    pageMargins: [40, 36, 40, 44],
    defaultStyle: { fontSize: 9.5, lineHeight: 1.15 },
    footer: (page, pages) =>
      pages > 1
        ? {
            text: `${facts.number}, стр. ${page} из ${pages}`,
            fontSize: 8,
            alignment: 'right',
            color: '#555555',
            margin: [40, 12, 40, 0],
          }
        : { text: '' },
  };
}
