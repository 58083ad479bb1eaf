import { expect, it } from 'vitest';
import { isLink, replyTo } from './reply.ts';

it('keeps the plus of a phone through the URL', () => {
  const link = replyTo({ type: 'sms', from: '+79161234567', to: 'MIR TEA' });
  const { pathname, searchParams } = new URL(link, 'http://x');
  expect(pathname).toBe('/send');
  expect(Object.fromEntries(searchParams)).toEqual({
    type: 'sms',
    recipient: '+79161234567',
    sender: 'MIR TEA',
  });
});

it('takes only web addresses for links', () => {
  expect(['https://x.example/a.png', 'HTTP://x'].map(isLink)).toEqual([true, true]);
  expect(['javascript:alert(1)', '0190a2f0-0000-7000-8000-000000000001'].map(isLink)).toEqual([
    false,
    false,
  ]);
});
