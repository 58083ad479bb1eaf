import {
  DEFAULT_TEMPLATES,
  MAX_QR_BYTES,
  sampleDocument,
  printedText,
  unprintable,
  type DocumentFacts,
  type DocumentType,
} from '@heliograph/domain';
import { createCanvas } from '@napi-rs/canvas';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import decodeQr from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import { makePdf } from './make-pdf.ts';
import { qrText } from './qr-block.ts';

const SCALE = 3;
/** Set to keep the pictures of the documents. */
const { PICTURES_DIR } = process.env;

const sample = (type: DocumentType, changes: Partial<DocumentFacts> = {}): DocumentFacts => ({
  ...sampleDocument(type, [...DEFAULT_TEMPLATES[type]]),
  ...changes,
});

interface Page {
  text: string;
  image: { width: number; height: number; data: Uint8ClampedArray };
}

/** The pages of a PDF as pictures, with their text. */
async function pagesOf(pdf: Buffer, name: string): Promise<Page[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await task.promise;
  const pages: Page[] = [];
  for (let n = 1; n <= document.numPages; n++) {
    const page = await document.getPage(n);
    const viewport = page.getViewport({ scale: SCALE });
    const canvas = createCanvas(viewport.width, viewport.height);
    const context = canvas.getContext('2d');
    await page.render({ canvas: canvas as never, canvasContext: context as never, viewport })
      .promise;
    const { items } = await page.getTextContent();
    const image = context.getImageData(0, 0, canvas.width, canvas.height);
    pages.push({
      text: items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replace(/\s+/g, ' '),
      image: { width: image.width, height: image.height, data: image.data },
    });
    if (PICTURES_DIR)
      await writeFile(`${PICTURES_DIR}/${name}-${n}.png`, canvas.toBuffer('image/png'));
  }
  await task.destroy();
  return pages;
}

/** The code on the last page. */
const scan = (pages: Page[]): string => decodeQr(pages.at(-1)!.image);

const long = (words: string, length: number) => words.repeat(length).slice(0, length);
const LONG_PARTY = {
  name: long('Общество с ограниченной ответственностью «Чайные традиции» ', 300),
  address: long(
    '101000, Россия, г. Москва, Большая Почтовая улица, домовладение 55/59, строение 1 ',
    300,
  ),
};

describe('an invoice', () => {
  test('has every block, and its code is read from the picture', async () => {
    const facts = sample('invoice');
    const pages = await pagesOf(await makePdf(facts), 'invoice');
    expect(pages).toHaveLength(1);
    const [{ text }] = pages as [Page];
    for (const shown of [
      'Счёт на оплату № 2026-00001 от 22 ноября 2026 г.',
      'БИК 044525225',
      'Поставщик:',
      'Покупатель:',
      'В том числе НДС 22%: 180,33',
      'Всего к оплате: 1 000,00',
      'Одна тысяча рублей 00 копеек',
      'Счёт действителен до 27.11.2026',
      'Орлова Марина Сергеевна',
      'М.П.',
    ])
      expect(text).toContain(shown);
    expect(scan(pages)).toBe(qrText(facts));
  });

  test('without VAT and without KPP says so and has no empty labels', async () => {
    const { seller, buyer, sum } = sample('invoice');
    const facts = sample('invoice', {
      seller: { ...seller, kpp: '' },
      buyer: { ...buyer, kpp: '' },
      sum: { ...sum!, vatRate: null, vatAmount: '0.00' },
    });
    const pages = await pagesOf(await makePdf(facts), 'invoice-no-vat');
    expect(pages[0]!.text).toContain('Без налога (НДС): —');
    expect(pages[0]!.text).not.toContain('КПП');
    expect(scan(pages)).not.toContain('KPP');
  });

  test('with long names and addresses and the largest amount stays within the page, and its code can be read', async () => {
    const { seller, buyer, sum } = sample('invoice');
    const facts = sample('invoice', {
      seller: { ...seller, ...LONG_PARTY },
      buyer: { ...buyer, ...LONG_PARTY, name: 'Щ'.repeat(300) },
      sum: { ...sum!, amount: '999999999.99', vatAmount: '180327868.85' },
    });
    const pages = await pagesOf(await makePdf(facts), 'invoice-long');
    expect(pages.map(({ text }) => text).join(' ')).toContain('999 999 999,99');
    expect(scan(pages)).toBe(qrText(facts));
    expect(Buffer.byteLength(qrText(facts))).toBeLessThanOrEqual(MAX_QR_BYTES);
  });

  test('shows markup, braces and letters without a glyph as text, and a separator adds no field to the code', async () => {
    const { seller, buyer } = sample('invoice');
    const name = '<b>ООО</b> {number} | Sum=1|Sum=2 茶🍵\u0000\t';
    const facts = sample('invoice', { seller: { ...seller, name }, buyer: { ...buyer, name } });
    const pages = await pagesOf(await makePdf(facts), 'invoice-markup');
    expect(pages[0]!.text).toContain('<b>ООО</b> {number} | Sum=1|Sum=2');
    const sums = scan(pages)
      .split('|')
      .filter((field) => field.startsWith('Sum='));
    expect(sums).toEqual(['Sum=100000']);
  });
});

