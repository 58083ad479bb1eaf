import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_TEMPLATES } from './default-templates.ts';
import {
  dayInWords,
  documentValues,
  monthInWords,
  paymentPurpose,
  printedAmount,
} from './document-facts.ts';
import { TEMPLATE_VARIABLES, templateErrors } from './document-templates.ts';
import { sampleDocument } from './sample-document.ts';

test('days and months are written out', () => {
  expect(dayInWords('2026-11-02')).toBe('2 ноября 2026 г.');
  expect(monthInWords('2026-01-01')).toBe('январь 2026 г.');
});

test('amounts have groups of thousands and two decimals', () => {
  expect(printedAmount('999999999.99')).toBe('999\u00A0999\u00A0999,99');
  expect(printedAmount('1000')).toBe('1\u00A0000,00');
  fc.assert(
    fc.property(fc.nat({ max: 999_999_999 }), (n) => {
      expect(printedAmount(`${n}.5`).replace(/\u00A0/g, '')).toBe(`${n},50`);
    }),
  );
});

test.each(['contract', 'invoice', 'act'] as const)(
  'the sample of %s has every variable',
  (type) => {
    const values = documentValues(sampleDocument(type, [...DEFAULT_TEMPLATES[type]]));
    for (const name of TEMPLATE_VARIABLES[type])
      expect([name, values[name]]).not.toContain(undefined);
    expect(templateErrors(type, DEFAULT_TEMPLATES[type])).toEqual([]);
  },
);

test('the purpose of a payment has the number first', () => {
  const invoice = sampleDocument('invoice', []);
  expect(paymentPurpose(invoice)).toBe(
    `Оплата по счёту ${invoice.number} от 22.11.2026. В т.ч. НДС 22% 180.33`,
  );
  const sum = { ...invoice.sum!, vatRate: null, vatAmount: '0.00' };
  expect(paymentPurpose({ ...invoice, sum })).toContain('Без НДС');
});
