import {
  ADMINISTRATOR_GRANTS,
  audit,
  auth,
  billings,
  channels,
  contract,
  links,
  sendernames,
  sendings,
  storage,
  templates,
  users,
  type AuditRecord,
  type Endpoint,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleOf } from '../../../test/samples.ts';
import { MESSAGE, PHONE, scene, type Scene } from '../../../test/scene.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Refusals } from '../../core/audit/refusals.ts';
import { AuditJobs } from './audit.jobs.ts';

let world: World;
let everything: Person;
let manager: Person;
let reseller: Person;
let own: Scene;

beforeAll(async () => {
  world = await World.start({ TRUST_PROXY: '1', DEMO: '1' });
  everything = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  manager = await world.person({ level: 'manager' });
  reseller = await world.person({ level: 'reseller', managerId: manager.id });
  own = await scene(world, reseller);
});
afterAll(() => world.stop());

/** The newest records that a person sees. */
async function records(who: Person, filter: object = {}): Promise<AuditRecord[]> {
  return (await who.api(audit.find, { query: { filter, limit: 50 } })).data;
}
const find = (who: Person, action: string, filter: object = {}) =>
  until(async () => (await records(who, { action: [action], ...filter }))[0], action);

const DECLARED = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).flatMap(([verb, def]) =>
    def.audit ? [{ name: `${noun}.${verb}`, noun, verb, def, action: def.audit }] : [],
  ),
);

test.each(DECLARED)('$name is recorded as $action', async ({ noun, verb, def, action }) => {
  const its = await scene(world, reseller);
  const { call, by = its.owner } = await sampleOf(noun, verb, its);
  await world.db.query(
    `update users set data = data || '{"email":"anna@tea.example"}' where id = $1`,
    [its.owner.id],
  );
  const requestId = crypto.randomUUID();
  const headers = { ...call.headers, 'x-request-id': requestId, 'user-agent': 'Test 1' };
  await by.api(def, { ...call, headers });
  const record = await until(
    async () =>
      (await records(everything, { action: [action] })).find((r) => r.requestId === requestId),
    'a record',
  );
  expect(record).toMatchObject({ action, count: 1, ip: '127.0.0.1', useragent: 'Test 1' });
  expect(record.OwnerId).not.toBeNull();
  expect(def.can === 'public' || record.Actor?.id === by.id).toBe(true);
});

test('a record has the actor, the values before and after, and no secrets', async () => {
  const { owner } = own;
  const params = { id: owner.id };
  await owner.api(users.update, { params, body: { data: { firstName: 'Anna', country: 'RU' } } });
  await reseller.api(users.update, {
    params,
    body: { data: { firstName: 'Olga', country: 'RU' } },
  });
  expect(await find(owner, 'users.update')).toMatchObject({
    Actor: { id: reseller.id, username: reseller.username },
    User: null,
    OwnerId: owner.id,
    target: { type: 'users', id: owner.id },
    before: { 'data.firstName': 'Anna' },
    after: { 'data.firstName': 'Olga' },
  });
  const hidden = { comment: 'between us' };
  const entry = { source: 'accrual' as const, amount: 5, OwnerId: owner.id, data: { hidden } };
  await reseller.api(billings.create, { body: entry });
  await reseller.api(sendernames.moderate, {
    params: { id: await own.sendername() },
    body: { moderation: 'rejected', comment: 'Which brand?', privateComment: hidden.comment },
  });
  const recorded = JSON.stringify(await records(owner));
  expect(recorded).toContain('Which brand?');
  expect(recorded).not.toContain(hidden.comment);
  const before = (await records(owner)).length;
  await owner.api(users.update, { params, body: { data: { firstName: 'Olga' } } });
  expect(await records(owner)).toHaveLength(before);

  const { name } = await own.channel();
  const secret = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;
  await world.db.query(`update channels set options = options || $2 where name = $1`, [
    name,
    { timeoutMs: 1000 },
  ]);
  const [row] = await world.db.query<{ options: object }>(
    `select options from channels where name = $1`,
    [name],
  );
  const administrator = await world.person({
    level: 'manager',
    grants: { add: [...ADMINISTRATOR_GRANTS] },
  });
  await administrator.api(channels.update, {
    params: { channel: name },
    body: { priority: 7, options: { ...row!.options, secret, timeoutMs: 2000 } },
  });
  const changed = await find(administrator, 'channels.update');
  expect(changed).toMatchObject({
    before: { 'options.timeoutMs': 1000 },
    after: { 'options.timeoutMs': 2000, 'secrets.secret': '[redacted]', priority: 7 },
  });
  expect(JSON.stringify(changed)).not.toContain(secret);
});

