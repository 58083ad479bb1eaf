import { sendings, type Task } from '@heliograph/contract';
import { BATCH_STAGES, typeCode } from '@heliograph/domain';
import type { Submitted } from '@heliograph/simulators';
import { randomUUID } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWork, rules, verify, type Finding } from './checks.ts';
import type { Address } from './cluster.ts';
import { Database } from './database.ts';
import { FaultProcess } from './fault-process.ts';
import { BOUNCE_DOMAIN, BOUNCE_SECRET, MAIL, MailSink, type Delivered } from './mail-sink.ts';
import { smscOf, SmscJournal } from './smsc-journal.ts';
import { account, clear, type Account } from './world.ts';

const SMSC = 'smsc';
/** Sessions of the channel, over both workers. */
const BINDS = 2;
/** While one worker is stopped with its session, another opens one in its place. */
const MAX_BINDS = 2 * BINDS;
/** A round has settled or stands still when nothing was finished for so long; how long it takes in all depends on the machine. */
const STANDSTILL_MS = 120_000;
const SETTLE_MS = 30 * 60_000;
/** Seconds after which the e-mail starts of who has not got the SMS. */
const TIMEOUT = 5;
/** The mail of so long ago counts as delivered when nothing has come back. In a round that is decided when its mail server has no mail left. */
const DELIVERED_AFTER_SECONDS = 3_600;
const { submitted: SUBMITTED, unknown: UNKNOWN } = BATCH_STAGES;
const [SMS, EMAIL] = [typeCode('sms'), typeCode('email')];
const DELIVERED = [3, 4];
const FAILED = 5;

/** Of one part, of two with characters that cost two septets, and of several in UCS-2 with pairs that are not split. */
const TEXTS = [
  'Hello {firstName}, your tea is ready',
  `Hello {firstName}, ${'your tea {{is}} ready [at 5] for 3€ ~ '.repeat(5)}come`,
  `Здравствуйте, {firstName}! ${'Ваш чай готов 🍵 ждём вас с 10 до 20. '.repeat(5)}Приходите`,
];
const textFor = (template: string, name: string) =>
  template.replace('{firstName}', name).replaceAll('{{', '{').replaceAll('}}', '}');
/** Mailboxes that the receiver refuses, so that what was sent to them returns. */
const mailboxOf = (n: number) =>
  n % 7 === 0 ? `nobody+${n}` : n % 11 === 0 ? `full+${n}` : `person+${n}`;

interface Person {
  n: number;
  phone: string;
  email: string;
  text: string;
}

export interface FallbacksSummary {
  seed: string;
  rounds: number;
  /** SMS, and of these those of several parts; parts that the SMSC took. */
  messages: number;
  long: number;
  parts: number;
  /** E-mails, those that reached their mailbox, and those that came back. */
  emails: number;
  arrived: number;
  returned: number;
  /** E-mails that the mail server handed on twice itself, when it was killed between. */
  repeatedByServer: number;
  /** Submits whose answer was lost, of these messages that neither the SMSC nor a mailbox has, and those of which the SMSC has some parts only. */
  unknownOutcomes: number;
  lost: number;
  incomplete: number;
  /** Sessions at the SMSC that ended without an unbind. */
  cutSessions: number;
  faults: Record<string, number>;
  findings: Finding[];
}

interface FallbacksOptions {
  rounds?: number;
  seed: string;
  /** Recipients of the bulks of a round. */
  size: number;
  dir: string;
  /** For every process of the product. */
  env?: Record<string, string>;
  /** The folder of the built program, if it is not the usual one. */
  program?: string;
  faultsMs?: number;
  pauseMs?: number;
  say?: (line: string) => void;
}

/**
 * Rounds of bulks over SMPP that fall back to e-mail by failure and by timeout, while the SMSC, the workers with its sessions and the mail server are
 * killed. Ends at the first round with findings.
 */
