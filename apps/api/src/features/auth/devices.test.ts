import { expect, test } from 'vitest';
import { SessionKey } from '../../core/auth/session-key.ts';
import type { Config } from '../../core/config.ts';
import { Devices } from './devices.ts';

const key = new SessionKey({ JWT_SECRET: 'a key' } as Config, undefined as never);
const devices = (publicUrl: string) => new Devices(key, { publicUrl } as Config);

test('over TLS the cookie is bound to this host alone', async () => {
  const behindTls = devices('https://cabinet.example');
  const cookie = await behindTls.remember(null, 'anna');
  expect(cookie).toMatch(
    /^__Host-device=[\w-]+\.[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(await behindTls.recognise(cookie.split(';')[0], 'anna')).toBeTruthy();
  expect(await behindTls.recognise(cookie.split(';')[0], 'boris')).toBeNull();
});

test('without TLS, where browsers would refuse such a cookie, it has neither prefix nor Secure', async () => {
  const cookie = await devices('http://localhost:3000').remember(null, 'anna');
  expect(cookie).toMatch(/^device=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
});
