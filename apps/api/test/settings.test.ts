import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig, settingNames } from '../src/core/config.ts';
import { createLog } from '../src/core/log.ts';
import { openRedis, WAIT } from '../src/core/redis.ts';
import { until } from './until.ts';

test('docs/operations.md lists exactly the settings of the configuration', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const section = page.split('## Settings')[1]!.split('\n## ')[0]!;
  const documented = [...section.matchAll(/^\| `([A-Z\d_]+)`(?:, `([A-Z\d_]+)`)? /gm)].flatMap(
    ([, ...names]) => names.filter((name) => name !== undefined),
  );
  expect(documented.toSorted()).toEqual(settingNames().toSorted());
});

const NEEDED = {
  DATABASE_URL: 'postgres://heliograph@127.0.0.1/heliograph',
  REDIS_URL: 'redis://127.0.0.1:6379',
};

test.each([
  ['REGISTRATON', 'REGISTRATION'],
  ['RESTRICTEDMODE', 'RESTRICTED_MODE'],
  ['METRCIS_TOKEN', 'METRICS_TOKEN'],
  ['REDIS_URI', 'REDIS_URL'],
  ['QUOTA_CONTACT', 'QUOTA_CONTACTS'],
  ['webhook_allowed_hosts', 'WEBHOOK_ALLOWED_HOSTS'],
])('the misspelt setting %s refuses the start and names %s', (name, meant) => {
  expect(() => loadConfig({ ...NEEDED, [name]: '1' })).toThrow(
    `${name}: there is no such setting; ${meant}`,
  );
});

test('variables of shells, containers and other programs are no misspelt settings', () => {
  const others =
    `HOME HOSTNAME PATH SHELL TERM USER LANG LC_ALL MAIL TZ PWD POSTGRES_PASSWORD NODE_OPTIONS NODE_VERSION YARN_VERSION PGHOST PGPORT HTTP_PROXY KUBERNETES_SERVICE_HOST REDIS_PORT POSTGRES_PORT_5432_TCP AWS_REGION CI DEBUG LOGNAME TMPDIR XDG_RUNTIME_DIR SSH_TTY LOGS_DIR npm_config_cache`.split(
      ' ',
    );
  const env = Object.fromEntries(others.map((name) => [name, '1']));
  expect(() => loadConfig({ ...NEEDED, ...env })).not.toThrow();
});

test.each([
  ['REDIS_URL', 'redis+sentinel://127.0.0.1:26379/mymaster'],
  ['REDIS_URL', '127.0.0.1:6379'],
  ['REDIS_URL', 'localhost'],
  ['REDIS_URL', 'REDISS://127.0.0.1:6379'],
  ['REDIS_URL', '/var/run/redis.sock'],
  ['REDIS_URL', 'unix:///var/run/redis.sock'],
  ['REDIS_URL', 'redis://127.0.0.1/one'],
  ['REDIS_PREFIX', 'one:two'],
  ['REDIS_PREFIX', '{one}'],
  ['REDIS_SENTINELS', '127.0.0.1'],
  ['REDIS_SENTINELS', '127.0.0.1:26379,'],
  ['REDIS_SENTINELS', 'redis://127.0.0.1:26379'],
  ['REDIS_SENTINELS', '::1:26379'],
  ['REDIS_SENTINELS', '127.0.0.1:70000'],
  ['DATABASE_URL', 'mysql://127.0.0.1/heliograph'],
  ['DATABASE_URL', '127.0.0.1'],
  ['DATABASE_DIRECT_URL', 'mysql://127.0.0.1/heliograph'],
  ['PUBLIC_URL', 'https://app.example/cabinet'],
  ['PUBLIC_URL', 'https://app.example/?a=1'],
  ['PUBLIC_URL', 'https://name:password@app.example'],
  ['PUBLIC_URL', 'app.example'],
])('%s does not take %s', (name, value) => {
  expect(() => loadConfig({ ...NEEDED, [name]: value })).toThrow(name);
});

test.each([
  ['REDIS_URL', 'rediss://:secret@redis.example:6380/3'],
  ['REDIS_PREFIX', 'staging-2'],
  ['DATABASE_URL', 'postgresql://u:p@db.example:5432/heliograph?sslmode=require'],
  ['DATABASE_DIRECT_URL', 'postgres://u:p@db.example:5432/heliograph'],
  ['PUBLIC_URL', 'https://app.example/'],
  ['PUBLIC_URL', 'http://[::1]:3000'],
])('%s takes %s', (name, value) => {
  expect(loadConfig({ ...NEEDED, [name]: value })).toMatchObject({ [name]: value });
});

test('sites and origins are known as browsers name them', () => {
  const origins = 'https://Чай.РФ/, HTTPS://Shop.Example:443,http://xn--80as4b.xn--p1ai:8080';
  const named = [
    'https://xn--80as4b.xn--p1ai',
    'https://shop.example',
    'http://xn--80as4b.xn--p1ai:8080',
  ];
  const config = loadConfig({
    ...NEEDED,
    PUBLIC_URL: 'HTTPS://Чай.РФ:443/',
    CORS_ORIGINS: `*,${origins}`,
    PAYMENT_RETURN_ORIGINS: origins,
  });
  expect(config).toMatchObject({ CORS_ORIGINS: ['*', ...named], PAYMENT_RETURN_ORIGINS: named });
  expect(config.publicUrl).toBe('https://xn--80as4b.xn--p1ai');
  expect(config.linksUrl).toBe('https://xn--80as4b.xn--p1ai/s');
  for (const wrong of ['*', 'https://shop.example/path', 'shop.example', 'https://a@shop.example'])
    expect(() => loadConfig({ ...NEEDED, PAYMENT_RETURN_ORIGINS: wrong })).toThrow(
      'RETURN_ORIGINS',
    );
});

test('REDIS_SENTINELS is a list of hosts with ports', () => {
  const REDIS_SENTINELS = 'one_1.example:26379, 10.0.0.1:26379,[::1]:26380';
  const config = loadConfig({ ...NEEDED, REDIS_SENTINELS });
  expect(config.REDIS_SENTINELS).toEqual(['one_1.example:26379', '10.0.0.1:26379', '[::1]:26380']);
  const log = createLog('silent', 'test');
  const redis = openRedis(config, log, { ...WAIT, lazyConnect: true });
  expect(redis.options).toMatchObject({
    name: 'mymaster',
    sentinels: [
      { host: 'one_1.example', port: 26379 },
      { host: '10.0.0.1', port: 26379 },
      { host: '::1', port: 26380 },
    ],
  });
});

test('a Redis that never answered is an error in the log at once, and once for all connections', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => (lines.push(String(chunk)), done()),
  });
  const log = createLog('info', 'test', sink);
  const connections = [1, 2, 3].map(() =>
    openRedis({ REDIS_URL: 'redis://127.0.0.1:1' }, log, { ...WAIT, retryStrategy: () => 5 }),
  );
  onTestFinished(() => connections.forEach((connection) => connection.disconnect()));
  let refused = 0;
  for (const connection of connections) connection.on('error', () => refused++);
  await until(() => Promise.resolve(refused > 9), 'several refused connections');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('Redis unavailable');
  expect(lines[0]).toContain('ECONNREFUSED');
});
