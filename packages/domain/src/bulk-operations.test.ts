import { describe, expect, it } from 'vitest';
import { coveredEntries, operationField, parseOperationAmount } from './bulk-operations.ts';
import { parseMoney } from './money.ts';
import { findSuperlinear } from './testing/complexity.ts';

const MAX = parseMoney(1e9);

describe('parseOperationAmount', () => {
  it.each([
    ['500', 500],
    ['+500', 500],
    ['-500', -500],
    ['−500,5', -500.5],
    ['– 12.3401', -12.3401],
    ['1 234,56', 1234.56],
    ['1\u00a0234\u202f567', 1_234_567],
    ["1'234.50", 1234.5],
    ['1,234.56', 1234.56],
    ['1.234.567,8', 1_234_567.8],
    ['1,234,567', 1_234_567],
    ['0.125', 0.125],
    ['1.2340', 1.234],
    ['12.50000', 12.5],
    ['1000000000', 1e9],
  ])('reads %s', (cell, amount) => {
    expect(parseOperationAmount(cell, MAX)).toBe(parseMoney(amount));
  });

  it.each([
    ['', 'amount'],
    ['ten', 'amount'],
    ['1e3', 'amount'],
    ['0x10', 'amount'],
    ['500 ₽', 'amount'],
    ['(500)', 'amount'],
    ['--5', 'amount'],
    ['5-', 'amount'],
    ['12 34', 'amount'],
    ['1,23,456', 'amount'],
    ['.5', 'amount'],
    ['5.', 'amount'],
    ['１００', 'amount'],
    ['9'.repeat(41), 'amount'],
    ['1,234', 'ambiguous_amount'],
    ['-1.234', 'ambiguous_amount'],
    ['1.23456', 'decimals'],
    ['0', 'zero'],
    ['-0,00', 'zero'],
    ['1000000000.0001', 'too_big'],
    ['9'.repeat(40), 'too_big'],
  ])('refuses %s', (cell, reason) => {
    expect(parseOperationAmount(cell, MAX)).toBe(reason);
  });

  it('takes linear time for any cell', () => {
    expect(findSuperlinear((cell) => parseOperationAmount(cell, MAX))).toEqual([]);
    expect(findSuperlinear(operationField)).toEqual([]);
  });
});

describe('operationField', () => {
  it.each([
    ['Account', 'account'],
    ['E-mail', 'account'],
    ['Логин', 'account'],
    ['Имя пользователя', 'account'],
    ['Correo electrónico', 'account'],
    ['Сумма, руб.', 'amount'],
    ['BETRAG', 'amount'],
    ['Комментарий', 'comment'],
    ['Observação', 'comment'],
    ['Balance', null],
    ['', null],
  ])('%s is %s', (header, field) => {
    expect(operationField(header)).toBe(field);
  });
});

describe('coveredEntries', () => {
  it('leaves out what the balance does not cover and continues without it', () => {
    const of = (amount: number, OwnerId = 'a') => ({ OwnerId, amount: parseMoney(amount) });
    const entries = [of(-6), of(-6), of(-4), of(-1), of(5), of(-5), of(-1, 'b'), of(1, 'unknown')];
    const available = new Map([
      ['a', parseMoney(10)],
      ['b', 0n],
    ]);
    const covered = coveredEntries(entries, available);
    expect(entries.map((entry) => covered.has(entry))).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(available.get('a')).toBe(0n);
  });
});
