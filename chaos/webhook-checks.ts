import type { Finding } from './checks.ts';
import type { Database } from './database.ts';
import type { Heard } from './flaky-receiver.ts';
import type { Hooks } from './hooks.ts';

interface Event {
  hook: string;
  key: string;
  status: string;
  state: number;
  /** The `webhook-id` of its calls. */
  call: string;
}

const DELIVERED = 1;
/** Names of the final statuses of a row. */
const FINAL: Record<number, string> = { 3: 'delivered', 4: 'seen', 5: 'failed' };

/**
 * Every final status is recorded and delivered, a repeated call has the same id and the same events, and the statuses of a message arrive
 * in their order.
 */
export async function checkWebhooks(hooks: Hooks, db: Database): Promise<Finding[]> {
  const events = await db.rows<Event>(
    `select webhook_id as hook, key, data->>'status' as status, state, coalesce(call_id, id) as call from webhook_events order by seq`,
  );
  const finals = await db.rows<{ id: string; owner: string; status: number }>(
    `select s.id, p.owner_id as owner, s.now_status as status from sendings_now s join sendings p on p.id = s.id`,
  );
  const { receiver } = hooks;
  const findings: Finding[] = [
    { what: 'a webhook was called without its signature', rows: receiver.unsigned },
    {
      what: 'an event was not delivered',
      rows: events.filter(({ state }) => state !== DELIVERED),
    },
  ];
  for (const hook of hooks.all) {
    const own = events.filter((event) => event.hook === hook.id);
    const heard = receiver.heard.get(hook.path)!;
    const ended = finals.filter(({ owner }) => owner === hook.owner.id);
    findings.push(
      { what: `a final status has no event for ${hook.path}`, rows: unrecorded(ended, own) },
      { what: `an event did not arrive at ${hook.path}`, rows: missing(own, heard) },
      { what: `${hook.path} received something that did not happen`, rows: unknown(own, heard) },
      { what: `a repeated call differs at ${hook.path}`, rows: different(heard) },
      { what: `statuses arrived out of order at ${hook.path}`, rows: disordered(own, heard) },
    );
  }
  return findings
    .filter(({ rows }) => rows.length)
    .map(({ what, rows }) => ({ what, rows: rows.slice(0, 20) }));
}

const nameOf = ({ call, key, status }: Heard): string => `${call} ${key} ${status}`;

/** Messages whose last event is not their final status. */
function unrecorded(ended: { id: string; status: number }[], events: Event[]): unknown[] {
  const last = new Map(events.map(({ key, status }) => [key, status]));
  return ended
    .filter(({ id, status }) => last.get(id) !== FINAL[status])
    .map((row) => ({ ...row, reported: last.get(row.id) ?? null }));
}

function missing(events: Event[], heard: Heard[]): unknown[] {
  const known = new Set(heard.map(nameOf));
  return events.filter((event) => !known.has(nameOf(event)));
}

function unknown(events: Event[], heard: Heard[]): unknown[] {
  const known = new Set(events.map(nameOf));
  return heard.filter((event) => !known.has(nameOf(event)));
}

/** Calls with one id and different events. */
function different(heard: Heard[]): unknown[] {
  const calls = Map.groupBy(heard, ({ call }) => call);
  return [...calls].flatMap(([call, all]) => {
    const names = all.map(nameOf);
    const each = new Set(names);
    const times = [...each].map((name) => names.filter((other) => other === name).length);
    return new Set(times).size > 1 ? [{ call, events: [...each], times }] : [];
  });
}

/** Messages whose events arrived for the first time in another order than they happened in. */
function disordered(events: Event[], heard: Heard[]): unknown[] {
  const firstBy = new Map<string, number>();
  heard.forEach((event, i) => {
    if (!firstBy.has(nameOf(event))) firstBy.set(nameOf(event), i);
  });
  return [...Map.groupBy(events, ({ key }) => key)].flatMap(([key, own]) => {
    const places = own.map((event) => firstBy.get(nameOf(event)) ?? Infinity);
    const isOrdered = places.every((place, i) => i === 0 || place > places[i - 1]!);
    return isOrdered ? [] : [{ key, statuses: own.map(({ status }) => status), places }];
  });
}