export async function runFallbacks(options: FallbacksOptions): Promise<FallbacksSummary> {
  const { rounds = 1, seed, dir, env = {}, program, say = () => undefined } = options;
  const smsc = smscOf(seed);
  const chaos = new FaultProcess();
  const sink = new MailSink();
  let db: Database | undefined;
  const summary: FallbacksSummary = {
    seed,
    rounds: 0,
    messages: 0,
    long: 0,
    parts: 0,
    emails: 0,
    arrived: 0,
    returned: 0,
    repeatedByServer: 0,
    unknownOutcomes: 0,
    lost: 0,
    incomplete: 0,
    cutSessions: 0,
    faults: {},
    findings: [],
  };
  try {
    const servers = { smsc: { ...smsc, maxBinds: MAX_BINDS }, relay: await sink.open() };
    // More than receipts need, and less than a round lasts.
    const given = { ...env, EXPIRES_SECONDS: '12' };
    const address = await chaos.open(dir, given, program, servers);
    db = new Database(address.env.DATABASE_URL!);
    const journal = new SmscJournal(address.mobile!.journal, smsc);
    await addChannels(db, address, smsc);
    while (summary.rounds < rounds && !summary.findings.length) {
      const since = Date.now();
      const n = ++summary.rounds;
      const parts = { chaos, db, address, sink, journal };
      const { faults, findings, ...counts } = await oneRound(parts, `${seed}/${n}`, options);
      for (const key of Object.keys(counts) as (keyof typeof counts)[]) summary[key] += counts[key];
      for (const kind of faults) summary.faults[kind] = (summary.faults[kind] ?? 0) + 1;
      summary.findings = findings;
      say(
        `round ${n}: ${findings.length ? 'WRONG' : 'ok'}, ${JSON.stringify(counts)}, faults ${faults.join(', ')}, ${((Date.now() - since) / 1000).toFixed(1)} s`,
      );
    }
    return summary;
  } finally {
    await db?.close();
    await chaos.close();
    await sink.close();
  }
}

interface Parts {
  chaos: FaultProcess;
  db: Database;
  address: Address;
  sink: MailSink;
  journal: SmscJournal;
}

async function oneRound(
  { chaos, db, address, sink, journal }: Parts,
  seed: string,
  { size, faultsMs = 20_000, pauseMs = 1_200 }: FallbacksOptions,
): Promise<Omit<FallbacksSummary, 'seed' | 'rounds' | 'faults'> & { faults: string[] }> {
  await clear(db);
  await db.rows('delete from suppressions');
  sink.begin(address);
  journal.begin();
  const cutBefore = journal.cut.size;
  const owner = await account(db, address.apis, 1_000_000);
  const bulks = await Promise.all(TEXTS.map((text, i) => addPeople(db, owner.id, text, i, size)));
  await db.rows('analyze contacts');
  const findings: Finding[] = [];
  const find = (what: string, rows: unknown[]) => {
    if (rows.length) findings.push({ what, rows: rows.slice(0, 20) });
  };
  const starting = Promise.all(bulks.map(({ list, template }) => start(owner, list, template)));
  // One that is refused is told of below.
  starting.catch(() => undefined);
  const { faults, crashed } = await chaos.injectFaults({
    seed,
    ms: faultsMs,
    calm: pauseMs,
    isOrderly: false,
    ofFallbacks: true,
  });
  const ids = await starting;
  find('a process crashed', crashed);
  find('not everything finished', await settle(db, address, journal));
  find('cli verify', await verify(address));
  for (const [what, sql] of Object.entries(rules(TIMEOUT))) find(what, await db.rows(sql));
  const people = bulks.flatMap((bulk) => bulk.people);
  const rows = await db.rows<Row>(
    `select s.id, s.chain, s.attempt, s.task_id as task, s.type, s.phone as address, s.stage, s.now_status as status, s.error, p.outcome
       from sendings_now s join sendings p on p.id = s.chain`,
  );
  for (const [i, { people: expected }] of bulks.entries())
    find(
      'a bulk has not one chain with one outcome for each person',
      await chains(db, ids[i]!, expected.length),
    );
  const chainsOf = groupByPerson(rows, people);
  const sms = inspectSms(chainsOf, journal, find);
  const mail = inspectMail(rows, chainsOf, sink, find);
  const counted = await db.rows<{ id: string; n: number }>(
    `select task_id as id, unknown_outcomes as n from task_counters`,
  );
  const lost = [...sms.lost, ...mail.lost];
  find(
    'more messages were lost or are incomplete than counted as unknown outcomes',
    counted.filter(
      ({ id, n }) => [...lost, ...sms.unanswered].filter(({ task }) => task === id).length > n,
    ),
  );
  const bound = [...journal.bound];
  find('a worker did not end cleanly', await chaos.endWorkers());
  find('a session was left bound', await leftBound(journal, bound));
  return {
    faults: faults.map(({ kind }) => kind),
    findings,
    messages: people.length,
    long: sms.long,
    parts: sms.parts,
    emails: mail.emails,
    arrived: mail.arrived,
    returned: sink.returned.size,
    repeatedByServer: mail.repeatedByServer,
    unknownOutcomes: counted.reduce((sum, { n }) => sum + n, 0),
    lost: lost.length,
    incomplete: sms.incomplete,
    cutSessions: journal.cut.size - cutBefore,
  };
}

