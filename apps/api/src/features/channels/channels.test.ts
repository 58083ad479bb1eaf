import { ADMINISTRATOR_GRANTS, channels, SendingType, sendings } from '@heliograph/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ChannelAdministration1763700000027 } from '../../../../../migrations/1763700000027-channel-administration.ts';
import { Carrier } from '../../../test/carrier.ts';
import { balance, contactList, finished, problems, setCarrier } from '../../../test/factories.ts';
import { fieldsOf, raw, type RawAnswer } from '../../../test/raw.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { drivers } from '../../channels/registry.ts';
import { ChannelConnections } from './channel-connections.service.ts';
import { ChannelStatesService } from './channel-states.service.ts';
import { ChannelsService } from './channels.service.ts';

let world: World;
let worker: INestApplicationContext;
let administrator: Person;
let n = 0;

beforeAll(async () => {
  world = await World.start();
  worker = await world.startWorker();
  const grants = { add: ADMINISTRATOR_GRANTS };
  administrator = await world.person({ level: 'manager', grants });
});
afterAll(() => world.stop());

const url = 'http://127.0.0.1:9/messages';
const smsc = { url: 'smpp://8.8.8.8:2775', systemId: 'helio', password: 'Tr0ub4do' };
const mail = { url: 'smtp://8.8.8.8', domain: 'mail.example' };
const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const by = (method: string, path: string, body?: unknown) =>
  raw(world, administrator, method, path, body);
const kept = async (name: string) => {
  const [row] = await world.db.query<{ options: Record<string, unknown> }>(
    `select options from channels where name = $1`,
    [name],
  );
  return row?.options;
};
const reasonOf = ({ json }: RawAnswer) => json.data?.[0]?.message as string;

const testOf = (given: object = {}) => ({
  type: 'viber',
  recipient: '+79001112233',
  payload: { sender: 'TEA', text: 'Is it on?' },
  ...given,
});
/** How a channel does, with all that processes have gathered. */
const shown = async (channel: string) => {
  for (const app of [world.api, worker])
    await app.get(ChannelStatesService, { strict: false }).flush();
  return (await administrator.api(channels.get, { params: { channel } })).state;
};
/** How a test message ends. */
const outcome = async (name: string, given?: object) => {
  const { status, json } = await by('POST', `/channels/${name}/test`, testOf(given));
  expect([status, json.status]).toEqual([200, 'pending']);
  const id = json.id as string;
  return until(async () => {
    const { state } = await administrator.api(sendings.get, { params: { id }, query: {} });
    return ['delivered', 'failed'].includes(state.status) && { id, ...state };
  }, 'the test to end');
};

async function create(options: object = {}): Promise<{ name: string; secret: string }> {
  const [name, secret] = [`made-${n++}`, newSecret()];
  const body = { name, driver: 'http', types: ['hlr'], options: { url, secret, ...options } };
  expect((await by('POST', '/channels', body)).status).toBe(201);
  return { name, secret };
}

test('a manager of all accounts can neither change channels nor its own grants', async () => {
  const { name } = await create();
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const grants = { add: ADMINISTRATOR_GRANTS };
  await raw(world, manager, 'PUT', `/users/${manager.id}`, { grants, level: 'manager' });
  const body = { name: 'mine', driver: 'simulator', types: ['sms'] };
  const tries: [string, string, object?][] = [
    ['GET', '/channels'],
    ['GET', '/channels/drivers'],
    ['POST', '/channels', body],
    ['PUT', `/channels/${name}`, { isActive: false }],
    ['PATCH', `/channels/${name}`, { options: { url: 'http://127.0.0.1:6666/' } }],
    ['GET', `/channels/${name}`],
    ['DELETE', `/channels/${name}`],
    ['POST', `/channels/${name}/test`, testOf({ type: 'hlr' })],
  ];
  for (const [method, path, given] of tries) {
    const answer = await raw(world, manager, method, path, given);
    expect([method, path, answer.status]).toEqual([method, path, 403]);
  }
  const customer = await world.person({ grants });
  expect((await raw(world, customer, 'GET', '/channels')).status).toBe(403);
});

