import { expect, test } from 'vitest';
import { invoiceEmail } from './invoice-email.ts';
import { LOCALES } from './locales.ts';

test.each(LOCALES)('the e-mail of an invoice in %s has its number, sum and company', (locale) => {
  const data = { title: 'Heliograph', number: '2026-00001', company: 'Tea', amount: '5 RUB' };
  for (const type of ['invoice', 'act'] as const) {
    const { subject, before, link } = invoiceEmail(locale, { ...data, type, url: 'https://x' });
    const text = [subject, ...before].join(' ');
    for (const value of Object.values(data)) expect(text).toContain(value);
    expect(text).not.toMatch(/[{}]/);
    expect(link.url).toBe('https://x');
  }
});
