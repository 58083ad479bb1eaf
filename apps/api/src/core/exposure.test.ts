import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { exposedAddress } from './exposure.ts';

const own = { DATABASE_URL: 'postgres://d', REDIS_URL: 'redis://r' };

test.each([
  [{}, null],
  [{ HOST: 'localhost' }, null],
  [{ HOST: '127.0.0.9' }, null],
  [{ HOST: '::1' }, null],
  [{ HOST: '::ffff:127.0.0.1' }, null],
  [{ HOST: '0.0.0.0' }, '0.0.0.0'],
  [{ HOST: '::' }, '::'],
  [{ HOST: '192.168.1.5' }, '192.168.1.5'],
  [{ HOST: 'box.example' }, 'box.example'],
  [{ HOST: '0.0.0.0', BIND: '127.0.0.1' }, null],
  [{ HOST: '0.0.0.0', BIND: '10.0.0.5' }, '10.0.0.5'],
  [{ HOST: '0.0.0.0', BIND: '' }, '0.0.0.0'],
  [{ HOST: '127.0.0.1', BIND: '0.0.0.0' }, '0.0.0.0'],
  [{ PUBLIC_URL: 'http://localhost:3000' }, null],
  [{ PUBLIC_URL: 'http://[::1]:3000' }, null],
  [{ PUBLIC_URL: 'https://app.example' }, 'https://app.example'],
  [
    { HOST: '0.0.0.0', BIND: '127.0.0.1', PUBLIC_URL: 'https://app.example' },
    'https://app.example',
  ],
])('%j is reached by others at %s', (env, expected) => {
  const config = loadConfig({ ...own, ...env });
  expect(exposedAddress(config)).toBe(expected);
  expect(loadConfig({ ...own, ...env, DEMO: 'auto' }).DEMO).toBe(expected === null);
  expect(loadConfig({ ...own, ...env, DEMO: '1' }).DEMO).toBe(true);
  expect(config.DEMO).toBe(false);
});