test('a change and its audit record are one transaction', async () => {
  const { owner } = own;
  await world.db.query(
    `alter table audit_log add constraint refused check (action <> 'billings.create') not valid`,
  );
  const body = { source: 'accrual' as const, amount: 5, OwnerId: owner.id };
  const balance = async () => (await owner.api(users.me)).balance;
  const before = await balance();
  await expect(reseller.api(billings.create, { body })).rejects.toMatchObject({ status: 500 });
  expect(await balance()).toBe(before);
  await world.db.query(`alter table audit_log drop constraint refused`);

  await world.db.query(
    `alter table audit_log add constraint refused check (action <> 'templates.update') not valid`,
  );
  const params = { id: await own.template() };
  const renaming = reseller.api(templates.update, { params, body: { title: 'Renamed' } });
  await expect(renaming).rejects.toMatchObject({ status: 500 });
  expect((await owner.api(templates.get, { params })).title).toBe('Sale');
  await world.db.query(`alter table audit_log drop constraint refused`);

  const broken = reseller.api(billings.create, {
    body: { ...body, source: 'subtract', amount: 1e9 },
  });
  await expect(broken).rejects.toMatchObject({ status: 402 });
  expect((await records(owner, { action: ['billings.create'] })).length).toBe(1);
});

test('changes of superiors and impersonated sessions are recorded, those of the account itself are not', async () => {
  const { owner } = own;
  const [template, link, file] = [await own.template(), await own.link(), await own.file()];
  const started = new Date().toISOString();
  const since = async () =>
    (await owner.api(audit.find, { query: { range: { createdAt: { $gt: started } } } })).data;
  await owner.api(templates.update, { params: { id: template }, body: { title: 'Mine' } });
  await owner.api(sendings.create, { body: { ...MESSAGE, recipient: PHONE } });
  await reseller.api(templates.create, { body: { title: 'Its own', ...MESSAGE } });
  expect(await since()).toEqual([]);

  await reseller.api(templates.update, { params: { id: template }, body: { title: 'Theirs' } });
  await reseller.api(links.remove, { params: { id: link } });
  await reseller.api(storage.remove, { params: { id: file } });
  expect(await since()).toMatchObject([
    { action: 'storage.remove', target: { type: 'storage', id: file } },
    { action: 'links.remove', target: { type: 'links', id: link } },
    { action: 'templates.update', Actor: { id: reseller.id }, target: { id: template } },
  ]);

  const { token } = await reseller.api(auth.loginAs, { params: { id: owner.id } });
  const borrowed = world.client(token);
  await borrowed(sendings.create, { body: { ...MESSAGE, recipient: PHONE } });
  await borrowed(sendernames.create, {
    body: { name: 'BORROWED', type: 'sms', comment: 'Tea, INN 7700000009' },
  });
  await borrowed(links.create, { body: { url: 'https://tea.example/b' } });
  const recorded = (await since()).slice(0, 4);
  expect(recorded.map((r) => r.action)).toEqual([
    'links.create',
    'sendernames.create',
    'sendings.create',
    'auth.loginAs',
  ]);
  for (const record of recorded)
    expect(record).toMatchObject({ Actor: { id: reseller.id }, OwnerId: owner.id });
  for (const record of recorded.slice(0, 3)) expect(record.User).toMatchObject({ id: owner.id });
});

test('records are neither changed nor removed', async () => {
  for (const sql of [
    `update audit_log set action = 'x'`,
    `delete from audit_log`,
    `truncate audit_log`,
  ])
    await expect(world.db.query(sql)).rejects.toThrow('append-only');
});

test('users see the records of accounts within their scope, without the addresses of superiors', async () => {
  const { owner } = own;
  const stranger = await world.person();
  await owner.api(auth.logout);
  owner.token = await world.login(owner.username);
  Object.assign(owner, { api: world.client(owner.token) });
  const ofOwner = (list: AuditRecord[]) => list.filter((r) => r.OwnerId === owner.id).length;
  for (const who of [owner, reseller, everything])
    expect(ofOwner(await records(who))).toBeGreaterThan(0);
  for (const who of [stranger, manager]) expect(ofOwner(await records(who))).toBe(0);
  const mine = await find(owner, 'auth.login');
  expect(mine).toMatchObject({ ip: '127.0.0.1' });
  expect(mine.Owner).toBeUndefined();
  expect(await find(owner, 'auth.loginAs')).toMatchObject({ ip: null, useragent: null });
  expect(await find(reseller, 'auth.loginAs')).toMatchObject({
    ip: '127.0.0.1',
    Owner: { username: owner.username },
  });
  const byActor = await records(reseller, { ActorId: owner.id });
  expect(byActor.every((r) => r.Actor?.id === owner.id)).toBe(true);
  expect((await records(everything, { ip: '10.9.8.7' })).length).toBe(0);
  expect((await records(everything, { ip: '127.0.0.1' })).length).toBeGreaterThan(0);
});