async function addChannels(
  db: Database,
  { mobile, mail }: Address,
  { systemId, password }: ReturnType<typeof smscOf>,
): Promise<void> {
  const add = (name: string, driver: string, types: string[], options: object) =>
    db.rows(
      `insert into channels (name, driver, types, priority, options) values ($1, $2, $3, 100, $4)
       on conflict (name) do nothing`,
      [name, driver, types, options],
    );
  await add(SMSC, 'smpp', ['sms'], { url: mobile!.url, systemId, password, binds: BINDS });
  await add(MAIL, 'smtp', ['email'], {
    url: mail!.url,
    startTls: 'never',
    domain: 'tea.example',
    bounceDomain: BOUNCE_DOMAIN,
    bounceSecret: BOUNCE_SECRET,
    deliveredAfter: DELIVERED_AFTER_SECONDS,
  });
  // Processes cache channels and routes for a second.
  await sleep(1500);
}

/** A list of the people who get a text, each with a phone and an e-mail address. */
async function addPeople(db: Database, owner: string, template: string, i: number, size: number) {
  const count = Math.ceil(size / TEXTS.length);
  const people = Array.from({ length: count }, (_, index): Person => {
    const n = i * count + index + 1;
    const name = `Name${n}`;
    return {
      n,
      phone: `+7902${1_000_000 + n}`,
      email: `${mailboxOf(n)}@people.example`,
      text: textFor(template, name),
    };
  });
  const list = randomUUID();
  await db.rows(
    `insert into contact_lists (id, owner_id, title, count) values ($1, $2, $3, $4) on conflict do nothing`,
    [list, owner, `People ${i}`, count],
  );
  await db.rows(
    `insert into contacts (list_id, phone, email, first_name)
     select $1, p.phone, p.email, 'Name' || p.n from unnest($2::int[], $3::text[], $4::text[]) p (n, phone, email) on conflict do nothing`,
    [
      list,
      people.map(({ n }) => n),
      people.map(({ phone }) => phone),
      people.map(({ email }) => email),
    ],
  );
  return { list, template, people };
}

async function start({ customer }: Account, list: string, text: string): Promise<string> {
  const onTimeout = { timeout: TIMEOUT, except: ['delivered', 'seen'] };
  const body = {
    type: 'sms',
    recipient: { include: [list] },
    payload: { sender: 'MIRTEA', text },
    fallbacks: [
      {
        type: 'email',
        payload: { sender: 'MIRTEA', subject: 'Tea', text: 'Your tea is ready, {firstName}' },
        options: { onStatus: ['failed'], onTimeout },
      },
    ],
    // By this title the rules know that attempts start by timeout.
    options: { title: 'waiting' },
  };
  return ((await customer.insistOnce(sendings.create, { body: body as never })) as Task).id;
}

/**
 * Mails that the mail server still has to hand on. It makes the file of a mail executable when all of it is there and before it answers for it: what was
 * begun when it was killed stays without that, and is never sent.
 */
const queued = ({ mail }: Address): number =>
  globSync('{maildrop,incoming,active,deferred}/**', { cwd: mail!.queue }).filter((name) => {
    const file = statSync(join(mail!.queue, name), { throwIfNoEntry: false });
    return file?.isFile() && file.mode & 0o100;
  }).length;

