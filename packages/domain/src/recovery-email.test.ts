import { expect, it } from 'vitest';
import { recoveryEmail } from './recovery-email.ts';
import { LOCALES } from './locales.ts';

const facts = {
  title: 'Beacon {username}',
  username: 'anna',
  url: 'https://beacon.example/recover/KEY',
  minutes: 60,
};

it.each(LOCALES)('the letter says whose password, how long and where: %s', (locale) => {
  const letter = recoveryEmail(locale, facts);
  expect(letter.locale).toBe(locale);
  // What a value holds is not filled in again.
  expect(letter.subject).toContain('Beacon {username}');
  expect(letter.before.join()).toContain('anna');
  expect(letter.after.join()).toContain('60');
  expect(letter.link.url).toBe(facts.url);
  expect([...letter.before, ...letter.after, letter.link.label].join()).not.toMatch(/[{}]/);
});

it('every language says it in its own words', () => {
  for (const part of ['subject', 'before', 'link', 'after'] as const) {
    const said = LOCALES.map((locale) => JSON.stringify(recoveryEmail(locale, facts)[part]));
    expect(new Set(said).size).toBe(LOCALES.length);
  }
});
