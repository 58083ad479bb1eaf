import { lookups } from '@heliograph/contract';
import { requisiteErrors, withControlDigit } from '@heliograph/domain';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExternalService } from '../../../test/external-service.ts';
import { World, type Person } from '../../../test/world.ts';
import { loadConfig } from '../../core/config.ts';
import { LOCAL_BANKS } from './banks.ts';
import { LOCAL_COMPANIES } from './companies.ts';
import { LOOKUP_LIMIT } from './lookups.service.ts';

const body = (query: string) => ({ body: { query } });

describe('the directories that come along', () => {
  let world: World;
  let who: Person;
  beforeAll(async () => {
    world = await World.start({ LOOKUPS: 'local' });
    who = await world.person();
  });
  afterAll(() => world.stop());

  test.each(LOCAL_COMPANIES)('$name has valid numbers', (company) => {
    const { bik, ks } = LOCAL_BANKS[0]!;
    expect(requisiteErrors(company, { bik, ks, rs: '' })).toEqual([]);
  });
  test.each(LOCAL_BANKS)('$name has valid numbers', ({ bik, ks }) => {
    const rs = withControlDigit('40702810000000012345', bik);
    expect(requisiteErrors({ opf: 'ООО', inn: '', ogrn: '' }, { bik, ks, rs })).toEqual([]);
  });

  test('a company is found by its INN', async () => {
    const found = await who.api(lookups.companies, body('7700 0000 09'));
    expect(found.suggestions).toEqual([LOCAL_COMPANIES[0]]);
    expect((await who.api(lookups.companies, body('7707083893'))).suggestions).toEqual([]);
  });

  test.each([
    ['770000000', 'inn_length'],
    ['7700000001', 'inn_check'],
    ['7'.repeat(41), 'too_big'],
  ])('refuses the INN %s', async (inn, type) => {
    await expect(who.api(lookups.companies, body(inn))).rejects.toMatchObject({
      status: 422,
      body: { data: [expect.objectContaining({ field: 'query', type })] },
    });
  });

  test('banks are suggested by BIK and name', async () => {
    const biks = async (query: string) =>
      (await who.api(lookups.banks, body(query))).suggestions.map(({ bik }) => bik);
    expect(await biks('04403')).toEqual(['044030653']);
    expect(await biks('тбанк')).toEqual(['044525974']);
    expect(await biks('%')).toEqual([]);
    expect(await biks('0445')).toHaveLength(10);
  });

  test('a name is split and written with capitals', async () => {
    expect(await who.api(lookups.names, body('СЕДОВ роман  ильич'))).toEqual({
      lastName: 'Седов',
      firstName: 'Роман',
      middleName: 'Ильич',
      genitive: 'Седова Романа Ильича',
    });
  });

  test('an account over its rate limit gets Retry-After, another one is answered', async () => {
    const busy = await world.person();
    await Promise.all(
      Array.from({ length: LOOKUP_LIMIT }, () => busy.api(lookups.banks, body('0445'))),
    );
    await expect(busy.api(lookups.banks, body('0445'))).rejects.toMatchObject({ status: 429 });
    await who.api(lookups.banks, body('0445'));
  });

  test('users without the permission get nothing', async () => {
    const without = await world.person({ grants: { remove: ['requisites.get'] } });
    await expect(without.api(lookups.banks, body('0445'))).rejects.toMatchObject({ status: 403 });
  });
});

test('without a source look-ups are not available', async () => {
  const world = await World.start({ LOOKUPS: 'off' });
  try {
    const { api } = await world.person();
    await expect(api(lookups.banks, body('0445'))).rejects.toMatchObject({ status: 503 });
  } finally {
    await world.stop();
  }
});

test('DaData requires a key', () => {
  const env = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' };
  expect(() => loadConfig({ ...env, LOOKUPS: 'dadata' })).toThrow(/DADATA_KEY/);
  expect(loadConfig(env).lookups).toBe('off');
  expect(loadConfig({ ...env, DEMO: '1' }).lookups).toBe('local');
});

