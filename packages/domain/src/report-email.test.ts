import { expect, it } from 'vitest';
import { LOCALES } from './locales.ts';
import { reportEmail } from './report-email.ts';

const facts = {
  title: 'Beacon {rows}',
  username: 'anna',
  file: 'sendings.byDay_2026-11-21_2026-11-21.csv',
  rows: 1234,
  range: [new Date('2026-11-20T21:00:00Z'), new Date('2026-11-21T20:59:59Z')] as [Date, Date],
  expiresAt: new Date('2026-11-29T06:00:00Z'),
  timeZone: 'Europe/Moscow',
  url: 'https://beacon.example/reports',
};

it.each(LOCALES)('names the file, the local dates and the link in %s', (locale) => {
  const email = reportEmail(locale, facts);
  expect(email.subject).toContain('Beacon {rows}');
  expect(email.subject).toContain('21');
  expect(email.subject).not.toContain('20 ');
  expect(email.before.join()).toContain(facts.file);
  expect(email.before.join()).toContain('29');
  expect(email.after.join()).toContain('anna');
  expect(email.link.url).toBe(facts.url);
});

it('has different texts in every language', () => {
  for (const part of ['subject', 'before', 'link', 'after'] as const) {
    const texts = LOCALES.map((locale) => JSON.stringify(reportEmail(locale, facts)[part]));
    expect(new Set(texts).size).toBe(LOCALES.length);
  }
});
