import { expect, it } from 'vitest';
import { recoveryEmail } from './recovery-email.ts';
import { LOCALES } from './locales.ts';

const facts = {
  title: 'Beacon {username}',
  username: 'anna',
  url: 'https://beacon.example/recover/KEY',
  minutes: 60,
};

it.each(LOCALES)('contains user, lifetime and link in %s', (locale) => {
  const email = recoveryEmail(locale, facts);
  expect(email.locale).toBe(locale);
  // Placeholders inside values are not replaced.
  expect(email.subject).toContain('Beacon {username}');
  expect(email.before.join()).toContain('anna');
  expect(email.after.join()).toContain('60');
  expect(email.link.url).toBe(facts.url);
  expect([...email.before, ...email.after, email.link.label].join()).not.toMatch(/[{}]/);
});

it('has different texts in every language', () => {
  for (const part of ['subject', 'before', 'link', 'after'] as const) {
    const texts = LOCALES.map((locale) => JSON.stringify(recoveryEmail(locale, facts)[part]));
    expect(new Set(texts).size).toBe(LOCALES.length);
  }
});