describe('DaData', () => {
  let world: World;
  let who: Person;
  const service = new ExternalService<unknown>();
  const key = { LOOKUPS: 'dadata', DADATA_KEY: 'key-of-ours', DADATA_SECRET: 'secret-of-ours' };
  beforeAll(async () => {
    const address = await service.start();
    world = await World.start({ ...key, DADATA_URL: address, DADATA_CLEANER_URL: address });
    who = await world.person();
  });
  afterAll(async () => {
    await world.stop();
    service.stop();
  });
  const reply = (answer: unknown) => {
    service.reply = [200, JSON.stringify(answer)];
  };
  const party = {
    inn: '7707083893',
    kpp: '773601001',
    ogrn: '1027700132195',
    okpo: '00032537',
    type: 'LEGAL',
    name: {
      full_with_opf: 'x',
      short_with_opf: 'ПАО СБЕРБАНК',
      full: 'СБЕРБАНК РОССИИ',
      short: 'СБЕРБАНК',
    },
    opf: { code: '12247', short: 'ПАО', full: 'Публичное акционерное общество' },
    management: { name: 'Иванов Иван Иванович', post: 'ПРЕЗИДЕНТ' },
    state: { status: 'ACTIVE' },
    address: {
      value: 'г Москва, ул Вавилова, д 19',
      data: { postal_code: '117312', country: 'Россия', city: 'Москва' },
    },
  };

  test('companies are found by its protocol and cached', async () => {
    reply({ suggestions: [{ value: 'ПАО СБЕРБАНК', data: party }] });
    const found = await who.api(lookups.companies, body('7707083893'));
    expect(found.suggestions).toEqual([
      {
        type: 'LEGAL',
        opf: 'ПАО',
        name: 'СБЕРБАНК',
        inn: '7707083893',
        kpp: '773601001',
        ogrn: '1027700132195',
        okpo: '00032537',
        isActive: true,
        management: { name: 'Иванов Иван Иванович', position: 'ПРЕЗИДЕНТ' },
        address: {
          country: 'Россия',
          city: 'Москва',
          index: '117312',
          address: 'г Москва, ул Вавилова, д 19',
        },
      },
    ]);
    expect(service.received).toMatchObject({
      url: '/suggestions/api/4_1/rs/findById/party',
      headers: { authorization: 'Token key-of-ours' },
      body: { query: '7707083893', count: 10 },
    });
    reply({ suggestions: [] });
    expect(await who.api(lookups.companies, body('7707083893'))).toEqual(found);
  });

  test('banks and names are answered', async () => {
    const data = {
      bic: '044525225',
      correspondent_account: '30101810400000000225',
      name: { payment: 'ПАО СБЕРБАНК', short: 'СБЕРБАНК' },
    };
    reply({ suggestions: [{ data }] });
    expect((await who.api(lookups.banks, body('сбер'))).suggestions).toEqual([
      { name: 'ПАО СБЕРБАНК', bik: '044525225', ks: '30101810400000000225' },
    ]);
    expect(service.received.url).toBe('/suggestions/api/4_1/rs/suggest/bank');
    reply([
      {
        surname: 'Седов',
        name: 'Роман',
        patronymic: 'Ильич',
        result_genitive: 'Седова Романа Ильича',
      },
    ]);
    expect(await who.api(lookups.names, body('седов роман'))).toMatchObject({ firstName: 'Роман' });
    expect(service.received).toMatchObject({
      url: '/api/v1/clean/name',
      headers: { 'x-secret': 'secret-of-ours' },
      body: ['седов роман'],
    });
  });

  test('invalid suggestions are left out, and wrong numbers of a valid one', async () => {
    const wrong = [
      null,
      7,
      'x',
      { inn: '<b>' },
      { ...party, name: 'x' },
      { ...party, name: { full: 'x'.repeat(501) } },
    ];
    const polluted = JSON.stringify({ ...party, kpp: '1', ogrn: 'x', okpo: null }).replace(
      '{',
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},',
    );
    const list = [...wrong.map((data) => JSON.stringify({ data })), `{"data":${polluted}}`];
    service.reply = [200, `{"suggestions":[${list.join(',')}]}`];
    const { suggestions } = await who.api(lookups.companies, body('500100732259'));
    expect(suggestions).toEqual([expect.objectContaining({ kpp: '', ogrn: '', okpo: '' })]);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test.each<[status: number, answer: string]>([
    [401, '{"message":"key-of-ours is wrong"}'],
    [403, '{}'],
    [500, ''],
    [302, ''],
    [200, '<!doctype html><p>sign in</p>'],
    [200, '[]'],
    [200, '{"suggestions":{}}'],
    [200, '{"suggestions":[1]}'],
    [200, '['.repeat(100_000)],
    [200, JSON.stringify({ suggestions: [], more: 'x'.repeat(3_000_000) })],
  ])('is not available when it answers %i %.30s', async (...answer) => {
    service.reply = answer;
    const refused = await who
      .api(lookups.banks, body(`bank ${answer[0]} ${answer[1].slice(0, 40)}`))
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(JSON.stringify((refused as { body: object }).body)).not.toContain('key-of-ours');
  });

  test('passes on that it is busy', async () => {
    service.reply = [429, '{}', { 'retry-after': '7' }];
    await expect(who.api(lookups.banks, body('busy'))).rejects.toMatchObject({ status: 429 });
  });
});

test('a source that does not answer is given up, and one that is away is not available', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const DADATA_URL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const world = await World.start({ LOOKUPS: 'dadata', DADATA_KEY: 'key', DADATA_URL });
  try {
    const { api } = await world.person();
    const startedAt = performance.now();
    await expect(api(lookups.banks, body('slow'))).rejects.toMatchObject({ status: 503 });
    // Without a limit of its own it would wait for as long as an HTTP client does, which is minutes.
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    silent.closeAllConnections();
    await new Promise((done) => silent.close(done));
    await expect(api(lookups.banks, body('away'))).rejects.toMatchObject({ status: 503 });
    // Without a secret names are split here.
    expect((await api(lookups.names, body('седов роман'))).lastName).toBe('Седов');
  } finally {
    await world.stop();
    silent.closeAllConnections();
    silent.close();
  }
});