test('an upgrade keeps the channels with the managers who had them and see everybody', async () => {
  // Of its own: the statements of a worker lock the same tables in another order.
  const installation = await World.start();
  onTestFinished(() => installation.stop());
  const add = ['users.all', 'tariffs.get'];
  const people = {
    administrator: await installation.person({
      level: 'manager',
      grants: { add: ADMINISTRATOR_GRANTS },
    }),
    chief: await installation.person({ level: 'manager', grants: { add } }),
    chained: await installation.person({
      level: 'manager',
      grants: { add, remove: ['users.all'] },
    }),
    manager: await installation.person({ level: 'manager' }),
    customer: await installation.person({ grants: { add } }),
  };
  const runner = installation.db.dataSource.createQueryRunner();
  const grantsOf = async ({ id }: Person) => {
    const [row] = (await runner.query(`select grants from users where id = $1`, [id])) as {
      grants: { add?: string[] };
    }[];
    return row!.grants.add ?? [];
  };
  await runner.startTransaction();
  try {
    await new ChannelAdministration1763700000027().down(runner);
    const others = ADMINISTRATOR_GRANTS.filter((grant) => !grant.startsWith('channels.'));
    expect(await grantsOf(people.administrator)).toEqual(others);
    await new ChannelAdministration1763700000027().up(runner);
    expect(await grantsOf(people.chief)).toEqual([
      ...add,
      ...ADMINISTRATOR_GRANTS.filter((grant) => grant.startsWith('channels.')),
    ]);
    expect(await grantsOf(people.chained)).toEqual(add);
    expect(await grantsOf(people.manager)).toEqual([]);
    expect(await grantsOf(people.customer)).toEqual(add);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
});

test('a channel has the options that its driver declares', async () => {
  const { data } = await administrator.api(channels.drivers);
  const http = data.find((driver) => driver.name === 'http')!;
  const names = drivers.map(({ name }) => name);
  // Behind those of the product are those of other tests of the process.
  expect(names.slice(0, 6)).toEqual(['simulator', 'http', 'http-mapping', 'smpp', 'smtp', 'fcm']);
  expect(data.map((driver) => driver.name)).toEqual(names);
  expect(http.options.filter((o) => o.isSecret).map((o) => o.name)).toEqual(['secret']);
  expect(http.options.filter((o) => o.isRequired).map((o) => o.name)).toEqual(['url', 'secret']);
  expect(http.options.find((o) => o.name === 'maxBatch')).toMatchObject({
    kind: 'integer',
    default: 500,
    minimum: 1,
    maximum: 1000,
  });
  const { name } = await create({ maxBatch: 7 });
  const listed = (await administrator.api(channels.find, { query: {} })).data.find(
    (c) => c.name === name,
  );
  expect(listed).toMatchObject({ driver: 'http', isActive: false, priority: 0, types: ['hlr'] });
  expect(listed!.options).toEqual({ url, maxBatch: 7 });
  expect(listed!.secrets).toEqual(['secret']);
});

test.each([
  [{ name: 'Big Name' }, ['name']],
  [{ name: 'simulator' }, ['name']],
  [{ driver: 'fax' }, ['driver']],
  [{ driver: 'toString' }, ['driver']],
  [{ types: ['pigeon'] }, ['types.0']],
  [{ priority: 2 ** 31 }, ['priority']],
  [{ options: {} }, ['options.url', 'options.secret']],
  [{ options: { url, secret: newSecret(), sekret: 'x' } }, ['options.sekret']],
  [{ options: { url: 'http://10.0.0.1/', secret: newSecret() } }, ['options.url']],
  [{ options: { url: 'http://[::1]/', secret: newSecret() } }, ['options.url']],
  [{ options: { url: 'https://me:secret@8.8.8.8/', secret: newSecret() } }, ['options.url']],
  [{ options: { url: 'http://nowhere.invalid/', secret: newSecret() } }, ['options.url']],
  [{ driver: 'smpp', options: { ...smsc, url: 'smpp://10.0.0.1:2775' } }, ['options.url']],
  [{ driver: 'smpp', options: { ...smsc, url: 'smpps://[::1]' } }, ['options.url']],
  [{ driver: 'smpp', options: { ...smsc, url: 'smpp://167772161:2775' } }, ['options.url']],
  [{ driver: 'smpp', options: { ...smsc, url: 'smpp://nowhere.invalid' } }, ['options.url']],
  [{ driver: 'smpp', options: { ...smsc, password: '' } }, ['options.password']],
  [{ driver: 'smpp', types: ['sms', 'viber', 'email'], options: smsc }, ['types']],
  [{ driver: 'wapi', types: ['whatsapp'], options: {} }, ['types']],
  [{ driver: 'smtp', types: ['sms'], options: mail }, ['types']],
  [
    { driver: 'smtp', types: ['email'], options: { ...mail, url: 'smtp://10.0.0.1' } },
    ['options.url'],
  ],
])('%j is refused', async (wrong, fields) => {
  const options = { url, secret: newSecret() };
  const body = { name: `wrong-${n++}`, driver: 'http', types: ['sms'], options, ...wrong };
  const answer = await by('POST', '/channels', body);
  expect([answer.status, fieldsOf(answer)]).toEqual([422, fields]);
});

test('the password of an SMPP account is written once, and belongs to its address', async () => {
  const body = { name: `smsc-${n++}`, driver: 'smpp', types: ['sms'], options: smsc };
  const created = await by('POST', '/channels', body);
  const shown = { options: { url: smsc.url, systemId: 'helio' }, secrets: ['password'] };
  expect(created.json).toMatchObject(shown);
  expect(JSON.stringify(created.json)).not.toContain(smsc.password);
  const change = (options: object) => by('PUT', `/channels/${body.name}`, { options });
  const { password: _, ...rest } = smsc;
  expect((await change({ ...rest, window: 50 })).json).toMatchObject({
    options: { window: 50 },
    secrets: ['password'],
  });
  const moved = await change({ ...rest, url: 'smpp://8.8.4.4:2775' });
  expect([moved.status, fieldsOf(moved)]).toEqual([422, ['options.password']]);
  const [log] = await world.db.query<{ text: string }>(
    `select string_agg(to_jsonb(a)::text, ' ') as text from audit_log a where to_jsonb(a)::text like $1`,
    [`%${body.name}%`],
  );
  expect(log!.text).toContain('helio');
  expect(log!.text).not.toContain(smsc.password);
});

test('the secrets of a mail server are written once, and belong to its address', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const secrets = {
    password: 'Tr0ub4dour',
    dkimKey: privateKey,
    bounceSecret: 'b0unces-of-tea-are-secret',
  };
  const open = { ...mail, username: 'helio', dkimSelector: 'one', bounceDomain: 'back.example' };
  const body = {
    name: `mail-${n++}`,
    driver: 'smtp',
    types: ['email'],
    options: { ...open, ...secrets },
  };
  const created = await by('POST', '/channels', body);
  expect(created.status).toBe(201);
  const change = (options: object) => by('PUT', `/channels/${body.name}`, { options });
  const changed = await change({ ...open, connections: 7 });
  expect(changed.json).toMatchObject({ options: { ...open, connections: 7 } });
  expect(changed.json.secrets.toSorted()).toEqual(Object.keys(secrets).toSorted());
  expect(await kept(body.name)).toMatchObject(secrets);
  const moved = await change({ ...open, url: 'smtp://8.8.4.4' });
  expect([moved.status, fieldsOf(moved).toSorted()]).toEqual([
    422,
    Object.keys(secrets)
      .map((name) => `options.${name}`)
      .toSorted(),
  ]);
  const shown = [
    created,
    changed,
    moved,
    await by('GET', `/channels/${body.name}`),
    await by('GET', '/channels'),
  ];
  const [log] = await world.db.query<{ text: string }>(
    `select string_agg(to_jsonb(a)::text, ' ') as text from audit_log a where to_jsonb(a)::text like $1`,
    [`%${body.name}%`],
  );
  expect(log!.text).toContain('back.example');
  for (const secret of [secrets.password, secrets.bounceSecret, 'PRIVATE KEY'])
    expect(JSON.stringify(shown.map(({ json }) => json)) + log!.text).not.toContain(secret);
});

