import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
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
