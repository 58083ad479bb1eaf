import { notifications, systemMessages, type ApiError } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationsOf, serviceOf } from '../../../test/notified.ts';
import { type Person, World } from '../../../test/world.ts';
import { BroadcastsService } from './broadcasts.service.ts';

// No worker runs: the tests call what a worker does.
let world: World;
let administrator: Person;
let manager: Person;
let mine: Person;
let other: Person;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  manager = await world.person({ level: 'manager' });
  mine = await world.person({ managerId: manager.id });
  other = await world.person();
});
afterAll(() => world.stop());

const body = (audience: object, change: object = {}) => ({
  type: 'SystemPlatformIssues',
  title: 'Delays',
  text: 'Messages are <b>late</b>.',
  audience,
  ...change,
});
const send = (who: Person, given: object) =>
  who.api(systemMessages.create, { body: given as never });
const broadcasts = () => serviceOf(world.api, BroadcastsService);
const work = async () => {
  while (await broadcasts().run());
};
const received = async (who: Person) =>
  (await notificationsOf(world, who)).map(({ data }) => data.message).filter(Boolean);
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: ApiError) => error.code,
  );

test('reaches the accounts of its audience, and nobody else', async () => {
  const own = await send(manager, body({ to: 'own' }));
  const chosen = await send(administrator, body({ to: 'accounts', accounts: [other.id] }));
  const level = await send(administrator, body({ to: 'level', level: 'manager' }));
  const limited = await send(manager, body({ to: 'level', level: 'me' }));
  const all = await send(administrator, body({ to: 'all' }));
  await work();
  expect(await received(mine)).toEqual([own.id, limited.id, all.id]);
  expect(await received(other)).toEqual([chosen.id, all.id]);
  expect(await received(administrator)).toEqual([level.id, all.id]);
  expect(await received(manager)).toEqual([own.id, level.id, all.id]);
  const read = await administrator.api(systemMessages.get, { params: { id: all.id } });
  expect(read).toMatchObject({ state: 'completed', audience: { to: 'all' } });
  const [{ count }] = (await world.db.query<{ count: number }>(
    `select count(*)::int from users where owner_id = id and is_active`,
  )) as [{ count: number }];
  expect(read.notified).toBe(count);
});

test('a manager reaches only own accounts, a customer none', async () => {
  expect(await refusal(send(manager, body({ to: 'all' })))).toBe('forbidden');
  const foreign = body({ to: 'accounts', accounts: [mine.id, other.id] });
  expect(await refusal(send(manager, foreign))).toBe('not_found');
  expect(await refusal(send(mine, body({ to: 'own' })))).toBe('forbidden');
  const { id } = await send(administrator, body({ to: 'all' }));
  expect(await refusal(manager.api(systemMessages.get, { params: { id } }))).toBe('not_found');
});

test('each account is notified once, whatever happens to the workers', async () => {
  const accounts = Array.from({ length: 1200 }, (_, i) => i);
  await world.db.query(
    `with u as (insert into users (username, password_hash, id, owner_id, is_verified)
                select 'many-' || n, 'x', id, id, true from (select n, uuidv7() as id from unnest($1::int[]) n) s returning id)
     insert into balances (owner_id) select id from u`,
    [accounts],
  );
  const { id } = await send(administrator, body({ to: 'level', level: 'me' }));
  await Promise.all([work(), work(), work()]);
  const [row] = await world.db.query<{ rows: number; users: number }>(
    `select count(*)::int as rows, count(distinct user_id)::int as users from notifications where data->>'message' = $1`,
    [id],
  );
  expect(row!.rows).toBe(row!.users);
  expect(row!.rows).toBeGreaterThanOrEqual(1200);
});

test('is stored without markup outside of the subset, with the action in the audit log', async () => {
  const text = `<p onclick="x()">Hi <script>alert(1)</script><a href="javascript:x()">here</a> <a href="https://tea.example/?a=1&b=2">there</a></p><img src=x onerror=x()>`;
  const { id } = await send(administrator, body({ to: 'accounts', accounts: [mine.id] }, { text }));
  await work();
  const { data } = await mine.api(notifications.find);
  expect(data[0]).toMatchObject({ type: 'SystemPlatformIssues', title: 'Delays' });
  expect(data[0]!.text).toBe(
    '<p>Hi here <a href="https://tea.example/?a=1&#38;b=2" rel="noopener noreferrer nofollow">there</a></p>',
  );
  const audit = await world.db.query(
    `select 1 from audit_log where action = 'systemMessages.create' and target_id = $1`,
    [id],
  );
  expect(audit).toHaveLength(1);
  const empty = body({ to: 'own' }, { text: '<script>x</script>' });
  expect(await refusal(send(manager, empty))).toBe('validation');
});

test('the accounts of a tariff are notified when its rules change', async () => {
  const [{ id }] = (await world.db.query<{ id: string }>(
    `with t as (insert into tariffs (title, source) values ('Tea prices', 'viber') returning id),
          r as (insert into tariff_rules (tariff_id, action, price) select id, 'increase', '{2}' from t)
     insert into users_tariffs (owner_id, tariff_id) select $1, id from t returning tariff_id as id`,
    [mine.id],
  )) as [{ id: string }];
  const told = async (who: Person) =>
    (await notificationsOf(world, who)).filter(({ type }) => type === 'TariffUpdate');
  const sweep = async () => {
    await broadcasts().notifyOfTariffs();
    await work();
  };
  await sweep();
  expect(await told(mine)).toEqual([]);
  await world.db.query(`update tariff_rules set price = '{3}' where tariff_id = $1`, [id]);
  await sweep();
  await sweep();
  expect((await told(mine)).map(({ data }) => data.source)).toEqual(['Tea prices']);
  expect(await told(other)).toEqual([]);
});
