import { expect, it } from 'vitest';
import { LOCALES } from './locales.ts';
import { securityEmail, type SecurityNotificationType } from './security-emails.ts';

const TYPES: SecurityNotificationType[] = [
  'AuthNewDevice',
  'AuthSecondFactorEnabled',
  'AuthSecondFactorDisabled',
  'AuthSecondFactorReset',
  'AuthRecoveryCodeUsed',
  'AuthPasskeyAdded',
  'AuthPasskeyRemoved',
  'AuthIdentityAdded',
  'AuthIdentityRemoved',
];
const facts = {
  title: 'Beacon {username}',
  username: 'anna',
  time: '2026-11-22 09:15 UTC',
  device: 'Chrome 141, Windows 10',
  ip: '203.0.113.7',
  place: 'Kazan, Russia',
  by: 'manager',
  left: 9,
  passkey: 'Office laptop',
  identity: 'ann@tea.example',
  provider: 'Tea House',
  url: 'https://beacon.example/account/telemetry',
  passwordUrl: 'https://beacon.example/recover',
};

it.each(LOCALES.flatMap((locale) => TYPES.map((type) => [locale, type] as const)))(
  'contains user, client, time and links in %s: %s',
  (locale, type) => {
    const email = securityEmail(locale, type, facts);
    const text = [...email.before, ...email.after].join('\n');
    // Placeholders inside values are not replaced.
    expect(email.subject).toContain('Beacon {username}');
    for (const fact of [facts.username, facts.device, facts.ip, facts.place, facts.time])
      expect(text).toContain(fact);
    expect(text).toContain(facts.passwordUrl);
    expect(email.link.url).toBe(facts.url);
    expect(text).not.toMatch(/[{}]|undefined/);
  },
);

it('omits a client that is not known', () => {
  const { title, username, time, by, url, passwordUrl } = facts;
  const rest = { title, username, time, by, url, passwordUrl };
  const email = securityEmail('en', 'AuthSecondFactorReset', rest);
  expect(email.before).toEqual([
    'manager turned off two-factor sign-in for the login anna. Turn it on again in the account settings.',
    '2026-11-22 09:15 UTC',
  ]);
});

it('has different texts in every language', () => {
  for (const type of TYPES) {
    const texts = LOCALES.map((locale) => JSON.stringify(securityEmail(locale, type, facts)));
    expect(new Set(texts).size).toBe(LOCALES.length);
  }
});
