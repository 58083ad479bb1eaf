import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backup, restore } from '../../../scripts/lib/backup.mjs';
import { build } from '../../../scripts/lib/build.mjs';
import { postgres } from '../../../scripts/lib/postgres.mjs';
import { cli } from '../../../scripts/lib/server.mjs';
import { until } from './world.ts';

/** `npm run backup` and `npm run restore`, on an installation of its own. */

const node = process.execPath;
let folder: string;
let dir: string;

beforeAll(async () => {
  await build(node, ['api']);
  folder = mkdtempSync(join(tmpdir(), 'heliograph-backup-'));
  // As root the server runs under an account of its own, which has to pass.
  chmodSync(folder, 0o711);
  dir = join(folder, 'first');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The database of an installation while `work` uses it. */
async function withServer<T>(at: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = await postgres({ dataDir: join(at, 'postgres') });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Each of its transactions writes a number into two tables and another text to an earlier row, until `is_over` has a row. */
const WRITERS = `
  create table a (n integer primary key, text text);
  create table b (n integer primary key);
  create table is_over (n integer);
  create procedure write(writer integer) language plpgsql as $p$
  declare i integer := writer;
  begin
    while not exists (select from is_over) loop
      insert into a values (i, repeat(md5(i::text), 100));
      insert into b values (i);
      update a set text = repeat(md5(text), 50) where n = i - 100;
      commit;
      i := i + 10;
    end loop;
  end $p$`;

test('a backup of an installation that works has all that was committed before it, and is restored in the place of another', async () => {
  const to = join(folder, 'backup');
  const [before, after] = await withServer(dir, async (url) => {
    const env = { ...process.env, DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1', DEMO: '1' };
    for (const step of ['migrate', 'seed', 'demo']) await cli(node, step, env);
    mkdirSync(join(dir, 'files/ab'), { recursive: true });
    writeFileSync(join(dir, 'files/ab/one'), 'tea');
    return withClient(url, async (client) => {
      await client.query(WRITERS);
      await client.query(
        `insert into recurring_sendings (owner_id, user_id, title, type, payload, fallbacks, recipient, frequency, weekdays, "time", time_zone,
                                         is_active, next_run_at, attempt_at)
         select id, id, 'Daily', 'sms', '{}', '[]', '{}', 'daily', '[]', '10:00', 'UTC', true, now(), now() from users limit 1`,
      );
      const written = async () =>
        (await client.query(`select n from b`)).rows.map(({ n }: { n: number }) => n);
      const writers = [1, 2, 3].map((writer) =>
        withClient(url, (own) => own.query(`call write(${writer})`)),
      );
      await until(async () => (await written()).length > 100, 'rows');
      const atStart = await written();
      await backup({ node, dir, to });
      const atEnd = await written();
      await client.query(`insert into is_over values (1)`);
      await Promise.all(writers);
      return [atStart, atEnd];
    });
  });
  expect(after!.length).toBeGreaterThan(before!.length);

  const other = join(folder, 'other');
  await withServer(other, async () => {});
  mkdirSync(join(other, 'files'));
  writeFileSync(join(other, 'files/two'), 'coffee');
  await restore({ node, dir: other, from: to });
  expect(readFileSync(join(other, 'files/ab/one'), 'utf8')).toBe('tea');
  await withServer(other, (url) =>
    withClient(url, async (client) => {
      const rows = async (sql: string) => (await client.query(sql)).rows as { n: number }[];
      const restored = new Set((await rows(`select n from b`)).map(({ n }) => n));
      expect(before!.filter((n) => !restored.has(n))).toEqual([]);
      const known = new Set(after);
      expect([...restored].filter((n) => !known.has(n))).toEqual([]);
      expect(
        await rows(`select n from a full join b using (n) where a.n is null or b.n is null`),
      ).toEqual([]);
      expect(await rows(`select id from recurring_sendings where is_active`)).toEqual([]);
      await client.query(`create extension if not exists amcheck`);
      await client.query(
        `select bt_index_check(c.oid, true) from pg_class c join pg_index i on i.indexrelid = c.oid join pg_am m on m.oid = c.relam
          where m.amname = 'btree' and c.relnamespace = 'public'::regnamespace`,
      );
    }),
  );
}, 600_000);

test('what is no whole backup of this or an earlier version is refused, and nothing is moved', async () => {
  const to = join(folder, 'backup');
  const place = join(folder, 'untouched');
  mkdirSync(join(place, 'files'), { recursive: true });
  writeFileSync(join(place, 'files/two'), 'coffee');
  await expect(restore({ node, dir: place, from: folder })).rejects.toThrow('interrupted');
  writeFileSync(join(to, 'backup.json'), JSON.stringify({ version: '99.0.0', at: '' }));
  await expect(restore({ node, dir: place, from: to })).rejects.toThrow(
    'update the checkout first',
  );
  expect(readFileSync(join(place, 'files/two'), 'utf8')).toBe('coffee');
  await expect(backup({ node, dir, to })).rejects.toThrow('exists already');
  await expect(backup({ node, dir: place, to: join(folder, 'none') })).rejects.toThrow(
    'no database',
  );
});
