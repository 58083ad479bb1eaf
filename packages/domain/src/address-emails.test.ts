import { expect, it } from 'vitest';
import { addressChangeEmail, confirmationEmail, maskEmail } from './address-emails.ts';
import { LOCALES } from './locales.ts';

const given = { title: 'Beacon {username}', username: 'anna', address: 'anna@tea.example' };
const confirm = { ...given, url: 'https://beacon.example/confirm?key=KEY', hours: 24 };
const notice = { ...given, url: 'https://beacon.example/recover', by: 'roman', ip: '10.0.0.1' };

it.each(LOCALES)('the letters say who, what, how long and where: %s', (locale) => {
  const asks = confirmationEmail(locale, confirm);
  const tells = addressChangeEmail(locale, notice);
  expect(asks.before.join()).toContain('anna@tea.example');
  expect(asks.after.join()).toContain('24');
  expect(asks.link.url).toBe(confirm.url);
  for (const fact of ['roman', '10.0.0.1', 'a***@tea.example'])
    expect(tells.before.join()).toContain(fact);
  // The former address is not told the new one.
  expect(JSON.stringify(tells)).not.toContain('anna@tea.example');
  expect(tells.link.url).toBe(notice.url);
  for (const letter of [asks, tells]) {
    expect(letter.locale).toBe(locale);
    expect(letter.subject).toContain('Beacon {username}');
    expect(letter.before.join()).toContain('anna');
    expect([...letter.before, ...letter.after, letter.link.label].join()).not.toMatch(/[{}]/);
  }
});

it('every language says it in its own words', () => {
  for (const part of ['subject', 'before', 'link', 'after'] as const) {
    const asks = LOCALES.map((locale) => JSON.stringify(confirmationEmail(locale, confirm)[part]));
    const tells = LOCALES.map((locale) => JSON.stringify(addressChangeEmail(locale, notice)[part]));
    expect([new Set(asks).size, new Set(tells).size]).toEqual([LOCALES.length, LOCALES.length]);
  }
});

it('of an address its first letter and its server are shown', () => {
  expect(maskEmail('a@tea.example')).toBe('a***@tea.example');
});
