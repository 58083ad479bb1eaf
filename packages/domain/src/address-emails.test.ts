import { expect, it } from 'vitest';
import { addressChangeEmail, confirmationEmail, maskEmail } from './address-emails.ts';
import { LOCALES } from './locales.ts';

const given = { title: 'Beacon {username}', username: 'anna', address: 'anna@tea.example' };
const confirm = { ...given, url: 'https://beacon.example/confirm?key=KEY', hours: 24 };
const changeData = { ...given, url: 'https://beacon.example/recover', by: 'roman', ip: '10.0.0.1' };

it.each(LOCALES)('contain user, address, lifetime and link in %s', (locale) => {
  const confirmation = confirmationEmail(locale, confirm);
  const change = addressChangeEmail(locale, changeData);
  expect(confirmation.before.join()).toContain('anna@tea.example');
  expect(confirmation.after.join()).toContain('24');
  expect(confirmation.link.url).toBe(confirm.url);
  for (const fact of ['roman', '10.0.0.1', 'a***@tea.example'])
    expect(change.before.join()).toContain(fact);
  // The previous address must not receive the new one.
  expect(JSON.stringify(change)).not.toContain('anna@tea.example');
  expect(change.link.url).toBe(changeData.url);
  for (const email of [confirmation, change]) {
    expect(email.locale).toBe(locale);
    expect(email.subject).toContain('Beacon {username}');
    expect(email.before.join()).toContain('anna');
    expect([...email.before, ...email.after, email.link.label].join()).not.toMatch(/[{}]/);
  }
});

it('have different texts in every language', () => {
  for (const part of ['subject', 'before', 'link', 'after'] as const) {
    const confirmation = LOCALES.map((locale) =>
      JSON.stringify(confirmationEmail(locale, confirm)[part]),
    );
    const changes = LOCALES.map((locale) =>
      JSON.stringify(addressChangeEmail(locale, changeData)[part]),
    );
    expect([new Set(confirmation).size, new Set(changes).size]).toEqual([
      LOCALES.length,
      LOCALES.length,
    ]);
  }
});

it('maskEmail keeps the first character and the domain', () => {
  expect(maskEmail('a@tea.example')).toBe('a***@tea.example');
});
