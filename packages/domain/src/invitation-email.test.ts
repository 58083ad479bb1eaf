import { expect, test } from 'vitest';
import { invitationEmail } from './invitation-email.ts';
import { LOCALES } from './locales.ts';

const data = { title: 'Beacon', username: 'anna', url: 'https://b.example/recover/k', days: 7 };

test.each(LOCALES)('%s: the invitation names the product, the login and the lifetime', (locale) => {
  const email = invitationEmail(locale, data);
  expect(email.subject).toContain('Beacon');
  expect(email.before.join()).toContain('anna');
  expect(email.after.join()).toContain('7');
  expect(email.link.url).toBe(data.url);
  expect(JSON.stringify(email)).not.toMatch(/[{}]\w+\}/);
});