test('types that a driver does not carry are refused, and those that a channel has may stay', async () => {
  const body = { name: `smsc-${n++}`, driver: 'smpp', types: ['sms'], options: smsc };
  await by('POST', '/channels', body);
  const change = (types: string[]) => by('PUT', `/channels/${body.name}`, { types });
  const refused = await change(['sms', 'viber']);
  expect([refused.status, fieldsOf(refused)]).toEqual([422, ['types']]);
  expect((await change(['sms', 'smsping'])).status).toBe(200);
  await world.db.query(`update channels set types = '{sms,viber}' where name = $1`, [body.name]);
  expect((await change(['viber'])).status).toBe(200);
  const { data } = await administrator.api(channels.drivers, {});
  const carried = Object.fromEntries(data.map((driver) => [driver.name, driver.types]));
  expect(carried).toMatchObject({ smpp: ['sms', 'smsping'], smtp: ['email'], wapi: ['wapi'] });
  expect(carried.http).toEqual(SendingType.options);
});

test('options that a driver does not declare public are not returned', async () => {
  const { name } = await create();
  const options = { url, secret: newSecret(), token: 'hunter2', timeoutMs: 500 };
  await world.db.query(`update channels set options = $2 where name = $1`, [name, options]);
  await world.db.query(
    `insert into channels (name, driver, types, options) values ('old', 'gone', '{hlr}', '{"url": "http://old", "key": "k"}')
     on conflict do nothing`,
  );
  const { data } = await administrator.api(channels.find, { query: {} });
  const shown = data.find((channel) => channel.name === name)!;
  expect(shown.options).toEqual({ url, timeoutMs: 500 });
  expect(shown.secrets.sort()).toEqual(['secret', 'token']);
  const old = data.find((channel) => channel.name === 'old')!;
  expect([old.options, old.secrets.sort()]).toEqual([{}, ['key', 'url']]);
  const answer = await by('PUT', `/channels/${name}`, { isActive: true });
  expect(JSON.stringify(answer.json)).not.toMatch(/hunter2|whsec_/);
});

