import { randomBytes } from 'node:crypto';
import { ADMINISTRATOR_GRANTS } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { Target } from './target.ts';

/** Who configures channels leads the product nowhere inside: nothing is allowed here beyond the public internet. */

let target: Target;
let administrator: Person;
beforeAll(async () => {
  target = await Target.start({ CHANNEL_ALLOWED_HOSTS: '' });
  administrator = await target.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => target.stop());

const secret = `whsec_${randomBytes(32).toString('base64')}`;
let n = 0;
const create = (options: unknown, more = {}) =>
  target.shoot('/api/channels', {
    token: administrator.token,
    body: { name: `outbound-${n++}`, driver: 'http', types: ['sms'], options, ...more },
  });

const INSIDE = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://①②⑦.⓪.⓪.①/',
  'http://localhost:6379/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://0/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://10.0.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://192.168.0.1\t/',
  'http://8.8.8.8@10.0.0.1/',
  'http://me:secret@8.8.8.8/',
  'http://metadata.google.internal/',
  'ftp://8.8.8.8/',
  'file:///etc/passwd',
  'gopher://8.8.8.8:6379/_flushall',
  'http:\\\\127.0.0.1\\',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
];
test.each(INSIDE)('a channel does not lead to %j, neither new nor changed', async (url) => {
  const made = await create({ url: 'http://8.8.8.8/', secret });
  expect(made.status).toBe(201);
  await target.attack(async () => {
    expect((await create({ url, secret })).status).toBe(422);
    const { status } = await target.shoot(`/api/channels/${made.json.name}`, {
      method: 'PUT',
      token: administrator.token,
      body: { options: { url, secret } },
    });
    expect(status).toBe(422);
  });
});

const DRIVERS = ['__proto__', 'constructor', 'toString', 'simulator ', '../http', ''];
test.each(DRIVERS)('no channel has the driver %j', async (driver) => {
  await target.attack(async () => {
    expect((await create({}, { driver })).status).toBe(422);
  });
});

const NAMES = ['', '..', 'a/b', 'a b', 'A', 'a\n', 'a'.repeat(41), '%2e%2e', 'a?b', 'café'];
test.each(NAMES)('no channel has the name %j', async (name) => {
  await target.attack(async () => {
    expect((await create({ url: 'http://8.8.8.8/', secret }, { name })).status).toBe(422);
  });
});

test('a secret is never returned, and not kept for another URL', async () => {
  const made = await create({ url: 'http://8.8.8.8/', secret });
  await target.attack(async () => {
    const shown = await target.shoot('/api/channels', { token: administrator.token });
    expect(made.text + shown.text).not.toContain(secret);
    const moved = await target.shoot(`/api/channels/${made.json.name}`, {
      method: 'PUT',
      token: administrator.token,
      body: { options: { url: 'http://9.9.9.9/' } },
    });
    expect(moved.status).toBe(422);
  });
});
