import { LOCALES } from '@heliograph/domain';
import { expect, test } from 'vitest';
import { wordsOf } from './words.ts';

test.each(LOCALES)('what a manager is told of a payment has its currency, in %s', (locale) => {
  const reader = { locale, timeZone: null, currency: 'USD' };
  const amounts = { amount: 700, paid: 5, shortfall: 440 };
  const data = { id: 'p', method: 'stripe', ...amounts, currency: 'EUR', requestedCurrency: 'RUB' };
  const lines = [
    ...wordsOf('PaymentsMismatchFailed', data, reader).lines,
    ...wordsOf('PaymentsRefundedAtAcquirer', data, reader).lines,
  ].join(' ');
  expect(lines).toMatch(/700[.,]00 RUB.*5[.,]00 EUR.*700[.,]00 EUR.*440[.,]00 EUR/s);
  expect(lines).not.toMatch(/USD|\$/);
});