test('a secret is kept for its URL only', async () => {
  const { name, secret } = await create();
  const put = (options: object) => by('PUT', `/channels/${name}`, { options });
  expect((await put({ url, timeoutMs: 900 })).status).toBe(200);
  expect(await kept(name)).toEqual({ url, timeoutMs: 900, secret });

  for (const elsewhere of ['http://127.0.0.1:10/messages', `${url}?to=me`]) {
    const answer = await put({ url: elsewhere });
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['options.secret']]);
    expect(reasonOf(answer)).toBe('Give the secret of this address.');
  }
  expect(await kept(name)).toEqual({ url, timeoutMs: 900, secret });
  const cleared = await put({ url, secret: null });
  expect([cleared.status, fieldsOf(cleared)]).toEqual([422, ['options.secret']]);

  const other = newSecret();
  expect((await put({ url: 'http://127.0.0.1:10/', secret: other })).status).toBe(200);
  expect(await kept(name)).toEqual({ url: 'http://127.0.0.1:10/', secret: other });
  const inside = await put({ url: 'http://169.254.169.254/latest', secret: other });
  expect([inside.status, fieldsOf(inside)]).toEqual([422, ['options.url']]);
});

test('batches reference the settings that they were submitted with, and store no copy', async () => {
  await setCarrier(world, { deliveredDelay: [5000, 5000] });
  const owner = await world.person();
  const list = await contactList(world, owner.id, 3);
  const payload = { sender: 'TEA', text: 'Tea is ready' };
  const body = { type: 'viber' as const, payload, recipient: { include: [list], exclude: [] } };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  const submitted = `select channel_revision as revision, options from batches where task_id = $1 and stage = 3`;
  const batch = await until(async () => {
    const [row] = await world.db.query<{ revision: number; options: unknown }>(submitted, [id]);
    return row;
  }, 'the bulk to be submitted');
  expect(batch).toEqual({ revision: expect.any(Number), options: null });

  // From now on every message fails, except those submitted before.
  await setCarrier(world, { failed: 1 });
  const former = `select revision from channel_revisions where channel = 'simulator'`;
  const revisions = async () =>
    (await world.db.query<{ revision: number }>(former)).map((r) => r.revision);
  expect(await revisions()).toContain(batch.revision);
  await world.db.query(`update channel_revisions set superseded_at = now() - interval '2 hours'`);
  const service = world.api.get(ChannelsService, { strict: false });
  await service.forgetFormer();
  expect(await revisions()).toEqual([batch.revision]);

  world.clock.forward(6);
  const { meta } = await finished(owner, id);
  expect(meta.counters).toMatchObject({ completed: 3, errored: 0 });
  await service.forgetFormer();
  expect(await revisions()).toEqual([]);
});

