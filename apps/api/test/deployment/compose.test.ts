import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, settingNames } from '../../src/core/config.ts';
import { misspelt } from '../../src/core/config-names.ts';
import { composed, interpolated, ROOT, variablesOf, type Service } from './compose-files.ts';

const PLAIN = 'docker-compose.yml';
const SCALE = 'docker-compose.scale.yml';
/** What an operator has to set. */
const GIVEN = {
  POSTGRES_PASSWORD: '8f1c2a39',
  S3_ACCESS_KEY_ID: 'heliograph',
  S3_SECRET_ACCESS_KEY: '77aa01bc',
};
const FILES: [string, string[]][] = [
  ['alone', [PLAIN]],
  ['with several processes', [PLAIN, SCALE]],
];
const text = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const runsProduct = ({ image }: Service) => image === 'heliograph';
const environmentOf = ({ environment = {} }: Service, given = GIVEN): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, interpolated(String(value), given)]),
  );
const entries = <T>(record: Record<string, T> | undefined) => Object.entries(record ?? {});

test.each(FILES)(
  'the settings of every process are those of the product: compose %s',
  (_, files) => {
    const processes = entries(composed(...files).services).filter(([, one]) => runsProduct(one));
    expect(processes.map(([name]) => name).toSorted()).toEqual([
      'api',
      'migrate',
      'smpp',
      'worker',
    ]);
    for (const [name, one] of processes) {
      const environment = environmentOf(one);
      expect({
        [name]: Object.keys(environment).filter((key) => !settingNames().includes(key)),
      }).toEqual({
        [name]: [],
      });
      expect(loadConfig(environment).given.size).toBeGreaterThan(8);
    }
  },
);

test('an entry of .env that a compose file reads is no misspelt setting', () => {
  const variables = [PLAIN, SCALE].flatMap((file) => variablesOf(text(file)));
  expect(variables).toContain('POSTGRES_PASSWORD');
  expect(variables).toContain('SIMULATED_SMSC');
  expect(misspelt(variables, settingNames())).toEqual([]);
});

test('several processes do not start without passwords', () => {
  const api = composed(PLAIN, SCALE).services['api']!;
  for (const name of Object.keys(GIVEN))
    expect(() => environmentOf(api, { ...GIVEN, [name]: '' }), name).toThrow(name);
});

test.each(FILES)('images are pinned: compose %s', (_, files) => {
  const services = entries(composed(...files).services);
  const images = services.filter(([, one]) => !one.build).map(([, { image }]) => image);
  const bases = services.flatMap(([, { build }]) => [
    ...(build?.dockerfile_inline ?? text('Dockerfile')).matchAll(/^FROM (\S+:\S+)/gm),
  ]);
  const all = [...images, ...bases.map(([, image]) => image)];
  expect(all.filter((image) => !/^[\w./-]+:\w+[.-]\d[\w.-]*$/.test(image!))).toEqual([]);
  const versions = new Map<string, Set<string>>();
  for (const image of all) {
    const [name, tag] = image!.split(':') as [string, string];
    versions.set(name, (versions.get(name) ?? new Set()).add(tag));
  }
  expect([...versions].filter(([, tags]) => tags.size > 1)).toEqual([]);
});

test.each(FILES)(
  'what runs has a health check, and what waits for it can see it: compose %s',
  (_, files) => {
    const { services } = composed(...files);
    const isTask = ({ restart }: Service) => restart?.startsWith('on-failure');
    for (const [name, one] of entries(services)) {
      expect(one.restart, name).toMatch(isTask(one) ? /^on-failure:\d$/ : /^unless-stopped$/);
      expect(Boolean(one.healthcheck), `${name} has a health check`).toBe(!isTask(one));
      expect(['CMD', 'CMD-SHELL', undefined], name).toContain(one.healthcheck?.test[0]);
      for (const [other, { condition }] of entries(one.depends_on)) {
        const target = services[other];
        expect(target, `${name} waits for ${other}`).toBeDefined();
        expect(condition).toBe(
          isTask(target!) ? 'service_completed_successfully' : 'service_healthy',
        );
      }
    }
  },
);

test.each(FILES)('what services refer to is there: compose %s', (_, files) => {
  const { services, configs, volumes, networks } = composed(...files);
  const used = { configs: new Set<string>(), volumes: new Set<string>() };
  for (const [name, one] of entries(services)) {
    for (const { source } of one.configs ?? []) used.configs.add(source);
    for (const volume of one.volumes ?? [])
      if (!volume.startsWith('/')) used.volumes.add(volume.split(':')[0]!);
    for (const network of one.networks ?? ['default'])
      expect([...Object.keys(networks ?? {}), 'default'], name).toContain(network);
  }
  expect([...used.configs].toSorted()).toEqual(Object.keys(configs ?? {}).toSorted());
  expect(Object.keys(volumes ?? {})).toEqual(expect.arrayContaining([...used.volumes]));
  for (const [name, { file, content }] of entries(configs))
    expect(content ?? text(file!), name).not.toBe('');
});

test('addresses lead to services and their ports', () => {
  const { services, configs } = composed(PLAIN, SCALE);
  const environment = environmentOf(services['api']!);
  const address = (url: string) => new URL(url).host;
  const pooler = interpolated(configs!['pgbouncer.ini']!.content!, GIVEN);
  const listens = (name: string, port: string) =>
    ({
      pgbouncer: pooler.includes(`listen_port = ${port}`),
      s3: port === '9000',
      redis: port === '6379',
    })[name] ?? port === (name.startsWith('sentinel') ? '26379' : '5432');
  const named = [
    ...['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL', 'REDIS_URL', 'S3_ENDPOINT'].map(
      (name) => address(environment[name]!),
    ),
    ...environment['REDIS_SENTINELS']!.split(','),
  ];
  expect(named).toHaveLength(8);
  for (const one of named) {
    const [host, port] = one.split(':') as [string, string];
    expect(Object.keys(services)).toContain(host);
    expect(listens(host, port), one).toBe(true);
  }
  expect(pooler).toContain('host=postgres port=5432');
  const nginx = text('docs/deploy/scale/nginx.conf');
  const upstreams = [...nginx.matchAll(/^ *server (\S+?):(\d+) /gm)].map(([, ...pair]) => pair);
  expect(upstreams).toEqual([
    ['api', environment['PORT']],
    ['api', environment['PORT']],
  ]);
  const published = services['nginx']!.ports!.map((port) => port.split(':').at(-1));
  expect(published).toEqual([/listen (\d+);/.exec(nginx)![1]]);
  expect(services['api']!.ports).toEqual([]);
});

test('with several processes the database has one pooler, one replica; Redis three sentinels; APIs two, workers three', () => {
  const { services } = composed(PLAIN, SCALE);
  const replicas = entries(services).map(([name, one]) => [
    name,
    (one as { deploy?: { replicas: number } }).deploy?.replicas ?? 1,
  ]);
  expect(Object.fromEntries(replicas)).toEqual({
    postgres: 1,
    replica: 1,
    pgbouncer: 1,
    redis: 1,
    'redis-2': 1,
    'sentinel-1': 1,
    'sentinel-2': 1,
    'sentinel-3': 1,
    s3: 1,
    bucket: 1,
    migrate: 1,
    api: 2,
    worker: 3,
    smpp: 1,
    nginx: 1,
  });
  expect(services['replica']!.command).toEqual(services['postgres']!.command);
  expect(services['redis-2']!.command).toEqual(services['redis']!.command);
  expect(services['smpp']!.profiles).toEqual([]);
});
