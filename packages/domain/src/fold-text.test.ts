import { expect, test } from 'vitest';
import { foldText, hasWords } from './fold-text.ts';
import { foldWords } from './fold-words.ts';

test.each([
  ['Ёлка', 'елка'],
  ['Ёлка'.normalize('NFD'), 'елка'],
  ['Cœur d’Été', "coeur d'ete"],
  ['Straße', 'strasse'],
  ['ＦＵＬＬ ﬁn ™', 'full fin tm'],
  ['за\u0301мок', 'замок'],
  ['10\u00a0000\u202f₽', '10 000 ₽'],
  [`Ёл${'\u0301'.repeat(200)}ка ＡＢ`, 'елка ab'],
  [`Лук${'\u02bc'}яненко`, "лук'яненко"],
  ['oʻzbek oʼzbek o‘zbek', "o'zbek o'zbek o'zbek"],
  ['d´Été d`Été d′Été d＇Été', "d'ete d'ete d'ete d'ete"],
  ['İstanbul Łódź ΟΔΟΣ', 'istanbul lodz οδοσ'],
])('%s is compared as %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test.each(['й', 'ї', 'ў'])('%s is a letter of its own, in NFC and NFD', (letter) => {
  expect(foldText(letter)).toBe(letter);
  expect(foldText(letter.toUpperCase().normalize('NFD'))).toBe(letter);
});

test('words are found in any order, with what messengers hide around them', () => {
  expect(hasWords('Чёрный чай', '\u200eчай чЕрН\u200e')).toBe(true);
  expect(hasWords('Чёрный чай', 'чай кофе')).toBe(false);
  expect(hasWords('Чёрный чай', ' ')).toBe(true);
});

test('an apostrophe parts words, as whatever letter it is written', () => {
  for (const sign of '\u02bc\u02bb\u2019`´\u2032\u05f3') {
    expect([sign, foldWords(`мʼята`.replace('ʼ', sign))]).toEqual([sign, 'м ята']);
    expect(hasWords(`Лук${sign}яненко`, "лук'яненко")).toBe(true);
    expect(hasWords("Лук'яненко", `Лук${sign}яненко`)).toBe(true);
  }
});

test('words of languages with marks of their own stay whole', () => {
  expect(foldWords('がんばれ! हिन्दी')).toBe(foldWords('がんばれ हिन्दी'.normalize('NFD')));
  expect(foldWords('がんばれ')).toBe('がんばれ');
});