test('a channel is tested free of charge before it is active, and shows its state', async () => {
  const carrier = await Carrier.start(world, ['viber']);
  const { name } = carrier;
  /** A report may come before the result of its submit is counted. */
  const counted = (submitted: number) =>
    until(async () => (await shown(name))?.submitted === submitted, `${submitted} submits`);
  try {
    await by('PUT', `/channels/${name}`, { isActive: false });
    expect(await shown(name)).toEqual({
      status: 'off',
      failingSince: null,
      error: null,
      errorAt: null,
      submitted: 0,
      submittedAt: null,
      reportedAt: null,
    });
    const before = await balance(world, administrator.id);
    carrier.meanwhile = async ({ reference }) => {
      setTimeout(() => void carrier.report([{ reference, status: 'delivered' }]), 20);
      return { result: 'accepted' };
    };
    expect(await outcome(name)).toMatchObject({ status: 'delivered' });
    await counted(1);
    expect(await shown(name)).toMatchObject({
      status: 'off',
      submitted: 1,
      submittedAt: expect.any(String),
      reportedAt: expect.any(String),
    });
    await by('PUT', `/channels/${name}`, { isActive: true });
    expect(await shown(name)).toMatchObject({ status: 'working', failingSince: null });

    carrier.isBusy = true;
    expect(await outcome(name)).toMatchObject({ status: 'failed', code: 'channel_down' });
    await until(async () => (await shown(name))?.status === 'failing', 'the failure');
    const failing = await shown(name);
    expect(failing).toMatchObject({ status: 'failing', error: 'answered 503', submitted: 1 });
    await outcome(name);
    expect((await shown(name)).failingSince).toBe(failing.failingSince);
    carrier.isBusy = false;
    await outcome(name);
    await counted(2);
    expect(await shown(name)).toMatchObject({
      status: 'working',
      failingSince: null,
      error: 'answered 503',
      submitted: 2,
    });
    expect(await balance(world, administrator.id)).toBe(before);
    expect(await problems(world)).toEqual([]);
  } finally {
    await by('PUT', `/channels/${name}`, { isActive: false });
    carrier.stop();
  }
});

test.each([
  [{ type: 'sms' }, ['type']],
  [{ recipient: 'somebody' }, ['recipient']],
  [{ payload: { sender: 'TEA' } }, ['payload.text']],
  [{ payload: { sender: '', text: 'Hi' } }, ['payload.sender']],
  [{ OwnerId: '01930000-0000-7000-8000-000000000111' }, ['OwnerId']],
])('a test with %j is refused', async (given, fields) => {
  const { name } = await create();
  await by('PUT', `/channels/${name}`, { types: ['viber'] });
  const answer = await by('POST', `/channels/${name}/test`, testOf(given));
  expect([answer.status, fieldsOf(answer)]).toEqual([422, fields]);
});

