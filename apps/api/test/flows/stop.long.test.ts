import { contactLists, type StoredFile } from '@heliograph/contract';
import { existsSync, readdirSync } from 'node:fs';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, until } from '../world.ts';
import { bulk, sender } from './delivery.ts';
import { Processes } from './processes.ts';

/** Exit code 0, without a second signal. */
const WELL = { code: 0, signal: null };

interface Answered {
  status: number;
  body: string;
  connection: string | undefined;
}

/** The connection ended before the server had accepted it, so that the request was never there. */
const NOT_ACCEPTED = 'not accepted';

/** One request; what is not answered in full is an error with the code of the connection's end. */
function call(
  base: string,
  agent: Agent | undefined,
  path: string,
  { token, method = 'GET', body, rest }: Call = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let hasAnswer = false;
    const headers = {
      ...(token && { authorization: token }),
      'content-type': typeof body === 'string' ? 'application/json' : 'text/csv',
      ...(typeof body !== 'string' && { 'x-filename': 'friends.csv' }),
    };
    const asked = request(
      `${base}${path}`,
      { agent, method, headers },
      (answer: IncomingMessage) => {
        hasAnswer = true;
        let text = '';
        answer.on('data', (part) => (text += part));
        answer.on('error', reject).on('end', () => {
          const { statusCode, headers: got } = answer;
          resolve({ status: statusCode!, body: text, connection: got.connection });
        });
      },
    );
    // Closing a port resets connections that are not accepted yet; a reused connection was accepted.
    asked.on('error', (error: NodeJS.ErrnoException) => {
      const isNew = error.code === 'ECONNRESET' && !asked.reusedSocket && !hasAnswer;
      reject(error.code === 'ECONNREFUSED' || isNew ? new Error(NOT_ACCEPTED) : error);
    });
    if (!rest) return void asked.end(body);
    const half = Math.floor(body!.length / 2);
    asked.write(body!.slice(0, half));
    void rest.then(() => asked.end(body!.slice(half)));
  });
}
interface Call {
  token?: string;
  method?: string;
  body?: string | Buffer;
  /** When the second half of the body is sent. */
  rest?: Promise<void>;
}

const CSV = Buffer.from(
  `phone\n${Array.from({ length: 50 }, (_, i) => 79160000000 + i).join('\n')}`,
);

