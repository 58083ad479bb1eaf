import {
  amountInWords,
  parseMoney,
  printedAmount,
  type DocumentFacts,
  type PartyFacts,
} from '@heliograph/domain';
import type { Content } from 'pdfmake';
import { joined, textOf } from './text.ts';

const TOP: [number, number, number, number] = [0, 4, 0, 4];

const partyLine = (party: PartyFacts): string =>
  joined(
    party.name,
    party.inn && `ИНН ${party.inn}`,
    party.kpp && `КПП ${party.kpp}`,
    party.address,
    party.phone && `тел. ${party.phone}`,
  );

/** Supplier and buyer of an invoice or act. */
export function parties({ type, seller, buyer }: DocumentFacts): Content {
  const [first, second] =
    type === 'invoice' ? ['Поставщик', 'Покупатель'] : ['Исполнитель', 'Заказчик'];
  const row = (name: string, party: PartyFacts): Content[] => [
    { text: `${name}:` },
    textOf(partyLine(party), { bold: true }),
  ];
  return {
    table: { widths: [70, '*'], body: [row(first!, seller), row(second!, buyer)] },
    layout: 'noBorders',
    margin: TOP,
  };
}

const right = (text: string, bold = false): Content => ({ text, alignment: 'right', bold });
const head = (text: string): Content => ({ text, bold: true, alignment: 'center' });

/** One line: the service for the whole sum. */
export function itemsTable({ sum }: DocumentFacts): Content {
  if (!sum) return { text: '' };
  const amount = printedAmount(sum.amount);
  return {
    table: {
      headerRows: 1,
      widths: [22, '*', 44, 34, 84, 84],
      body: [
        ['№', 'Наименование', 'Кол-во', 'Ед.', 'Цена', 'Сумма'].map(head),
        [
          { text: '1', alignment: 'center' },
          textOf(sum.service),
          right('1'),
          { text: 'усл.', alignment: 'center' },
          right(amount),
          right(amount),
        ],
      ],
    },
    margin: TOP,
  };
}

export function totals({ type, sum }: DocumentFacts): Content {
  if (!sum) return { text: '' };
  const amount = printedAmount(sum.amount);
  const vat: [string, string] =
    sum.vatRate === null
      ? ['Без налога (НДС):', '—']
      : [`В том числе НДС ${sum.vatRate}%:`, printedAmount(sum.vatAmount)];
  const rows: [string, string][] = [
    ['Итого:', amount],
    vat,
    ...(type === 'invoice' ? [['Всего к оплате:', amount] as [string, string]] : []),
  ];
  return {
    table: {
      widths: ['*', 100],
      body: rows.map(([name, value]) => [right(name, true), right(value, true)]),
    },
    layout: 'noBorders',
  };
}

/** The number of lines, the sum, and the sum in words. */
export function wordsBlock({ sum }: DocumentFacts): Content {
  if (!sum) return { text: '' };
  return {
    stack: [
      { text: `Всего наименований 1, на сумму ${printedAmount(sum.amount)} руб.` },
      { text: amountInWords(parseMoney(sum.amount)), bold: true },
    ],
    margin: TOP,
  };
}

const signature = (position: string, name: string): Content => ({
  stack: [
    textOf(position, { bold: true }),
    { text: ' ', margin: [0, 8, 0, 0] },
    { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 130, y2: 0, lineWidth: 0.7 }] },
    textOf(name ? `/ ${name} /` : '/', { fontSize: 8.5, margin: [0, 2, 0, 0] }),
  ],
});
const STAMP: Content = { text: 'М.П.', color: '#777777', margin: [0, 14, 0, 0] };

/** The seller signs an invoice; both sides sign a contract or act. */
export function signatures({ type, seller, buyer }: DocumentFacts): Content {
  const director = signature(seller.signerPosition || 'Руководитель', seller.signerName);
  const columns =
    type === 'invoice'
      ? [director, signature('Бухгалтер', seller.accountant || seller.signerName)]
      : [
          { stack: [{ text: 'Исполнитель', bold: true }, director, STAMP] },
          {
            stack: [
              { text: 'Заказчик', bold: true },
              signature(buyer.signerPosition, buyer.signerName),
              STAMP,
            ],
          },
        ];
  return {
    columns: [
      ...columns.map((column) => ({ ...column, width: '*' as const })),
      ...(type === 'invoice' ? [{ ...STAMP, width: 60 as const }] : []),
    ],
    columnGap: 20,
    unbreakable: true,
    margin: [0, 10, 0, 6],
  };
}
