import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logged } from './carrier.ts';
import { CODE_LIFETIME } from './codes.ts';
import type { Database } from './database.ts';
import { built, type Address } from './cluster.ts';
import { TIMEOUT, type Bulk, type Round } from './round.ts';

/** A violated guarantee, with the rows that show it. */
export interface Finding {
  what: string;
  rows: unknown[];
}
export interface Figures {
  messages: number;
  singles: number;
  unknownOutcomes: number;
  lost: number;
  doubled: number;
}

interface Row {
  id: string;
  task: string | null;
  stage: number;
  tries: number;
  status: number;
  error: string | null;
}

const DELIVERED = [3, 4];
/** Errors of attempts that failed on our side before a submit. */
const OURS = ['superseded', 'stopped', 'insufficient_funds', 'no_price', 'channel_down'];

/** Everything that must hold after a round, whatever happened in it. */
export async function check(
  round: Round,
  db: Database,
  address: Address,
): Promise<{ findings: Finding[]; figures: Figures }> {
  const findings: Finding[] = [];
  const find = (what: string, rows: unknown[]) => {
    if (rows.length) findings.push({ what, rows: rows.slice(0, 20) });
  };
  find('cli verify', await verify(address));
  for (const [what, sql] of Object.entries(rules())) find(what, await db.rows(sql));
  for (const bulk of round.bulks) find(`the chains of ${bulk.title}`, await chains(db, bulk));
  find('an answered single is missing, or a stored one was not answered', await singles(db, round));
  find('notifications differ from what happened', await notifications(db, round));

  const rows = await db.rows<Row>(
    `select s.id, s.task_id as task, s.stage, b.tries, s.now_status as status, s.error from sendings_now s join batches b on b.id = s.batch_id`,
  );
  const log = round.carrier.log();
  find('the carrier has an unknown reference', unknownReferences(rows, log));
  find('a message counts as submitted and the carrier did not receive it', unseen(rows, log));
  find('the carrier has a message that counts as not submitted', unsent(rows, log));
  find(
    'a status differs from what the carrier said',
    rows.filter((row) => isMisread(row, round, log)),
  );
  for (const bulk of round.bulks)
    find(`${bulk.title} was not silent`, spoken(bulk, await resumes(db, bulk), rows, log));
  const { figures, wrong } = await unknownOutcomes(db, round, rows, log);
  find('more messages were lost or doubled than counted as unknown outcomes', wrong);
  return { findings, figures };
}

/** Rules in SQL, with the seconds after which bulks with the title `waiting` go on. */
export const rules = (timeout = TIMEOUT): Record<string, string> => ({
  'the attempts of a chain have gaps': `
    select coalesce(chain_id, id) as chain, count(*)::int as n, max(attempt) as last from sendings group by 1 having count(*) <> max(attempt) + 1`,
  'two attempts of a chain were live at one moment': `
    select p.id, p.now_status, p.failed_at, p.submitted_at, n.id as next, n.created_at
      from sendings_now p join sendings_now n on n.chain = p.chain and n.attempt = p.attempt + 1
      left join billings b on b.id = p.id left join tasks t on t.id = p.task_id left join otp_sessions o on o.chain_id = p.chain
     where not (p.now_status = 5 and p.failed_at <= n.created_at + interval '50 ms')
       and not coalesce(b.status = 2 and b.refunded_at <= n.created_at + interval '50 ms', false)
       and not coalesce(t.title = 'waiting' and p.submitted_at + interval '${timeout} s' <= n.created_at + interval '50 ms', false)
       and not coalesce(o.id is not null and p.submitted_at + interval '${CODE_LIFETIME} s' <= n.created_at + interval '50 ms', false)`,
  'the amount of a task is not that of its sendings': `
    select c.task_id, c.amount, s.sum from task_counters c
      join (select group_id, sum(amount) from sendings group by 1) s on s.group_id = c.task_id where s.sum <> c.amount`,
  'a report waits for a sending that is there': `
    select p.reference, p.status from unmatched_reports p join carrier_refs c on c.channel = p.channel and c.external_id = p.reference`,
});

/** How much of the work of a round is open, by kind. */
export async function openWork(db: Database): Promise<Record<string, number>> {
  const [open] = await db.rows<Record<string, number>>(
    `select (select count(*) from tasks where state not in ('completed', 'failed', 'stopped'))::int as tasks,
            (select count(*) from sendings where chain_id is null and outcome is null)::int as chains,
            (select count(*) from sendings_now where now_status < 3)::int as messages,
            (select count(*) from fallback_triggers)::int as triggers,
            (select count(*) from unmatched_reports r join carrier_refs c on c.channel = r.channel and c.external_id = r.reference)::int as reports`,
  );
  return open!;
}

export async function verify({ env }: Address): Promise<string[]> {
  const run = promisify(execFile);
  try {
    await run(process.execPath, [join(built, 'cli.js'), 'verify'], {
      env: { ...process.env, ...env },
    });
    return [];
  } catch (error) {
    return String((error as { stderr?: string }).stderr || error)
      .split('\n')
      .filter(Boolean);
  }
}

/** Every recipient has one chain; of a stopped bulk, none has two. */
async function chains(db: Database, { id, size, stopped }: Bulk): Promise<unknown[]> {
  const [row] = await db.rows<Record<'chains' | 'phones' | 'ended', number> & { state: string }>(
    `select count(s.id)::int as chains, count(distinct s.phone)::int as phones, count(s.outcome)::int as ended, t.state
       from tasks t left join sendings s on s.group_id = t.id and s.chain_id is null where t.id = $1 group by t.state`,
    [id],
  );
  const { chains: n, phones, ended, state } = row!;
  const isWhole = stopped ? n <= size && state === 'stopped' : n === size && state === 'completed';
  return isWhole && phones === n && ended === n ? [] : [{ ...row, size, stopped }];
}

