import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldValue, parseBoolean, plainDecimal } from './field-types.ts';

describe('plainDecimal', () => {
  it.each([
    ['12', '12'],
    ['12.50', '12.5'],
    ['12,5', '12.5'],
    ['0,125', '0.125'],
    ['1 234,50', '1234.5'],
    ['1\u202f234\u00a0567', '1234567'],
    ["1'234.5", '1234.5'],
    ['1,234.56', '1234.56'],
    ['1,234,567', '1234567'],
    ['1.234,56', '1234.56'],
    ['1.234.567', '1234567'],
    ['1.234', '1.234'],
    ['\u22127', '-7'],
    ['-0.0', '0'],
    ['007', '7'],
    ['٤٢', '42'],
    // Either sign.
    ['1,234', null],
    ['-12,345', null],
    ['1,23,456', null],
    ['1e5', null],
    ['12 kg', null],
    ['NaN', null],
    ['.5', null],
    ['5.', null],
    ['-', null],
    ['', null],
    ['1234567890123456', null],
  ])('%j is %j', (text, expected) => {
    expect(plainDecimal(text)).toBe(expected);
  });

  it('leaves what it has read as it is', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(999_999), (whole, decimals) => {
        const value = plainDecimal(`${whole}.${decimals}`)!;
        expect(plainDecimal(value)).toBe(value);
        expect(Number(value)).toBe(Number(`${whole}.${decimals}`));
      }),
    );
  });
});

describe('parseBoolean', () => {
  it.each([
    ['Да', 'true'],
    [' YES ', 'true'],
    ['Sí', 'true'],
    ['1', 'true'],
    ['ИСТИНА', 'true'],
    ['нет', 'false'],
    ['Não', 'false'],
    ['false', 'false'],
    ['maybe', null],
    ['', null],
  ])('%j is %j', (text, expected) => {
    expect(parseBoolean(text)).toBe(expected);
  });
});

describe('fieldValue', () => {
  const choice = { type: 'choice', values: ['Gold', 'Élite'] } as const;
  it.each([
    ['a text stays as it is', ' 1,5', { type: 'text', values: [] }, ' 1,5'],
    ['a date is stored as ISO', '31.12.1990', { type: 'date', values: [] }, '1990-12-31'],
    ['a day that does not exist', '31.02.1990', { type: 'date', values: [] }, null],
    ['a choice is written as it offers it', 'gold ', choice, 'Gold'],
    ['whatever its accents', 'elite', choice, 'Élite'],
    ['another value', 'Silver', choice, null],
  ] as const)('%s', (_, text, field, expected) => {
    expect(fieldValue(text, field)).toBe(expected);
  });

  it('reads dates in the order of a column', () => {
    const date = { type: 'date', values: [] } as const;
    expect(fieldValue('05/12/1990', date, 'day')).toBe('1990-12-05');
    expect(fieldValue('05/12/1990', date, 'month')).toBe('1990-05-12');
  });
});
