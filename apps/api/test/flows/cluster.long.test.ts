import {
  RESYNC,
  auth,
  sendernames,
  sendings,
  tasks,
  type EventName,
  type Sending,
  type Sendername,
  type Task,
} from '@heliograph/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, contactList, setCarrier } from '../factories.ts';
import { type Person, until } from '../world.ts';
import { Processes } from './processes.ts';

let cluster: Processes;
let a: string;
let b: string;
let owner: Person;
const sockets: Socket[] = [];

beforeAll(async () => {
  cluster = await Processes.start();
  [a, b] = await Promise.all([cluster.api('a'), cluster.api('b')]).then(
    (all) => all.map(({ base }) => base) as [string, string],
  );
  await cluster.worker('c');
  await setCarrier(cluster.world, {});
  owner = await cluster.world.person({ balance: 10_000 });
  await approve(cluster.world, owner.id);
});
afterAll(async () => {
  sockets.forEach((socket) => socket.disconnect());
  await cluster?.stop();
});

type Heard = { name: string; body: { items?: { id: string }[]; groupId?: string; count?: number } };

/** A socket and the events that it receives. */
async function listen(base: string, how: object): Promise<{ socket: Socket; heard: Heard[] }> {
  const socket = io(base, { transports: ['websocket'], reconnection: false, ...how });
  sockets.push(socket);
  const heard: Heard[] = [];
  socket.onAny((name: string, body: Heard['body']) => heard.push({ name, body }));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { socket, heard };
}

function items<T>(heard: Heard[], name: EventName): T[] {
  return heard.filter((h) => h.name === name).flatMap((h) => (h.body.items ?? []) as T[]);
}

const withToken = (token: string) => ({ auth: { token } });

test('a socket of one API gets events of another API and of a worker', async () => {
  const { heard } = await listen(a, withToken(owner.token));
  const api = cluster.world.client(owner.token, b);
  const payload = { sender: 'MIRTEA', text: 'Tea' };
  const body = { type: 'viber' as const, payload };
  const { id } = (await api(sendings.create, {
    body: { ...body, recipient: '+79020001122' },
  })) as { id: string };
  await until(
    async () =>
      items<Sending>(heard, 'sendings.updated').some(
        (s) => s.id === id && s.state.status === 'delivered',
      ),
    'the delivery to be heard',
  );
  const list = await contactList(cluster.world, owner.id, 300);
  const task = (await api(sendings.create, {
    body: { ...body, recipient: { include: [list] } } as never,
  })) as { id: string };
  await until(
    async () =>
      items<Task>(heard, 'tasks.updated').some((t) => t.id === task.id && t.state === 'completed'),
    'the end of the task to be heard',
  );
  await until(
    async () => heard.some((h) => h.name === 'sendings.updated' && h.body.groupId === task.id),
    'the messages to be counted',
  );
  // Each kind of event travels for itself.
  const charged = () =>
    heard
      .filter(({ name }) => name === 'billings.created')
      .reduce((n, { body }) => n + (body.count ?? 0), 0);
  await until(async () => charged() >= 301, 'the charges to be heard');
  expect(charged()).toBe(301);
  expect((await api(tasks.get, { params: { id: task.id } })).meta.counters.completed).toBe(300);
});

test('an API that starts sends resync to its sockets, because events of a killed one may be lost', async () => {
  const { heard } = await listen(a, withToken(owner.token));
  await cluster.worker('d');
  await until(async () => heard.some(({ name }) => name === RESYNC), 'the call to fetch anew');
});

test('a private comment reaches the sockets of managers and not the customer', async () => {
  const manager = await cluster.world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const reseller = await cluster.world.person({ level: 'reseller' });
  const customer = await cluster.world.person({ resellerId: reseller.id });
  const [own, above, all] = await Promise.all([
    listen(a, withToken(customer.token)),
    listen(b, withToken(reseller.token)),
    listen(a, withToken(manager.token)),
  ]);
  const name = await cluster.world.client(customer.token, b)(sendernames.create, {
    body: {
      name: 'PRIVATE',
      type: 'sms',
      meta: { comment: 'Tea House LLC, INN 7700000009' },
    } as never,
  });
  await cluster.world.client(manager.token, b)(sendernames.moderate, {
    params: { id: name.id },
    body: { moderation: 'rejected', comment: 'not yet', privateComment: 'for managers only' },
  });
  const changedRow = async (heard: Heard[]) =>
    until(
      async () => items<Sendername>(heard, 'sendernames.updated').find((s) => s.id === name.id),
      'the verdict to be heard',
    );
  expect((await changedRow(all.heard)).meta.adminPrivateComment).toBe('for managers only');
  expect((await changedRow(own.heard)).meta.adminComment).toBe('not yet');
  await changedRow(above.heard);
  for (const { heard } of [own, above])
    expect(JSON.stringify(heard)).not.toContain('for managers only');
  expect(JSON.stringify(own.heard)).not.toContain('PrivateComment');
});

test('failed logins at both APIs are counted together', async () => {
  const { username } = await cluster.world.person();
  const login = (base: string) =>
    cluster.world
      .client(undefined, base)(auth.login, { body: { username, password: 'wrong-one' } })
      .catch((error: { status: number }) => error.status);
  const answers: unknown[] = [];
  for (const base of [a, b, a, b, a]) answers.push(await login(base));
  expect(answers).toEqual([401, 401, 401, 401, 401]);
  expect(await login(b)).toBe(429);
  expect(await login(a)).toBe(429);
});

test('a token comes in `auth` or in the address; none, or a wrong one, is refused', async () => {
  await listen(a, withToken(owner.token));
  await listen(a, withToken(`Bearer ${owner.token}`));
  await listen(b, { query: { token: owner.token } });
  await expect(listen(a, {})).rejects.toThrow('unauthorized');
  await expect(listen(b, withToken('nonsense'))).rejects.toThrow('unauthorized');
});

test('sockets of a session that has ended are disconnected, whichever API ended it', async () => {
  const { username } = await cluster.world.person();
  const [ended, other] = [await cluster.world.login(username), await cluster.world.login(username)];
  const [one, two] = [await listen(a, withToken(ended)), await listen(a, withToken(other))];
  await cluster.world.client(ended, b)(auth.logout, { body: {} });
  await until(async () => !one.socket.connected, 'the socket to be disconnected');
  expect(two.socket.connected).toBe(true);
  await expect(listen(b, withToken(ended))).rejects.toThrow('unauthorized');
});

test('stopping an API disconnects only its own sockets', async () => {
  const third = await cluster.api('third');
  const [here, there] = [
    await listen(a, withToken(owner.token)),
    await listen(third.base, withToken(owner.token)),
  ];
  await third.process.kill('SIGTERM');
  await until(async () => !there.socket.connected, 'its own socket to be disconnected');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(here.socket.connected).toBe(true);
});