async function singles(db: Database, round: Round): Promise<unknown[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from sendings where owner_id = $1 and group_id is null and chain_id is null`,
    [round.owner.id],
  );
  const there = new Set(rows.map((row) => row.id));
  const known = new Set(round.singles);
  return [
    ...round.singles.filter((id) => !there.has(id)).map((missing) => ({ missing })),
    ...rows.filter(({ id }) => !known.has(id)).map(({ id }) => ({ unknown: id })),
    ...(known.size === round.singles.length ? [] : ['two answers name one sending']),
  ];
}

/** Exactly one notification for each fact. */
async function notifications(db: Database, round: Round): Promise<unknown[]> {
  const rows = await db.rows<{ title: string; type: string; reason: string | null; n: number }>(
    `select data->>'title' as title, type, data->>'reason' as reason, count(*)::int as n from notifications
      where type like 'SendingsBulk%' group by 1, 2, 3`,
  );
  const sent = rows.map((r) =>
    `${r.title} ${r.type} ${r.reason ?? ''} ${r.n}`.replaceAll('  ', ' '),
  );
  const facts = round.bulks.flatMap(({ title, stopped, pauses, resumes, topUps }) =>
    Object.entries({
      SendingsBulkCreated: 1,
      SendingsBulkPaused: pauses,
      'SendingsBulkPaused insufficient_funds': topUps,
      SendingsBulkResumed: resumes + topUps,
      SendingsBulkCompleted: stopped ? 0 : 1,
    }).flatMap(([type, n]) => (n ? [`${title} ${type} ${n}`] : [])),
  );
  return [
    ...sent.filter((line) => !facts.includes(line)).map((line) => `sent: ${line}`),
    ...facts.filter((line) => !sent.includes(line)).map((line) => `happened: ${line}`),
  ];
}

function unknownReferences(rows: Row[], log: Map<string, Logged>): unknown[] {
  const ours = new Set(rows.map((row) => row.id));
  return [...log.keys()].filter((reference) => !ours.has(reference));
}

function unseen(rows: Row[], log: Map<string, Logged>): unknown[] {
  const isOurs = ({ status, error }: Row) => status === 5 && OURS.includes(error ?? '');
  return rows.filter((row) => row.stage === 3 && !isOurs(row) && !log.get(row.id)?.at.length);
}

/** A message with an unknown outcome may have been stopped before its next submit. */
function unsent(rows: Row[], log: Map<string, Logged>): unknown[] {
  return rows.filter(
    (row) => ![3, 4].includes(row.stage) && row.tries === 0 && log.get(row.id)?.isTaken,
  );
}

function isMisread({ id, status }: Row, { carrier }: Round, log: Map<string, Logged>): boolean {
  const logged = log.get(id);
  const isDelivered =
    carrier.saidDelivered.has(id) ||
    logged?.reports.some((r) => ['delivered', 'seen'].includes(r.status));
  if (isDelivered) return !DELIVERED.includes(status);
  return status !== 5 && !carrier.maybeDelivered.has(id);
}

/** When a task was resumed, in order: a call that its customer gave up after its time may be done later. */
async function resumes(db: Database, { id }: Bulk): Promise<number[]> {
  const rows = await db.rows<{ at: Date }>(
    `select uuid_extract_timestamp(id) as at from notifications
      where type = 'SendingsBulkResumed' and data->>'id' = $1 order by id`,
    [id],
  );
  return rows.map(({ at }) => new Date(at).getTime());
}

/** Messages that reached the carrier in a period of silence, except those that were being submitted. */
function spoken(bulk: Bulk, resumed: number[], rows: Row[], log: Map<string, Logged>): unknown[] {
  const silences = bulk.silences.map(({ since, from, until, submitting }) => {
    const end = Math.min(until, resumed.find((at) => at > since) ?? Infinity);
    return { from, until: end, submitting };
  });
  return rows
    .filter((row) => row.task === bulk.id)
    .flatMap(({ id, stage }) =>
      silences.flatMap(({ from, until, submitting }) =>
        (log.get(id)?.at ?? [])
          .filter((at) => at > from && at < until && !submitting.has(id))
          .map((at) => ({ id, stage, at: new Date(at), from: new Date(from), until })),
      ),
    );
}

async function unknownOutcomes(
  db: Database,
  { deduplicates, bulks }: Round,
  rows: Row[],
  log: Map<string, Logged>,
): Promise<{ figures: Figures; wrong: unknown[] }> {
  const counted = await db.rows<{ id: string; unknownOutcomes: number }>(
    `select task_id as id, unknown_outcomes as "unknownOutcomes" from task_counters`,
  );
  const isLost = (row: Row) => row.stage === 4 && !log.get(row.id)?.at.length;
  const isDoubled = (row: Row) => (log.get(row.id)?.repeats ?? 0) > 0;
  const wrong: unknown[] = deduplicates ? [] : rows.filter(isDoubled);
  for (const { id, unknownOutcomes: n } of counted) {
    const own = rows.filter((row) => row.task === id);
    const open = own.filter((row) => isLost(row) || isDoubled(row)).length;
    if (open > n)
      wrong.push({ task: bulks.find((b) => b.id === id)?.title, open, unknownOutcomes: n });
  }
  const figures = {
    messages: rows.length,
    singles: rows.filter((row) => !row.task).length,
    unknownOutcomes:
      counted.reduce((sum, { unknownOutcomes: n }) => sum + n, 0) +
      rows.filter((row) => !row.task && row.stage === 4).length,
    lost: rows.filter(isLost).length,
    doubled: rows.filter(isDoubled).length,
  };
  return { figures, wrong };
}