test('failed logins are recorded with their account, several per minute as one record', async () => {
  const owner = await world.person();
  const attempt = (username: string, from: string) =>
    fetch(`${world.base}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ username, password: 'not the password' }),
    });
  // The minute begins with the first of them.
  await world.api.get(Refusals).flush();
  for (let i = 0; i < 4; i++) await attempt(owner.username, '2001:db8:1:2::5');
  expect(await find(owner, 'auth.failed')).toMatchObject({
    Actor: null,
    count: 1,
    target: { type: 'users', id: owner.id },
    ip: '2001:db8:1:2::5',
  });
  await world.api.get(Refusals).flush();
  expect(await records(owner, { action: ['auth.failed'] })).toMatchObject([
    { count: 3 },
    { count: 1 },
  ]);
  // What was typed in place of a name may be a password.
  await attempt('MyPassword1', '10.1.1.1');
  const [unknown] = await until(async () => {
    const found = await records(everything, { ip: '10.1.1.1' });
    return found.length > 0 && found;
  }, 'the record of an unknown name');
  expect(unknown).toMatchObject({ OwnerId: null, target: null });
  expect(JSON.stringify(unknown)).not.toContain('MyPassword1');
  for (let i = 0; i < 6; i++) await attempt(owner.username, '10.1.1.2');
  await until(
    async () => (await records(everything, { action: ['auth.limited'] })).length,
    'limited',
  );
});

test('refusals are recorded: permission, other accounts, impersonated sessions, guessed ids', async () => {
  const { owner } = own;
  const denied = (who: Person) => find(who, 'access.denied');
  const refused = (call: Promise<unknown>) => expect(call).rejects.toBeDefined();
  await refused(owner.api(channels.find, { query: {} }));
  expect(await denied(owner)).toMatchObject({ after: { call: 'GET /api/channels' } });
  const stranger = await world.person();
  await refused(stranger.api(billings.find, { query: { filter: { OwnerId: owner.id } } }));
  expect(await denied(stranger)).toMatchObject({
    OwnerId: stranger.id,
    after: { account: owner.id },
  });

  const { token } = await reseller.api(auth.loginAs, { params: { id: owner.id } });
  await refused(world.client(token)(auth.loginAs, { params: { id: stranger.id } }));
  await until(
    async () =>
      (await records(owner, { action: ['access.denied'] })).some((r) => r.User?.id === owner.id),
    'the refusal of the impersonated session',
  );

  const guessing = await world.person();
  // The minute begins with the first of them.
  await world.api.get(Refusals).flush();
  for (let i = 0; i < 25; i++)
    await refused(guessing.api(templates.get, { params: { id: crypto.randomUUID() } }));
  await refused(stranger.api(templates.get, { params: { id: crypto.randomUUID() } }));
  await world.api.get(Refusals).flush();
  expect(await find(guessing, 'access.probed')).toMatchObject({ count: 25 });
  expect(await records(stranger, { action: ['access.probed'] })).toEqual([]);
});

test('many refusals are a hundred records a minute and a count', async () => {
  const rows: { action: string; count?: number }[] = [];
  const sink = { insert: (row: never) => Promise.resolve(rows.push(row)) };
  const refusals = new Refusals(sink as never as Audit, {} as never);
  for (let i = 0; i < 20_000; i++) {
    const ip = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    refusals.login('auth.failed', undefined, { ip, network: ip, useragent: 'x'.repeat(400) });
  }
  await refusals.flush();
  expect(rows).toHaveLength(101);
  expect(rows.reduce((sum, { count }) => sum + count!, 0)).toBe(20_000);
});

test('old records are deleted in batches', async () => {
  const jobs = world.api.get(AuditJobs, { strict: false });
  const count = async () => (await world.db.query(`select 1 from audit_log`)).length;
  expect(await count()).toBeGreaterThan(10);
  await jobs.deleteOld();
  expect(await count()).toBeGreaterThan(10);
  world.clock.forward(366 * 86_400);
  await jobs.deleteOld();
  expect(await count()).toBe(0);
});