describe('an API on SIGTERM', () => {
  let cluster: Processes;
  let owner: Person & { list: string };

  beforeAll(async () => {
    cluster = await Processes.start();
    owner = await sender(cluster.world, 1);
  }, 600_000);
  afterAll(() => cluster?.stop());

  /** The first half of an upload has come. */
  const receiving = () =>
    until(async () => {
      const folder = join(cluster.world.config.FILES_DIR, 'incoming');
      return existsSync(folder) && readdirSync(folder).length > 0;
    }, 'the upload');
  const single = (phone: number): Call => ({
    token: owner.token,
    method: 'POST',
    body: JSON.stringify({
      type: 'viber',
      recipient: `+7${phone}`,
      payload: { sender: 'MIRTEA', text: 'Tea' },
    }),
  });

  test('answers what it has accepted, is not ready first, and cuts off no request under load', async () => {
    // As long as a test that is held up needs to see it.
    const { process, base } = await cluster.api('loaded', { SHUTDOWN_DELAY_SECONDS: '5' });
    const agent = new Agent({ keepAlive: true, maxSockets: 12 });
    const sent = { accepted: 0, refused: 0, after: 0, cut: [] as string[] };
    let [phone, isStopping, isGone] = [9030000000, false, false];
    const customer = async (kept: Agent | undefined) => {
      while (!isGone) {
        const began = isStopping;
        try {
          const { status, connection } = await call(base, kept, '/api/sendings', single(phone++));
          expect(status).toBe(200);
          sent.accepted++;
          if (began) {
            sent.after++;
            if (connection !== 'close') sent.cut.push(`the connection was left ${connection}`);
          }
        } catch (error) {
          if ((error as Error).message === NOT_ACCEPTED) sent.refused++;
          else sent.cut.push(String(error));
          await sleep(5);
        }
      }
    };
    const customers = [agent, agent, agent, agent, agent, agent, undefined, undefined].map(
      customer,
    );
    await until(async () => sent.accepted > 100, 'some load');
    isStopping = true;
    const ending = process.stop();
    const ready = await until(async () => {
      const answer = await call(base, undefined, '/api/health/ready');
      return answer.status === 503 && answer;
    }, 'not to be ready');
    expect(JSON.parse(ready.body)).toMatchObject({ status: 'stopping' });
    const ended = await ending;
    isGone = true;
    await Promise.all(customers);
    agent.destroy();
    expect(ended).toMatchObject(WELL);
    expect(sent.cut).toEqual([]);
    expect(sent.after).toBeGreaterThan(0);
    const [row] = await cluster.world.db.query<{ n: number }>(
      `select count(*)::int as n from sendings where owner_id = $1`,
      [owner.id],
    );
    expect(row!.n).toBe(sent.accepted);
  }, 600_000);

  test('waits for a slow upload, disconnects its sockets, and refuses new connections', async () => {
    const { process, base } = await cluster.api('slow');
    const disconnects: string[] = [];
    const socket = io(base, {
      transports: ['websocket'],
      reconnection: false,
      auth: { token: owner.token },
    });
    socket.on('disconnect', (reason) => disconnects.push(reason));
    await until(async () => socket.connected, 'the socket');
    const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
    const upload: Call = { token: owner.token, method: 'POST', body: CSV, rest };
    const slow = call(base, undefined, '/api/storage', upload);
    await receiving();
    const ending = process.stop();
    await until(async () => disconnects.length, 'the socket to be disconnected');
    await expect(call(base, undefined, '/api/health/live')).rejects.toThrow(NOT_ACCEPTED);
    sendRest();
    const { status, connection, body } = await slow;
    expect({ status, connection }).toEqual({ status: 201, connection: 'close' });
    const { size } = JSON.parse(body) as StoredFile;
    expect(size).toBe(CSV.length);
    // A standard client reconnects by itself after this reason, not after `io server disconnect`.
    expect(disconnects).toEqual(['transport close']);
    expect(await ending).toMatchObject(WELL);
  }, 600_000);

  test('a long import is refused with 503 before the grace is over, and has imported nothing', async () => {
    const { process, base } = await cluster.api('importing', { SHUTDOWN_GRACE_SECONDS: '5' });
    const { db } = cluster.world;
    const api = cluster.world.client(owner.token, base);
    const { id } = await api(contactLists.create, { body: { title: 'Many', type: 'regular' } });
    const upload: Call = { token: owner.token, method: 'POST', body: CSV };
    const { body: stored } = await call(base, undefined, '/api/storage', upload);
    const body = JSON.stringify({
      ListId: id,
      from: { key: (JSON.parse(stored) as StoredFile).key },
    });
    // It waits for the lock of the list.
    const { status, body: said } = await cluster.world.hold(async () => {
      await db.query(`select 1 from contact_lists where id = $1 for update`, [id]);
      const ask: Call = { token: owner.token, method: 'PUT', body };
      const importing = call(base, undefined, '/api/contacts', ask);
      await until(async () => {
        const held = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
        return ((await db.dataSource.query(held)) as unknown[]).length;
      }, 'the import to wait');
      const ending = process.stop();
      const answer = await importing;
      expect(await ending).toMatchObject(WELL);
      return answer;
    });
    expect(status).toBe(503);
    expect(JSON.parse(said)).toMatchObject({ code: 'unavailable' });
    const [row] = await db.query<{ n: number }>(
      `select count(*)::int as n from contacts where list_id = $1`,
      [id],
    );
    expect(row!.n).toBe(0);
  }, 600_000);

  test('after an uncaught exception it answers what it has accepted, too, and ends with 1', async () => {
    const thrower = `process.on('SIGUSR2', () => setTimeout(() => { throw new Error('of a test') }))`;
    const { process, base } = await cluster.api('thrown', {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(thrower)}`,
    });
    const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
    const upload: Call = { token: owner.token, method: 'POST', body: CSV, rest };
    const slow = call(base, undefined, '/api/storage', upload);
    await receiving();
    const gone = process.gone();
    process.signal('SIGUSR2');
    await until(
      () => Promise.resolve(process.output.includes('uncaught exception; the process shuts down')),
      'the exception',
    );
    sendRest();
    expect(await slow).toMatchObject({ status: 201, connection: 'close' });
    expect(await gone).toMatchObject({ code: 1, signal: null });
  }, 600_000);

  test('a second signal ends the process at once', async () => {
    const { process, base } = await cluster.api('insisted', { SHUTDOWN_DELAY_SECONDS: '30' });
    const ending = process.stop();
    await until(
      async () => (await call(base, undefined, '/api/health/ready')).status === 503,
      'the first signal',
    );
    await sleep(1100);
    process.signal('SIGTERM');
    // Without it the process would still accept connections.
    expect(await ending).toMatchObject({ code: 1, ms: expect.toSatisfy((ms) => ms < 30_000) });
  }, 600_000);
});

describe('a worker on SIGTERM', () => {
  let cluster: Processes;
  const taken = new Set<string>();
  /** A worker that does not end its submits waits for as long. */
  const LEASE_MS = 20_000;
  /** A carrier with slow answers. */
  const carrier = createServer(async (asked, answer) => {
    let text = '';
    for await (const part of asked) text += part;
    const { messages } = JSON.parse(text) as { messages: { reference: string }[] };
    for (const { reference } of messages) taken.add(reference);
    await sleep(700);
    const results = messages.map(({ reference }) => ({ reference, result: 'accepted' }));
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
  });

  beforeAll(async () => {
    cluster = await Processes.withOwnRedis();
    await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve));
    const options = {
      url: `http://127.0.0.1:${(carrier.address() as AddressInfo).port}/messages`,
      secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
      maxBatch: 100,
    };
    await cluster.world.db.query(
      `insert into channels (name, driver, types, priority, options) values ('slow', 'http', '{sms,viber}', 100, $1)`,
      [options],
    );
    cluster.world.forgetChannels();
  }, 600_000);
  afterAll(async () => {
    carrier.close();
    await cluster?.stop();
  });

  const stages = async () =>
    Object.fromEntries(
      (
        await cluster.world.db.query<{ stage: number; n: number }>(
          `select stage, sum(size)::int as n from batches group by stage`,
        )
      ).map(({ stage, n }) => [stage, n]),
    ) as Record<number, number>;

  test('finishes the batches that it is submitting, releases the others, and leaves no unknown outcome', async () => {
    const worker = await cluster.worker();
    const owner = await sender(cluster.world, 6000);
    await bulk(owner.api, owner.list);
    await until(async () => taken.size > 500, 'some of the bulk to be submitted');
    const ended = await worker.stop();
    expect(ended).toMatchObject(WELL);
    expect(ended.ms).toBeLessThan(LEASE_MS);
    const after = await stages();
    expect(after).toEqual({ 0: expect.any(Number), 3: expect.any(Number) });
    expect(after[3]).toBe(taken.size);
    expect(after[0]).toBeGreaterThan(1000);
    expect(worker.errors).toEqual([]);
    const other = await cluster.worker('other');
    await until(async () => taken.size > after[3]! + 300, 'another worker to go on');
    expect(await other.stop()).toMatchObject(WELL);
    expect((await stages())[3]).toBe(taken.size);
  }, 600_000);

  test('also while Redis is away', async () => {
    const worker = await cluster.worker('alone');
    await cluster.killRedis();
    await sleep(500);
    const ended = await worker.stop();
    expect(ended).toMatchObject(WELL);
    expect(ended.ms).toBeLessThan(LEASE_MS);
    await cluster.startRedis();
  }, 600_000);
});
