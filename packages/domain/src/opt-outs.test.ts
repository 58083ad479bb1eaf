import { expect, test } from 'vitest';
import {
  isSpike,
  isSuppressible,
  optOutOf,
  optOutWord,
  respectsOptOut,
  START_WORDS,
  STOP_WORDS,
} from './opt-outs.ts';

const words = { stopWords: STOP_WORDS, startWords: START_WORDS };

test.each([
  ['STOP', 'stop'],
  ['stop.', 'stop'],
  ['  «Стоп!» ', 'stop'],
  ['Отписаться', 'stop'],
  ['arret', 'stop'],
  ['Arrêt', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['Start', 'start'],
  ['старт', 'start'],
  ['please stop it', null],
  ['stops', null],
  ['да', null],
  ['', null],
  ['!!!', null],
  [`stop${'!'.repeat(200)}`, null],
])('%j asks for %s', (text, asked) => {
  expect(optOutOf(text, words)).toBe(asked);
});

test('the words of an account replace the default ones', () => {
  const own = { stopWords: ['Хватит ёлок'], startWords: ['ещё'] };
  expect(optOutOf('хватит  елок', own)).toBe('stop');
  expect(optOutOf('Еще', own)).toBe('start');
  expect(optOutOf('STOP', own)).toBeNull();
});

test('й and и are different letters', () => {
  expect(optOutWord('Домой')).toBe('домой');
});

test('codes and checks of a number are sent to all', () => {
  expect(
    ['flashcall', 'telegramcode', 'hlr', 'smsping'].map((t) => isSuppressible(t as 'hlr')),
  ).toEqual(Array(4).fill(false));
  expect(isSuppressible('sms')).toBe(true);
  expect(respectsOptOut('sms', { group: 'service', isBulk: false })).toBe(false);
  expect(respectsOptOut('sms', { group: 'service', isBulk: true })).toBe(true);
  expect(respectsOptOut('sms', { group: 'advertising', isBulk: false })).toBe(true);
  expect(respectsOptOut('hlr', { group: 'advertising', isBulk: true })).toBe(false);
});

test.each([
  [19, 0, false],
  [20, 0, true],
  [20, 70, false],
  [30, 70, true],
])('%i in a day after %i in a week: %s', (today, before, isUnusual) => {
  expect(isSpike(today, before)).toBe(isUnusual);
});