test('a channel without open messages is removed, and its name is not reused', async () => {
  const carrier = await Carrier.start(world, ['viber']);
  const { name } = carrier;
  const remove = () => by('DELETE', `/channels/${name}`);
  try {
    expect((await remove()).json.message).toBe('Switch the channel off first.');
    await by('PUT', `/channels/${name}`, { isActive: false });
    const { json } = await by('POST', `/channels/${name}/test`, testOf());
    const reference = json.id as string;
    await until(async () => carrier.taken.includes(reference), 'the submit');
    expect((await remove()).json.message).toMatch('still wait');
    await carrier.report([{ reference, status: 'delivered' }]);
    await world.db.query(
      `update batches set closed_at = now() where channel = $1 and closed_at is null`,
      [name],
    );
    expect(await remove()).toMatchObject({ status: 200, json: { id: name } });
  } finally {
    carrier.stop();
  }
  expect(await kept(name)).toEqual({});
  const former = `select 1 from channel_revisions where channel = $1`;
  expect(await world.db.query(former, [name])).toEqual([]);
  const listed = (await administrator.api(channels.find, { query: {} })).data;
  expect(listed.map((channel) => channel.name)).not.toContain(name);
  for (const [method, path, body] of [
    ['GET', `/channels/${name}`],
    ['PUT', `/channels/${name}`, { isActive: true }],
    ['DELETE', `/channels/${name}`],
    ['POST', `/channels/${name}/test`, testOf()],
  ] as const)
    expect((await by(method, path, body)).status).toBe(404);
  const again = await by('POST', '/channels', { name, driver: 'simulator', types: ['hlr'] });
  expect([again.status, fieldsOf(again)]).toEqual([422, ['name']]);

  // Messages added just before the removal fail and are refunded.
  const owner = await world.person();
  const viber = { type: 'viber' as const, payload: { sender: 'TEA', text: 'Late' } };
  const send = (recipient: string) => owner.api(sendings.create, { body: { ...viber, recipient } });
  world.forgetChannels();
  await send('+79001112234');
  const switched = `update channels set is_active = $1 where name = 'simulator'`;
  await world.db.query(switched, [false]);
  const { id } = (await send('+79001112235')) as { id: string };
  await world.db.query(
    `update batches set channel = $1 from sendings s where s.id = $2 and s.batch_id = batches.id`,
    [name, id],
  );
  await world.db.query(switched, [true]);
  await until(async () => {
    const { state } = await owner.api(sendings.get, { params: { id }, query: {} });
    return state.code === 'channel_down';
  }, 'the message to fail');
  expect(await problems(world)).toEqual([]);
});

test('the list is filtered by name, type and state', async () => {
  const { name } = await create();
  const list = async (query: string) => {
    const { json } = await by('GET', `/channels?${query}`);
    return { total: json.total as number, names: json.data.map((c: { name: string }) => c.name) };
  };
  expect((await list(`$search=${name}`)).names).toEqual([name]);
  expect((await list('$search=%25')).names).toEqual([]);
  expect((await list('type[0]=hlr&type[1]=sms&isActive=false')).names).toContain(name);
  expect((await list('type=email&isActive=true')).names).not.toContain(name);
  const { names, total } = await list('$order=name:asc&$limit=1&$offset=1');
  const all = (await list('$order=name:asc')).names;
  expect([names, total]).toEqual([[all[1]], all.length]);
});

test('an API opens no channel: it saves, verifies, accepts and answers by facts alone', async () => {
  const other = await World.start();
  const opened: string[] = [];
  const spies = drivers.map((driver) =>
    vi.spyOn(driver, 'open').mockImplementation(() => {
      opened.push(driver.name);
      throw new Error('an API opened a channel');
    }),
  );
  try {
    const admin = await other.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
    const call = (method: string, path: string, body?: object) =>
      raw(other, admin, method, path, body);
    const carrier = await Carrier.start(other, ['viber']);
    const simulated = { name: 'simulated', driver: 'simulator', types: ['viber'], isActive: true };
    const answers = [
      await call('POST', '/channels', simulated),
      await call('PUT', '/channels/simulated', { options: { latencyMs: 5 } }),
      await call('POST', `/channels/${carrier.name}/test`, testOf()),
      await call('POST', '/sendings', testOf()),
      await carrier.report([{ externalId: 'unknown', status: 'sent' }]),
      await carrier.post('incoming', {
        type: 'viber',
        from: '+79001112233',
        to: 'TEA',
        payload: { text: 'x' },
      }),
      await call('PUT', '/channels/simulated', { isActive: false }),
      await call('DELETE', '/channels/simulated'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 200, 200]);
    const connections = other.api.get(ChannelConnections, { strict: false });
    await expect(connections.of(carrier.name)).rejects.toThrow('Only workers open channels');
    await expect(connections.ofRevision(carrier.name, null)).rejects.toThrow('Only workers');
    expect(opened).toEqual([]);
    carrier.stop();
  } finally {
    for (const spy of spies) spy.mockRestore();
    await other.stop();
  }
});
