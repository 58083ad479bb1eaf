import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { sharedStrings } from './xlsx.ts';

const read = (...chunks: string[]) =>
  sharedStrings(Readable.from(chunks.map((c) => Buffer.from(c))));

test('strings are what is read, however the part is cut', async () => {
  const text =
    '<sst count="5"><si/><si><t>A &amp; B</t></si><si /><si><r><rPr><b/><sz val="9"/></rPr><t>Пё</t></r>' +
    '<r><t xml:space="preserve">тр </t></r></si><si><t>東</t><rPh sb="0" eb="1"><t>ひがし</t></rPh></si></sst>';
  const strings = ['', 'A & B', '', 'Пётр ', '東'];
  expect(await read(text)).toEqual(strings);
  expect(await read(...text)).toEqual(strings);
  const prefixed = text.replaceAll('<', '<x:').replaceAll('<x:/', '</x:');
  expect(await read(prefixed)).toEqual(strings);
  expect(await read('<sst/>')).toEqual([]);
});

test('more than three millions of them are refused, and one without end', async () => {
  const many = Array.from({ length: 31 }, () => '<si></si>'.repeat(100_000));
  await expect(read('<sst>', ...many)).rejects.toMatchObject({ code: 'too_large' });
  const runs = Array.from({ length: 40 }, () => '<r/>'.repeat(4096));
  await expect(read('<sst><si>', ...runs)).rejects.toMatchObject({ code: 'unreadable_file' });
});
