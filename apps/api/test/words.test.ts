import { links, tasks, templates } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from './world.ts';

let world: World;
let who: Person;

beforeAll(async () => {
  world = await World.start();
  who = await world.person();
  const { db } = world;
  const fill = (sql: string, rows: number) =>
    db.query(`${sql} from generate_series(1, ${rows}) n`, [who.id]);
  await fill(
    `insert into tasks (owner_id, user_id, title, state, data, audience, expected) select $1, $1, 'Sale ' || md5(n::text), 'completed', '{}', '[]', 0`,
    10_000,
  );
  await fill(
    `insert into links (owner_id, url, code) select $1, 'https://tea.example/' || md5(n::text), n::text`,
    10_000,
  );
  await fill(
    `insert into templates (owner_id, title, type, payload) select $1, 'Sale ' || n, 'sms', jsonb_build_object('text', md5(n::text))`,
    1000,
  );
  for (const table of ['tasks', 'links', 'templates']) await db.query(`vacuum analyze ${table}`);
});
afterAll(() => world.stop());

const SEARCHES: [noun: string, ask: () => Promise<{ total: number }>][] = [
  ['tasks', () => who.api(tasks.find, { query: { $search: 'zzzz' } as never })],
  ['links', () => who.api(links.find, { query: { $search: 'zzzz' } as never })],
  ['templates', () => who.api(templates.find, { query: { $search: 'zzzz' } as never })],
];
test.each(SEARCHES)('a search of %s goes along the index of its words', async (noun, ask) => {
  const { db } = world;
  const scans = async () => {
    const [row] = await db.query<{ n: number }>(
      `select idx_scan::int as n from pg_stat_user_indexes where indexrelname = $1`,
      [`${noun}_words`],
    );
    return row!.n;
  };
  const before = await scans();
  expect((await ask()).total).toBe(0);
  await expect.poll(scans, { timeout: 5000 }).toBeGreaterThan(before);
});
