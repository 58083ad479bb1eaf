import { expect, test } from 'vitest';
import { startsFormula, transliterate } from './transliterate.ts';

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);
const hasCyrillic = (text: string) => /^[\x20-\x7eа-яА-ЯёЁ]*$/.test(text);

test.each([
  ['₽', 'RUB'],
  ['é', 'e'],
  ['“', "'"],
  ['—', '-'],
  ['…', '...'],
  ['Щ', 'Shch'],
  ['ъ', ''],
  ['😀', ':)'],
  ['❤', '<3'],
  ['漢', '?'],
  ['\ufe0f', ''],
  ['ﬁ', 'fi'],
])('%s becomes %s in ASCII', (character, text) => {
  expect(transliterate(character, isAscii)).toBe(text);
});

test('letters of other Cyrillic alphabets become the closest Russian ones', () => {
  expect(
    [...'ҚазақстанӨзбек'].map((c) => (hasCyrillic(c) ? c : transliterate(c, hasCyrillic))),
  ).toEqual([...'КазакстанОзбек']);
});

test('no replacement can end a CSV cell', () => {
  const wrong: string[] = [];
  for (let code = 0x80; code <= 0x1ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const text = transliterate(String.fromCodePoint(code), isAscii);
    // The transcoder reserves twice the bytes of a character.
    const limit = 2 * (code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
    if (/[";,\r\n\t]/.test(text) || text.length > limit) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('knows every character that starts a formula after transliteration', () => {
  for (const character of '=+-@\t\r\n＝＋－＠−﹣⁺\u200b\ufeff')
    expect([character, startsFormula(character)]).toEqual([character, true]);
  for (const character of 'aя1"«№')
    expect([character, startsFormula(character)]).toEqual([character, false]);
  const all = Array.from({ length: 0xd800 }, (_, code) => String.fromCodePoint(code));
  expect(all.filter(startsFormula).length).toBeLessThan(300);
});
