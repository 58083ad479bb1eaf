import { sendings, type SendingTask } from '@heliograph/contract';
import { expect } from 'vitest';
import type * as z from 'zod';
import { approve, contactList, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';
import type { Carrier } from './processes.ts';

type Started = z.infer<typeof SendingTask>;

/** Fast, and not quite kind: a tenth fails, and falls back. */
export const PROFILE = { failed: 0.1, sentDelay: [0, 200], deliveredDelay: [50, 400] };

/** An account with money, a sender name and so many contacts. */
export async function sender(world: World, contacts: number): Promise<Person & { list: string }> {
  const owner = await world.person({ balance: 1_000_000 });
  await approve(world, owner.id);
  return { ...owner, list: await contactList(world, owner.id, contacts) };
}

/** A bulk to one list that falls back to another channel when it fails. */
export function bulk(api: Person['api'], list: string, more: object = {}): Promise<Started> {
  const options = { onStatus: ['failed'] };
  const text = { sender: 'MIRTEA', text: 'Hello {firstName|friend}' };
  const body = {
    type: 'viber',
    recipient: { include: [list] },
    payload: text,
    fallbacks: [{ type: 'sms', payload: { sender: 'MIRTEA', text: 'By SMS' }, options }],
    ...more,
  };
  return api(sendings.create, { body: body as never }) as Promise<Started>;
}

export interface Figures {
  chains: number;
  messages: number;
  unknownOutcomes: number;
  /** Unknown outcomes that the carrier never received. */
  lost: number;
  /** Submitted more than once. */
  doubled: number;
}

/**
 * Invariants of a completed bulk: every recipient has one chain, every chain one end,
 * and the carrier received each message once, except those counted as unknown outcomes.
 */
export async function checkDelivery(
  world: World,
  carrier: Carrier,
  { id, list, size }: { id: string; list: string; size: number },
): Promise<Figures> {
  // The last report may arrive before its batch is recorded as submitted.
  await until(async () => {
    const held = `select 1 from batches where task_id = $1 and stage in (1, 2) limit 1`;
    return (await world.db.query(held, [id])).length === 0;
  }, 'no batch to be in hands');
  // A fallback that a late delivery overtook before its batch went out stays behind in it.
  const rows = await world.db.query<
    Record<'unknownOutcomes' | 'submitted' | 'superseded', boolean> & { id: string }
  >(
    `select s.id, b.stage = 4 as "unknownOutcomes", b.stage in (3, 4) as submitted, s.error is not distinct from 'superseded' as superseded from sendings s join batches b on b.id = s.batch_id where s.group_id = $1`,
    [id],
  );
  const [chains] = await world.db.query(
    `select count(*)::int as chains, count(distinct phone)::int as phones, count(outcome)::int as ended,
            count(*) filter (where outcome = 1)::int as completed, count(*) filter (where outcome = 2)::int as errored
       from sendings where group_id = $1 and chain_id is null`,
    [id],
  );
  const [counters] = await world.db.query<Record<'total' | 'completed' | 'errored', number>>(
    `select total, completed, errored from task_counters where task_id = $1`,
    [id],
  );
  expect(chains).toEqual({
    chains: size,
    phones: size,
    ended: size,
    completed: counters!.completed,
    errored: counters!.errored,
  });
  expect(counters!.total).toBe(size);
  const [strangers] = await world.db.query<{ n: number }>(
    `select count(*)::int as n from sendings s where group_id = $1
        and not exists (select 1 from contacts c where c.list_id = $2 and c.phone = s.phone)`,
    [id, list],
  );
  expect(strangers!.n).toBe(0);
  expect(await problems(world)).toEqual([]);

  const [{ unknownOutcomes } = { unknownOutcomes: 0 }] = await world.db.query<{
    unknownOutcomes: number;
  }>(`select unknown_outcomes as "unknownOutcomes" from task_counters where task_id = $1`, [id]);
  const byId = new Map(rows.map((r) => [r.id, r]));
  const ours = (await carrier.log()).filter((entry) => byId.has(entry.reference));
  const seen = new Set(ours.map((entry) => entry.reference));
  expect(seen.size).toBe(ours.length);
  const doubled = ours.filter((entry) => entry.count > 1);
  const lost = rows.filter((r) => r.submitted && !r.superseded && !seen.has(r.id));
  expect(lost.filter((r) => !r.unknownOutcomes)).toEqual([]);
  expect(ours.filter((entry) => !byId.get(entry.reference)!.submitted)).toEqual([]);
  expect(lost.length + doubled.length).toBeLessThanOrEqual(unknownOutcomes);
  return {
    chains: size,
    messages: ours.length,
    unknownOutcomes: unknownOutcomes,
    lost: lost.length,
    doubled: doubled.length,
  };
}

/** Prints the figures of a run if the environment requests it. */
export function printFigures(what: string, started: number, figures: object): void {
  if (process.env.TEST_LOG)
    console.log(what, { ...figures, seconds: (Date.now() - started) / 1000 });
}
