import { expect, test } from 'vitest';
import { LOCALES } from './locales.ts';
import { passwordChangedEmail } from './password-email.ts';

test.each(LOCALES)(
  'the notice in %s names the login and the address and leaves no gap',
  (locale) => {
    const url = 'https://cabinet.example/recover';
    const facts = { title: 'Cabinet', username: 'anna', ip: '192.0.2.7', url };
    const email = passwordChangedEmail(locale, facts);
    const text = [email.subject, ...email.before].join('\n');
    for (const value of ['Cabinet', 'anna', '192.0.2.7']) expect(text).toContain(value);
    expect(JSON.stringify(email)).not.toMatch(/[{]\w+[}]/);
    expect(email.link.url).toBe(url);
  },
);