test.each(['act', 'contract'] as const)(
  'a document of the type %s has both sides',
  async (type) => {
    const pages = await pagesOf(await makePdf(sample(type)), type);
    const text = pages.map((page) => page.text).join(' ');
    for (const shown of ['Исполнитель', 'Заказчик', 'ООО «Гелиограф»', 'ООО «Чайный дом»'])
      expect(text).toContain(shown);
  },
);

test('a long template becomes several numbered pages', async () => {
  const blocks = Array.from({ length: 60 }, () => ({
    kind: 'text' as const,
    text: long('Стороны договорились о нижеследующем. ', 400),
  }));
  const pages = await pagesOf(await makePdf(sample('contract', { blocks })), 'contract-long');
  expect(pages.length).toBeGreaterThan(1);
  expect(pages[0]!.text).toContain(`стр. 1 из ${pages.length}`);
});

test('every letter, digit and sign is in the fonts, or refused where it is entered', () => {
  const require = createRequire(import.meta.url);
  const pdfmake = createRequire(require.resolve('pdfmake/package.json'));
  const { openSync } = createRequire(pdfmake.resolve('pdfkit'))('fontkit') as {
    openSync: (path: string) => { characterSet: number[] };
  };
  const fonts = ['Regular', 'Medium', 'Italic'].map((name) => {
    const path = require.resolve(`pdfmake/fonts/Roboto/Roboto-${name}.ttf`);
    return new Set(openSync(path).characterSet);
  });
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    // The place of an object that is not in the text.
    if (code === 0xfffc) continue;
    const character = String.fromCodePoint(code);
    // Composed characters stand for what decomposes into them.
    if (!/[\p{L}\p{N}\p{P}\p{S}\p{Zs}]/u.test(character) || character !== character.normalize())
      continue;
    // What has no form is left out of documents.
    if (printedText(character) === '') continue;
    const isShown = fonts.every((font) => font.has(code));
    if (isShown === unprintable(character).length > 0) wrong.push(`U+${code.toString(16)}`);
  }
  expect(wrong).toEqual([]);
});

test('the same facts give the same bytes', async () => {
  const [first, second] = [await makePdf(sample('invoice')), await makePdf(sample('invoice'))];
  expect(second.equals(first)).toBe(true);
});

test('documents take nothing of the thread that answers callers', async () => {
  await makePdf(sample('invoice'));
  const before = process.threadCpuUsage();
  const made = await Promise.all(Array.from({ length: 20 }, () => makePdf(sample('invoice'))));
  expect(new Set(made.map((pdf) => pdf.subarray(0, 5).toString()))).toEqual(new Set(['%PDF-']));
  // They take 40 ms each of the other thread.
  expect(process.threadCpuUsage(before).user).toBeLessThan(300_000);
});
