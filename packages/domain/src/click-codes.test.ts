import { expect, test } from 'vitest';
import {
  BASE62,
  CLICK_CODE,
  CLICK_CODE_COST,
  compileClickCodes,
  EXAMPLE_CLICK_CODE,
  MAX_CLICK_NUMBER,
  putClickCodes,
  readClickCode,
  shortLinksIn,
  withoutClickCode,
  writeClickCode,
} from './click-codes.ts';
import { compileContent } from './message-content.ts';
import { countSegments } from './segments.ts';

const LINK = 'https://go.example/s/aB3dE6gH9';
const CODE = writeClickCode({ task: 7, number: 41, mac: 0x0123456789abn });
const MAX_MAC = (1n << 48n) - 1n;

test.each([
  [0, 0, 0n],
  [1, 0, 1n],
  [7, 41, 0x0123456789abn],
  [2 ** 27 - 1, MAX_CLICK_NUMBER, MAX_MAC],
])('a code of task %i and recipient %i is read as it was written', (task, number, mac) => {
  const code = writeClickCode({ task, number, mac });
  expect(code).toMatch(/^[A-Za-z0-9]{17}$/);
  expect(code).toHaveLength(EXAMPLE_CLICK_CODE.length);
  expect(readClickCode(code)).toEqual({ task, number, mac });
});

test('one code is read in one way: no other text reads the same', () => {
  const others = [...CODE].flatMap((_, at) =>
    [...BASE62].map((char) => CODE.slice(0, at) + char + CODE.slice(at + 1)),
  );
  const read = others.map((code) => ({ code, read: readClickCode(code) }));
  const genuine = read.filter((one) => one.read !== null);
  expect(genuine.map((one) => writeClickCode(one.read!))).toEqual(genuine.map((one) => one.code));
  const same = genuine.filter((one) => one.read!.mac === 0x0123456789abn);
  expect(same.filter((one) => one.read!.task === 7 && one.read!.number === 41)).toEqual(
    Array.from(CODE, () => ({ code: CODE, read: { task: 7, number: 41, mac: 0x0123456789abn } })),
  );
});

test.each([
  '',
  'A',
  '9'.repeat(17),
  `${CODE}A`,
  CODE.slice(1),
  `${CODE.slice(1)}-`,
  `${CODE.slice(1)}é`,
])('%s is no code', (code) => expect(readClickCode(code)).toBeNull());

test('the code follows each of the links, and no link that goes on', () => {
  const put = putClickCodes([LINK, 'https://go.example/s/x.y']);
  expect(put(`See ${LINK}, (${LINK})! ${LINK}?a=1 ${LINK}`, 'C')).toBe(
    `See ${LINK}-C, (${LINK}-C)! ${LINK}-C?a=1 ${LINK}-C`,
  );
  for (const text of [`${LINK}x`, `${LINK}-x`, `${LINK}_`, 'https://go.example/s/xzy', ''])
    expect(put(text, 'C')).toBe(text);
  expect(putClickCodes([])(LINK, 'C')).toBe(LINK);
  expect(withoutClickCode(put(`${LINK} and ${LINK}.`, CODE), CODE)).toBe(`${LINK} and ${LINK}.`);
});

test('short links of an installation are found in a text', () => {
  const base = 'https://go.example/s';
  expect(
    shortLinksIn(base, `${LINK}, (${LINK}) ${LINK}-x ${base}/ https://other.example/s/x`),
  ).toEqual([LINK, LINK]);
});

test('links of texts and buttons have the code, as do those in values and defaults', () => {
  const texts = {
    text: `{firstName|friend}, see ${LINK}`,
    subject: 'Sale',
    button: { text: 'Open', url: LINK },
    buttons: [{ text: 'Open', action: LINK }],
  };
  const content = compileClickCodes(compileContent('viber', texts), texts, [LINK])!;
  expect(content.isStatic).toBe(false);
  expect(content.render({ [CLICK_CODE]: CODE })).toEqual({
    text: `friend, see ${LINK}-${CODE}`,
    parts: {
      subject: 'Sale',
      button: { text: 'Open', url: `${LINK}-${CODE}` },
      buttons: [{ text: 'Open', action: `${LINK}-${CODE}` }],
    },
  });
  expect(content.render({ firstName: LINK, [CLICK_CODE]: CODE })!.text).toBe(
    `${LINK}-${CODE}, see ${LINK}-${CODE}`,
  );
  // A text without a recipient is as it was written.
  expect(content.render({})).toEqual({ text: `friend, see ${LINK}`, parts: null });
});

test('a message without any of the links is compiled as it is', () => {
  const texts = { text: 'Tea is ready' };
  expect(compileClickCodes(compileContent('sms', texts), texts, [LINK])).toBeNull();
});

test('all codes cost as many characters of a text, also of the SMS alphabet', () => {
  const put = putClickCodes([LINK]);
  const base = countSegments(LINK).characters;
  for (const code of [CODE, EXAMPLE_CLICK_CODE])
    expect(countSegments(put(LINK, code))).toMatchObject({
      characters: base + CLICK_CODE_COST,
      encoding: 'ascii',
    });
});