/** Waits until nothing is open, as long as that comes nearer; otherwise, what is. */
async function settle(db: Database, address: Address, journal: SmscJournal): Promise<unknown[]> {
  const end = Date.now() + SETTLE_MS;
  let [seen, seenAt] = ['', Date.now()];
  while (true) {
    const at = new Date();
    await sleep(500);
    journal.read();
    const mails = queued(address);
    // What was taken before and has not come back by now does not come back. What nobody answered for may expire.
    if (!mails)
      await db.rows(
        `update batches set submitted_at = submitted_at - make_interval(secs => $2), poll_at = case stage when $3 then now() end,
                expires_at = case stage when $4 then now() else expires_at end
          where channel = $1 and stage in ($3, $4) and closed_at is null and submitted_at between now() - interval '30 minutes' and $5`,
        [MAIL, DELIVERED_AFTER_SECONDS, SUBMITTED, UNKNOWN, at],
      );
    const open = { ...(await openWork(db)), mails, receipts: journal.receiptsDue };
    if (Object.values(open).every((n) => n === 0)) return [];
    const now = Date.now();
    const state = JSON.stringify(open);
    if (state !== seen) [seen, seenAt] = [state, now];
    if (now - seenAt > STANDSTILL_MS || now > end) return [open];
  }
}

interface Row {
  id: string;
  chain: string;
  attempt: number;
  task: string;
  type: number;
  address: string;
  stage: number;
  status: number;
  error: string | null;
  outcome: number | null;
}
interface Chain extends Person {
  sms: Row | undefined;
  mail: Row | undefined;
}
type Find = (what: string, rows: unknown[]) => void;

async function chains(db: Database, id: string, size: number): Promise<unknown[]> {
  const [row] = await db.rows<Record<'chains' | 'phones' | 'ended', number>>(
    `select count(*)::int as chains, count(distinct phone)::int as phones, count(outcome)::int as ended
       from sendings where group_id = $1 and chain_id is null`,
    [id],
  );
  const isWhole = Object.values(row!).every((n) => n === size);
  return isWhole ? [] : [{ id, ...row, size }];
}

function groupByPerson(rows: Row[], people: Person[]): Chain[] {
  const sms = new Map(rows.filter(({ type }) => type === SMS).map((row) => [row.address, row]));
  const mail = new Map(rows.filter(({ type }) => type === EMAIL).map((row) => [row.chain, row]));
  return people.map((person) => {
    const row = sms.get(person.phone);
    return { ...person, sms: row, mail: row && mail.get(row.id) };
  });
}

/** A message at the SMSC: the parts with one number, in their order. */
function setsOf(parts: Submitted[]): Submitted[][] {
  const sets = Map.groupBy(parts, ({ id, part }) => (part ? `part ${part.reference}` : `id ${id}`));
  return [...sets.values()].map((set) =>
    set.toSorted((a, b) => (a.part?.index ?? 1) - (b.part?.index ?? 1)),
  );
}
const isWhole = (set: Submitted[]) =>
  set.every(({ part }, i) => (part?.index ?? 1) === i + 1 && (part?.total ?? 1) === set.length);
const joined = (set: Submitted[]) => set.map(({ text }) => text).join('');

/** What the SMSC has against what the product says of it. */
function inspectSms(chains: Chain[], journal: SmscJournal, find: Find) {
  const taken = journal.submitted.filter(({ status }) => status === 0 || status === null);
  const byPhone = Map.groupBy(taken, ({ recipient }) => recipient);
  const refused = new Set(
    journal.submitted.filter(({ status }) => status !== 0).map(({ recipient }) => recipient),
  );
  const phones = new Set(chains.map(({ phone }) => phone));
  find(
    'the SMSC has a message of nobody',
    taken.filter(({ recipient }) => !phones.has(recipient)),
  );
  const wrong = {
    twice: [] as unknown[],
    text: [] as unknown[],
    missing: [] as unknown[],
    notCounted: [] as unknown[],
    status: [] as unknown[],
  };
  const lost: Row[] = [];
  const unanswered: Row[] = [];
  let long = 0;
  let incomplete = 0;
  for (const { phone, text, sms } of chains) {
    const sets = setsOf(byPhone.get(phone) ?? []);
    const [set] = sets;
    if (sets.length > 1) wrong.twice.push({ phone, sms, sets });
    if (!sms) continue;
    if (!set) {
      if (sms.stage === UNKNOWN) lost.push(sms);
      else if (!refused.has(phone) || sms.status !== FAILED) wrong.notCounted.push({ phone, sms });
      continue;
    }
    if (set.length > 1) long++;
    if (isWhole(set)) {
      if (joined(set) !== text) wrong.text.push({ phone, text, set });
      // Without its answer nobody knows its ids.
      if (sms.stage === UNKNOWN) continue;
      const outcome = journal.outcomeOf(set[0]!);
      const isRight =
        outcome === 'delivered' ? DELIVERED.includes(sms.status) : sms.status === FAILED;
      if (!isRight && sms.error !== 'partial') wrong.status.push({ phone, sms, outcome });
      continue;
    }
    incomplete++;
    if (!set.every((part) => text.includes(part.text)) || joined(set) === text)
      wrong.text.push({ phone, text, set });
    if (sms.stage === UNKNOWN) unanswered.push(sms);
    else if (sms.error !== 'partial') wrong.missing.push({ phone, sms, set });
  }
  find('a message was taken more than once', wrong.twice);
  find('the parts of a message do not join to its text', wrong.text);
  find('parts are missing, and the message is not partial', wrong.missing);
  find('a message is not at the SMSC, and its outcome is known', wrong.notCounted);
  find('a status differs from what the SMSC said', wrong.status);
  return { lost, unanswered, long, incomplete, parts: taken.length };
}

