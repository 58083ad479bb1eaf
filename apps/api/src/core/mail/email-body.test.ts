import { notificationEmail } from '@heliograph/domain';
import { expect, test } from 'vitest';
import { emailHtml, emailText } from './email-body.ts';

const email = (line: string, title = 'Rejected') =>
  notificationEmail('en', {
    product: 'Beacon',
    title,
    lines: [line],
    url: 'https://beacon.example/?a=1&b=2',
    settingsUrl: 'https://beacon.example/settings',
  });

test('markup of a person is text, and its lines stay lines, in both parts', () => {
  const written = 'One <b>&amp;</b>\nTwo "three"';
  const html = emailHtml(email(written));
  expect(html).toContain('<p>One &lt;b&gt;&amp;amp;&lt;/b&gt;<br>\nTwo &quot;three&quot;</p>');
  expect(emailText(email(written))).toContain(`\n\n${written}\n\n`);
});

test('a long word does not make the message wider than the window', () => {
  expect(emailHtml(email('w'.repeat(500)))).toContain('overflow-wrap: anywhere');
});

test('a subject is one line of whole characters', () => {
  const { subject } = email('', `${'a'.repeat(199)}😀\r\nBcc: x`);
  expect(subject.isWellFormed()).toBe(true);
  expect(email('', 'a\r\nBcc: x').subject).toBe('a Bcc: x: Beacon');
});
