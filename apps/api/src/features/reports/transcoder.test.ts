import { REPORT_DELIMITERS, REPORT_ENCODINGS, type ReportEncoding } from '@heliograph/contract';
import { startsFormula, transliterate } from '@heliograph/domain';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { CellKind } from './cell-sql.ts';
import { Transcoder } from './transcoder.ts';

const TEXT = 'id;text\n1;"Чай «Ассам»\nна развес"\n2;Ёж – 5 ₽\n3;😀\n';

test.each([1, 2, 3, 7, 1000])('gives the same bytes for chunks of %i bytes', (size) => {
  const input = Buffer.from(TEXT);
  const transcoder = new Transcoder('win1251', ';');
  const parts: Buffer[] = [];
  for (let at = 0; at < input.length; at += size) {
    const part = transcoder.push(input.subarray(at, at + size));
    if (part) parts.push(part);
  }
  parts.push(transcoder.end());
  expect(iconv.decode(Buffer.concat(parts), 'win1251')).toBe(
    'id;text\r\n1;"Чай «Ассам»\nна развес"\r\n2;Ёж – 5 RUB\r\n3;:)\r\n',
  );
  expect(transcoder).toMatchObject({ rows: 4, replaced: 2 });
});

test('takes no more than twice the bytes for characters that are replaced', () => {
  const transcoder = new Transcoder('win1252', ';');
  const parts = Array.from({ length: 300 }, () => transcoder.push(Buffer.from('щ'.repeat(1000))));
  parts.push(transcoder.end());
  const text = Buffer.concat(parts.filter((part) => part !== null)).toString('latin1');
  expect(text).toBe('shch'.repeat(300_000));
});

const CELLS = [
  ['=1', "'=1"],
  ['"=1;2"', `"'=1;2"`],
  ['"""=1"', '"""=1"'],
  ['"\n=1"', `"'\n=1"`],
  ['""', '""'],
  ['', ''],
  ['−1', "'-1"],
  ['x=1', 'x=1'],
  ['+79990000000', "'+79990000000"],
] as const;

test.each([1, 2, 3, 1000])(
  'writes an apostrophe before formulas and not before phones, in chunks of %i bytes',
  (size) => {
    const transcoder = new Transcoder('win1251', ';', ['plain', 'text', 'phone']);
    transcoder.header(['=a', 'b', 'c']);
    const rows = CELLS.map(([cell]) => `-1;${cell};+79990000000\n`).join('');
    const input = Buffer.from(`${rows}=1;;+7x\n=1;;+7\n=1;;\n`);
    const parts: (Buffer | null)[] = [];
    for (let at = 0; at < input.length; at += size)
      parts.push(transcoder.push(input.subarray(at, at + size)));
    parts.push(transcoder.end());
    const text = Buffer.concat(parts.filter((part) => part !== null)).toString('latin1');
    const expected = CELLS.map(([, cell]) => `-1;${cell};+79990000000\r\n`).join('');
    expect(text).toBe(`=a;b;c\r\n${expected}=1;;'+7x\r\n=1;;+7\r\n=1;;\r\n`);
  },
);

const KINDS: CellKind[] = ['plain', 'text', 'phone', 'text'];
const ALPHABET = [
  ...'aZ09.?|;,\t"\'\n\r=+-@\u0001\u007féßЯжёЇ«»„–№…₽€−＝﹣⁺\u200b中😀🧡𝟙',
  'Ваш заказ ',
  '+7999',
  'the quick brown fox ',
];
/** Cells as Postgres has them: null, empty, or a few parts of the alphabet. */
function randomCell(random: (below: number) => number): string | null {
  const length = random(8) - 1;
  if (length < 0) return null;
  return Array.from({ length }, () => ALPHABET[random(ALPHABET.length)]).join('');
}

/** A generator of whole numbers that gives the same ones for a seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const quoted = (cell: string | null, delimiter: string, prefix = ''): string => {
  if (cell === null) return '';
  const isQuoted = cell === '' || [delimiter, '"', '\n', '\r'].some((c) => cell.includes(c));
  return isQuoted ? `"${prefix}${cell.replaceAll('"', '""')}"` : prefix + cell;
};

/** What the transcoder is to do, character by character. */
function plainly(rows: (string | null)[][], encoding: ReportEncoding, delimiter: string) {
  let replaced = 0;
  const isEncodable = (text: string) =>
    [...text].every(
      (c) => c.length === 1 && iconv.decode(iconv.encode(c, encoding), encoding) === c,
    );
  const converted = (character: string): string => {
    const isControl = /[^\P{Cc}\t\n\r\u007f-\u009f]/u.test(character);
    if (!isControl && (encoding === 'utf8' || isEncodable(character))) return character;
    replaced++;
    return isControl ? ' ' : transliterate(character, isEncodable);
  };
  const lines = rows.map((cells) =>
    cells.map((cell, i) => {
      const first = [...(cell ?? '')][0];
      const isPhone = KINDS[i] === 'phone' && /^\+[+\d]*$/.test(cell!);
      const isFormula = KINDS[i] !== 'plain' && first && startsFormula(first) && !isPhone;
      return [...quoted(cell, delimiter, isFormula ? "'" : '')].map(converted).join('');
    }),
  );
  const text = lines.map((cells) => `${cells.join(delimiter)}\r\n`).join('');
  return { bytes: iconv.encode(text, encoding, { addBOM: encoding === 'utf8' }), replaced };
}

const FORMS = REPORT_ENCODINGS.flatMap((encoding) =>
  REPORT_DELIMITERS.map((delimiter) => [encoding, delimiter] as const),
);

test.each(FORMS)('random cells, cut anywhere, in %s with %j', (encoding, delimiter) => {
  const random = seeded(25);
  for (let n = 0; n < 300; n++) {
    const rows = Array.from({ length: 1 + random(12) }, () => KINDS.map(() => randomCell(random)));
    const lines = rows.map((cells) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter));
    const input = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const transcoder = new Transcoder(encoding, delimiter, KINDS);
    transcoder.header([]);
    const parts: Buffer[] = [];
    const longest = 1 + random(40);
    for (let at = 0; at < input.length;) {
      const end = at + 1 + random(longest);
      parts.push(transcoder.push(input.subarray(at, end)) ?? Buffer.alloc(0));
      at = end;
    }
    parts.push(transcoder.end());
    const expected = plainly([[], ...rows], encoding, delimiter);
    const given = { bytes: Buffer.concat(parts), replaced: transcoder.replaced };
    expect(iconv.decode(given.bytes, encoding)).toBe(iconv.decode(expected.bytes, encoding));
    expect(given).toEqual(expected);
    expect(transcoder.rows).toBe(rows.length);
  }
});