/** What mailboxes have, and what came back, against what the product says of it. */
function inspectMail(rows: Row[], chains: Chain[], sink: MailSink, find: Find) {
  const mails = rows.filter(({ type }) => type === EMAIL);
  const emailOf = new Map(chains.flatMap(({ mail, email }) => (mail ? [[mail.id, email]] : [])));
  const byId = Map.groupBy(sink.delivered, ({ messageId }) => referenceIn(messageId));
  const back = new Set([...sink.returned.keys()].map(referenceIn));
  const known = new Set(mails.map(({ id }) => id));
  const isStrange = (mail: Delivered) => {
    const id = referenceIn(mail.messageId);
    return mail.to !== emailOf.get(id) || referenceIn(mail.returnPath) !== id || !mail.queueId;
  };
  find('a mailbox has a mail of nobody', sink.delivered.filter(isStrange));
  find(
    'a mail came back that is of nobody',
    [...back].filter((id) => !known.has(id)),
  );
  // The mail server itself repeats what it had handed on when it was killed, under the number that it gave.
  const numbers = (id: string) => new Set((byId.get(id) ?? []).map(({ queueId }) => queueId));
  find(
    'an e-mail was submitted more than once',
    mails.filter(({ id }) => numbers(id).size > 1),
  );
  find(
    'a failed SMS has no e-mail, or one that is not its own',
    chains.filter(({ sms, mail, email }) => sms?.status === FAILED && mail?.address !== email),
  );
  find(
    'a message has an attempt too many',
    rows.filter(({ attempt, type }) => attempt !== (type === SMS ? 0 : 1)),
  );
  find(
    'an e-mail that came back is not failed',
    mails.filter(({ id, status }) => back.has(id) && status !== FAILED),
  );
  const isThere = ({ id }: Row) => byId.has(id) || back.has(id);
  find(
    'an e-mail arrived and is not delivered, or is delivered and has not arrived',
    mails.filter(
      (row) =>
        row.stage === SUBMITTED &&
        !back.has(row.id) &&
        byId.has(row.id) !== DELIVERED.includes(row.status),
    ),
  );
  const lost = mails.filter((row) => !isThere(row) && row.error !== 'superseded');
  find(
    'an e-mail is nowhere, and its outcome is known',
    lost.filter(({ stage }) => stage !== UNKNOWN),
  );
  const repeatedByServer = sink.delivered.length - byId.size;
  return { lost, emails: mails.length, arrived: byId.size, repeatedByServer };
}

/** The message that a return path or the id of a mail names: its id without dashes stands first. */
const referenceIn = (text: string): string =>
  (/[0-9a-f]{32}/.exec(text)?.[0] ?? '').replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
    '$1-$2-$3-$4-$5',
  );

/** Sessions of workers that have ended, which the SMSC still has, or which were not unbound. */
async function leftBound(journal: SmscJournal, before: number[]): Promise<unknown[]> {
  for (const end = Date.now() + 5_000; ;) {
    journal.read();
    const left = before.filter((bind) => journal.bound.has(bind));
    if (!left.length || Date.now() > end)
      return [...left, ...before.filter((bind) => journal.cut.has(bind))];
    await sleep(100);
  }
}
