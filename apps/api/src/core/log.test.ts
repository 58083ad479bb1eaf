import { contacts, contactLists, sendings } from '@heliograph/contract';
import { Redis } from 'ioredis';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MESSAGE } from '../../test/scene.ts';
import { type Person, until, World } from '../../test/world.ts';
import { failureText, loggedError } from './log-error.ts';
import { createLog, nestLog, redactUrl } from './log.ts';

const MARK = 'vErY-sEcReT-8f3';
const EMAIL = 'olga.markova@tea.example';

let world: World;
let owner: Person;
let lines: string[] = [];
const to = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});
const log = createLog('debug', 'test', to);

beforeAll(async () => {
  world = await World.start();
  Object.assign(world, { log });
  const { base } = await world.startApi();
  await world.startWorker();
  world.base = base;
  owner = await world.person();
});
afterAll(() => world.stop());

/** Returns the log output of `work`. */
async function logged(work: () => unknown): Promise<string> {
  lines = [];
  await work();
  return lines.join('');
}

/** The error of a statement, bare and as TypeORM wraps it. */
async function failures(sql: string, values: unknown[]): Promise<Error[]> {
  const caught = (run: Promise<unknown>) =>
    run.then(
      () => Promise.reject(new Error('it did not fail')),
      (error: Error) => error,
    );
  return Promise.all([
    caught(world.db.query(sql, values)),
    caught(world.db.dataSource.query(sql, values)),
  ]);
}

const USER = `insert into users (username, password_hash, owner_id, level, role) values ($1, $2, $3, $4, 'owner')`;

test.each<[string, string, (name: string) => unknown[], object]>([
  [
    'a unique violation',
    USER,
    (name) => [name, MARK, owner.id, 'me'],
    { constraint: 'users_username', code: '23505' },
  ],
  ['a refused row', USER, () => [EMAIL, MARK, owner.id, MARK], { table: 'users', code: '23514' }],
  ['a value of another type', `select $1::int as n`, () => [MARK], { code: '22P02' }],
  [
    'a broken statement',
    `select '${MARK}' from nowhere "${MARK}" "`,
    () => [],
    { severity: 'ERROR' },
  ],
])('%s tells what refused it, and nothing of the data', async (_, sql, values, kept) => {
  for (const error of await failures(sql, values(owner.username))) {
    const wrapped = new AggregateError([new Error('outer', { cause: error })], `of ${EMAIL}`);
    for (const thrown of [error, wrapped, { context: { deep: [error] } }]) {
      const text = await logged(() => log.error({ err: thrown, detail: thrown }, 'failed'));
      expect(text).not.toMatch(new RegExp(`${MARK}|${EMAIL}|${owner.username}`));
      expect(text).toContain('    at ');
    }
    const bare = await logged(() => log.error(error));
    expect(bare).not.toContain(MARK);
    const terminal = failureText(wrapped);
    expect(terminal).not.toMatch(new RegExp(`${MARK}|${EMAIL}`));
    expect(terminal).toContain('Cause: ');
    const entry = loggedError(error);
    expect({ ...entry, ...entry.cause }).toMatchObject(kept);
  }
});

test('logs errors of parsers, circular causes, and thrown values that are no errors', async () => {
  const circular = new Error('first');
  circular.cause = circular;
  let syntax: unknown;
  try {
    JSON.parse(`{"password": ${MARK}`);
  } catch (error) {
    syntax = error;
  }
  const text = await logged(() => {
    log.warn({ err: syntax }, 'a');
    log.warn({ err: circular }, 'b');
    log.warn({ err: `${EMAIL} +79001234567` }, 'c');
    nestLog(log).error(new Error(`to ${EMAIL}`), `Error: ${MARK}\n    at here`, 'Context');
    nestLog(log).error(`no route to ${EMAIL}`, 'Context');
  });
  expect(text).not.toContain(MARK);
  expect(text).not.toContain('olga');
  expect(text.trim().split('\n')).toHaveLength(5);
});

test('secrets, headers and bodies are redacted at any depth', async () => {
  const text = await logged(() =>
    log.info(
      { a: { b: { c: { accessToken: MARK, headers: { x: MARK } } } }, body: { text: MARK } },
      'x',
    ),
  );
  expect(text).not.toContain(MARK);
  expect(redactUrl(`/api/sendings?recipient=${EMAIL}&$limit=5&token=${MARK}`)).toBe(
    '/api/sendings?recipient=[redacted]&$limit=5&token=[redacted]',
  );
  const id = '01930000-0000-7000-8000-000000000111';
  expect(redactUrl(`/api/contacts/${id}`)).toBe(`/api/contacts/${id}`);
  expect(redactUrl(`/any/${'k3Y'.repeat(12)}/+79001234567`)).toBe('/any/[redacted]/[redacted]');
});

test('failed statements of requests and jobs are logged and queued without their values', async () => {
  await world.alone(`
    alter table contacts add constraint unmarked check (first_name is distinct from '${MARK}');
    alter table sendings add constraint unmarked check (body is distinct from '${MARK}')`);
  const { id: ListId } = await owner.api(contactLists.create, {
    body: { title: 'Tea lovers', type: 'regular' },
  });
  const phone = '+79001234567';
  const request = await logged(() =>
    expect(
      owner.api(contacts.create, { body: { ListId, phone, email: EMAIL, firstName: MARK } }),
    ).rejects.toMatchObject({ status: 500 }),
  );
  expect(request).toContain('unmarked');
  await owner.api(contacts.create, { body: { ListId, phone } });
  const payload = { ...MESSAGE.payload, text: MARK };
  const job = await logged(async () => {
    await owner.api(sendings.create, {
      body: { ...MESSAGE, payload, recipient: { include: [ListId] } },
    });
    await until(
      () => Promise.resolve(lines.some((line) => line.includes('Job failed'))),
      'the job to fail',
    );
  });
  expect(job).toContain('unmarked');
  for (const text of [request, job, await everythingInRedis()])
    expect(text).not.toMatch(new RegExp(`${MARK}|${EMAIL}|9001234567|${owner.token}`));
});

async function everythingInRedis(): Promise<string> {
  const redis = new Redis(world.config.REDIS_URL);
  const all: unknown[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    const value =
      type === 'hash'
        ? await redis.hgetall(key)
        : type === 'stream'
          ? await redis.xrange(key, '-', '+')
          : type === 'string'
            ? await redis.get(key)
            : null;
    all.push(key, value);
  }
  redis.disconnect();
  return JSON.stringify(all);
}
