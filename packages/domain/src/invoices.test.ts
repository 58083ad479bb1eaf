import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountInWords } from './amount-in-words.ts';
import { INVOICE_STATUSES, invoiceNumber, invoiceTransition } from './invoices.ts';
import { parseMoney } from './money.ts';
import { MAX_QR_BYTES, paymentQr, type PaymentQr } from './payment-qr.ts';
import { hasVat, TAX_SYSTEMS, toKopecks, vatContained, vatRate } from './vat.ts';

describe('an amount in words', () => {
  test.each([
    ['0', 'Ноль рублей 00 копеек'],
    ['0.01', 'Ноль рублей 01 копейка'],
    ['1', 'Один рубль 00 копеек'],
    ['2.02', 'Два рубля 02 копейки'],
    ['5.11', 'Пять рублей 11 копеек'],
    ['11', 'Одиннадцать рублей 00 копеек'],
    ['21001.05', 'Двадцать одна тысяча один рубль 05 копеек'],
    ['1000', 'Одна тысяча рублей 00 копеек'],
    ['2000.50', 'Две тысячи рублей 50 копеек'],
    ['12000', 'Двенадцать тысяч рублей 00 копеек'],
    ['112.21', 'Сто двенадцать рублей 21 копейка'],
    ['1000000', 'Один миллион рублей 00 копеек'],
    ['2000001', 'Два миллиона один рубль 00 копеек'],
    [
      '999999999.99',
      'Девятьсот девяносто девять миллионов девятьсот девяносто девять тысяч девятьсот девяносто девять рублей 99 копеек',
    ],
  ])('%s', (amount, words) => {
    expect(amountInWords(parseMoney(amount))).toBe(words);
  });

  test('rounds half up to kopecks', () => {
    expect(amountInWords(parseMoney('0.005'))).toBe('Ноль рублей 01 копейка');
    expect(amountInWords(parseMoney('0.0049'))).toBe('Ноль рублей 00 копеек');
  });

  test('refuses a negative amount', () => {
    expect(() => amountInWords(-1n)).toThrow(RangeError);
  });

  test('different amounts have different words, and the kopecks are the last two digits', () => {
    const kopecks = fc.bigInt({ min: 0n, max: 99_999_999_999n });
    fc.assert(
      fc.property(kopecks, kopecks, (a, b) => {
        const [first, second] = [a, b].map((k) => amountInWords(k * 100n));
        expect(first === second).toBe(a === b);
        expect(first).toMatch(/^[А-Я][а-я ]+ \d\d копе(йка|йки|ек)$/);
        expect(first).toContain(` ${(a % 100n).toString().padStart(2, '0')} `);
      }),
    );
  });
});

describe('VAT', () => {
  test('of the general system is 20 % to the end of 2025 and 22 % from 2026', () => {
    expect(vatRate('general', '2025-12-31')).toBe(20);
    expect(vatRate('general', '2026-01-01')).toBe(22);
    expect(vatRate('simplified5', '2026-11-22')).toBe(5);
    expect(vatRate('simplified7', '2026-11-22')).toBe(7);
    expect(vatRate('simplified', '2026-11-22')).toBeNull();
    expect(TAX_SYSTEMS.filter(hasVat)).toEqual(['general', 'simplified5', 'simplified7']);
  });

  test.each([
    ['122', 22, '22'],
    ['120', 20, '20'],
    ['1000', 22, '180.33'],
    ['0.01', 22, '0'],
    ['0.03', 20, '0.01'],
    ['999999999.99', 22, '180327868.85'],
  ])('in %s at %i %% is %s', (amount, percent, vat) => {
    expect(vatContained(parseMoney(amount), percent)).toBe(parseMoney(vat));
  });

  test('is whole kopecks, and within half a kopeck of the exact share', () => {
    const amount = fc.bigInt({ min: 0n, max: 99_999_999_999n });
    fc.assert(
      fc.property(amount, fc.constantFrom(5, 7, 20, 22), (kopecks, percent) => {
        const vat = vatContained(kopecks * 100n, percent);
        expect(vat % 100n).toBe(0n);
        const base = BigInt(100 + percent);
        const distance = 2n * (toKopecks(vat) * base - kopecks * BigInt(percent));
        // Half up: the upper half of a kopeck is rounded up.
        expect(distance > -base && distance <= base).toBe(true);
      }),
    );
  });
});

const PAYMENT: PaymentQr = {
  name: 'ООО «Гелиограф»',
  account: '40702810200000012345',
  bankName: 'ПАО Сбербанк',
  bik: '044525225',
  correspondentAccount: '30101810400000000225',
  amount: parseMoney('1000.50'),
  inn: '7700000009',
  kpp: '770001001',
  purpose: 'Оплата по счёту № 2026-00001',
};

describe('the payment code', () => {
  test('has the fields in the order of the standard and the sum in kopecks', () => {
    expect(paymentQr(PAYMENT)).toBe(
      'ST00012|Name=ООО «Гелиограф»|PersonalAcc=40702810200000012345|BankName=ПАО Сбербанк|BIC=044525225|' +
        'CorrespAcc=30101810400000000225|Sum=100050|PayeeINN=7700000009|KPP=770001001|Purpose=Оплата по счёту № 2026-00001',
    );
    expect(paymentQr({ ...PAYMENT, kpp: null })).not.toContain('KPP');
  });

  test('a separator in a name or purpose adds no field', () => {
    const attack = paymentQr({ ...PAYMENT, name: 'ООО|Sum=1|', purpose: 'Оплата|Sum=999\n|BIC=1' });
    const names = attack.split('|').map((field) => field.split('=')[0]);
    expect(names).toEqual([...new Set(names)]);
    expect(attack).toContain('|Sum=100050|');
  });

  test('no texts make it longer than scanners read, or add, drop or reorder a field', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 });
    fc.assert(
      fc.property(text, text, text, (name, bankName, purpose) => {
        const code = paymentQr({ ...PAYMENT, name, bankName, purpose, amount: 10n ** 18n - 1n });
        expect(encodeURIComponent(code).replace(/%../g, 'x').length).toBeLessThanOrEqual(
          MAX_QR_BYTES,
        );
        const names = code.split('|').map((field) => field.split('=')[0]);
        expect(names).toEqual(
          'ST00012 Name PersonalAcc BankName BIC CorrespAcc Sum PayeeINN KPP Purpose'.split(' '),
        );
        expect(code.isWellFormed()).toBe(true);
      }),
    );
  });
});

test('an invoice is paid or rejected once', () => {
  expect(invoiceTransition('pending', 'pay')).toBe('paid');
  expect(invoiceTransition('pending', 'reject')).toBe('rejected');
  for (const status of INVOICE_STATUSES.filter((s) => s !== 'pending'))
    for (const action of ['pay', 'reject'] as const)
      expect(invoiceTransition(status, action)).toBeNull();
});

test('a number has the prefix, the year and at least five digits', () => {
  expect(invoiceNumber({ prefix: 'MT', year: 2026, number: 17 })).toBe('MT-2026-00017');
  expect(invoiceNumber({ prefix: '', year: 2026, number: 123456 })).toBe('2026-123456');
});
