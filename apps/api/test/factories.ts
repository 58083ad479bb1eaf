import { sendings, tasks, type Sending, type Task } from '@heliograph/contract';
import { verify } from '../src/verify.ts';
import { type Person, until, type World } from './world.ts';

/** Options of a carrier without delays and failures; tests override some. */
export const INSTANT = {
  profile: 'healthy',
  failed: 0,
  temporary: 0,
  silent: 0,
  seen: 0,
  replies: 0,
  sentDelay: [0, 0],
  deliveredDelay: [0, 0],
  seenDelay: [0, 0],
} as const;

export async function setCarrier(world: World, options: object): Promise<void> {
  await world.db.query(`update channels set options = $1 where name = 'simulator'`, [
    { ...INSTANT, ...options },
  ]);
  world.forgetChannels();
}

/** A contact list of so many people with rising phones of one operator. */
export async function contactList(
  world: World,
  OwnerId: string,
  count: number,
  options: { first?: number; type?: 'regular' | 'blacklist' } = {},
): Promise<string> {
  const [list] = await world.db.query<{ id: string }>(
    `insert into contact_lists (owner_id, title, type, count) values ($1, 'People', $2, $3) returning id`,
    [OwnerId, options.type ?? 'regular', count],
  );
  await world.db.query(
    `insert into contacts (list_id, phone, first_name, custom)
     select $1, '+7' || (9020000000 + $3 + n)::text, 'Name' || n, jsonb_build_object('custom01', 'City' || n % 7) from generate_series(1, $2) n`,
    [list!.id, count, options.first ?? 0],
  );
  return list!.id;
}

export async function approve(
  world: World,
  OwnerId: string,
  name = 'MIRTEA',
  type = 'sms',
): Promise<void> {
  await world.db.query(
    `insert into sendernames (owner_id, name, type, moderation, comment) values ($1, $2, $3, 'approved', 'test') on conflict do nothing`,
    [OwnerId, name, type],
  );
}

export async function finished(who: Person, id: string, ms?: number): Promise<Task> {
  return until(
    async () => {
      const task = await who.api(tasks.get, { params: { id } });
      return ['completed', 'failed'].includes(task.state) && task;
    },
    `the task ${id} to finish`,
    ms,
  );
}

export const ended = (who: Person, id: string): Promise<Sending> =>
  until(async () => {
    const sending = await who.api(sendings.get, { params: { id } });
    return ['delivered', 'seen', 'failed'].includes(sending.state.status) && sending;
  }, `the sending ${id} to end`);

/** The checks of `cli verify` find no problems. */
export async function problems(world: World): Promise<unknown[]> {
  return verify(world.db);
}

export async function balance(world: World, OwnerId: string): Promise<number> {
  const [row] = await world.db.query<{ balance: string }>(
    `select balance from balances where owner_id = $1`,
    [OwnerId],
  );
  return Number(row!.balance);
}

/** Lines of a CSV with so many contacts, as `phone;name;lastname;date;email;custom1`. */
export const importLines = (n: number): string =>
  Array.from(
    { length: n },
    (_, i) => `7916${1_000_000 + i};Анна ${i};Иванова;28.02.1990;anna${i}@example.org;${i}\n`,
  ).join('');

/** Puts messages of one account, channel and type that are not submitted yet into the batch of the first. */
export async function intoOneBatch(world: World, ids: string[]): Promise<void> {
  const [first, ...others] = await world.db.query<{ id: string }>(
    `select b.id from batches b join sendings s on s.batch_id = b.id where s.id = any($1) order by b.id`,
    [ids],
  );
  await world.db.query(`update sendings set batch_id = $1 where id = any($2)`, [first!.id, ids]);
  await world.db.query(
    `update batches set size = $2, segments = $2, last_id = (select max(id::text)::uuid from unnest($3::uuid[]) as g (id)) where id = $1`,
    [first!.id, ids.length, ids],
  );
  await world.db.query(`delete from batches where id = any($1)`, [others.map(({ id }) => id)]);
}
