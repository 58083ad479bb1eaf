import { afterAll, beforeAll, expect, test } from 'vitest';
import { MESSAGE } from '../scene.ts';
import { Target } from './target.ts';

/** What anyone may read without a session, by many at once, and a burst of ordinary calls of one account. */

const DOCUMENTS = [
  '/api/openapi.json',
  '/api/asyncapi.json',
  '/api/postman.json',
  '/docs/en/api/reference.md',
  '/docs/ru/api/reference.md',
  '/docs/en/index.json',
  '/docs/en/api/HTTP-REST.md',
  '/assets/nothing.js',
  '/otp/widget.js',
  '/',
];
let target: Target;
beforeAll(async () => {
  // Counted elsewhere: here nobody is refused.
  target = await Target.start({ RATE_SCALE: '100' });
  // They are generated for their first readers, which takes as long as the machine is busy.
  await Promise.all(DOCUMENTS.map(async (path) => (await fetch(target.base + path)).text()));
});
afterAll(() => target.stop());

test.each(DOCUMENTS)('100 readers of %s, with and without compression', async (path) => {
  for (const encoding of ['identity', 'gzip, br'])
    await target.attack(async () => {
      const replies = await Promise.all(
        Array.from({ length: 100 }, () =>
          target.shoot(path, { headers: { 'accept-encoding': encoding } }),
        ),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(
        new Set([path.includes('nothing') ? replies[0]!.status : 200]),
      );
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    });
});

test('300 captchas at once', async () => {
  await target.attack(async () => {
    const replies = await Promise.all(
      Array.from({ length: 300 }, () => target.shoot('/api/captcha')),
    );
    expect(new Set(replies.map(({ json }) => json.signature as string)).size).toBe(300);
  });
});

const CALLS: [name: string, path: string, body?: object][] = [
  ['its own user', '/api/users/me'],
  ['lists', '/api/templates'],
  ['a validation error', '/api/sendings', {}],
  ['an unknown message', '/api/sendings/01930000-0000-7000-8000-000000000001'],
  ['messages', '/api/sendings', { ...MESSAGE, recipient: '+79990000001' }],
];
test.each(CALLS)('a burst of 500 calls of one account: %s', async (_, path, body) => {
  const { token } = await target.person({ balance: 100_000 });
  await target.attack(async () => {
    const replies = await Promise.all(
      Array.from({ length: 500 }, () => target.shoot(path, { token, body })),
    );
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].every((status) => status < 500)).toBe(true);
  });
});
