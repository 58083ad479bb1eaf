import { describe, expect, it } from 'vitest';
import { createFormats } from './formats.ts';

const ru = createFormats('ru', 'RUB', 'UTC');
const en = createFormats('en', 'RUB', 'UTC');
/** Intl writes several kinds of space; a test reads better with one. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('money', () => {
  it.each([
    [0, '0,00 ₽', '₽0.00'],
    [21300, '21 300,00 ₽', '₽21,300.00'],
    [2.6, '2,60 ₽', '₽2.60'],
    [2.13, '2,13 ₽', '₽2.13'],
    [0.0001, '0,0001 ₽', '₽0.0001'],
    [-1234567.89, '-1 234 567,89 ₽', '-₽1,234,567.89'],
  ])('%d', (value, inRussian, inEnglish) => {
    expect(plain(ru.money(value))).toBe(inRussian);
    expect(plain(en.money(value))).toBe(inEnglish);
  });
});

it('countries are called by their names, and what is no code stays', () => {
  expect(en.region('KZ')).toBe('Kazakhstan');
  expect(ru.region('KZ')).toBe('Казахстан');
  expect(en.region('Kazakhstan')).toBe('Kazakhstan');
});

describe('numbers and dates', () => {
  it('follows the locale', () => {
    expect(plain(ru.number(10000))).toBe('10 000');
    expect(en.number(10000)).toBe('10,000');
    expect(plain(ru.percent(0.581))).toBe('58,1 %');
    const now = new Date('2026-11-22T05:52:37Z');
    expect(en.dateTimeShort('2026-11-22T02:17:37Z', now)).toBe('Nov 22, 02:17');
    expect(plain(ru.dateTimeShort('2026-11-22T02:17:37Z', now))).toBe('22 нояб., 02:17');
    expect(en.dateTimeShort('2025-11-22T02:17:37Z', now)).toBe('Nov 22, 2025');
    expect(plain(en.dateTime('2026-11-21T15:52:37Z'))).toBe('Nov 21, 2026, 15:52:37');
    expect(plain(en.date('2026-11-21T05:52:37Z'))).toBe('Nov 21, 2026');
  });
});
