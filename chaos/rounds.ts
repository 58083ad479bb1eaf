import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault-injector.ts';
import { FaultProcess } from './fault-process.ts';
import { check, type Figures, type Finding } from './checks.ts';
import type { Customer } from './customer.ts';
import { Database } from './database.ts';
import { FlakyAcquirer } from './flaky-acquirer.ts';
import { FlakyReceiver } from './flaky-receiver.ts';
import { checkMoney, type MoneyFigures } from './money-checks.ts';
import type { Address } from './cluster.ts';
import { Round } from './round.ts';
import { checkWebhooks } from './webhook-checks.ts';

export interface Options {
  rounds: number;
  /** Recipients of the bulks of a round. */
  size: number;
  seed: string;
  /** Where the servers keep their data. */
  dir: string;
  /** For every process of the product. */
  env?: Record<string, string>;
  /** The folder of the built program, if it is not the usual one. */
  program?: string;
  /** Duration of the faults of a round, and the average time between them. */
  faultsMs?: number;
  pauseMs?: number;
  /** Also faults of the machines: clocks that are put, a Redis without memory, a disk that hangs. */
  ofMachines?: boolean;
  say?: (line: string) => void;
}

export interface Summary extends Figures, MoneyFigures {
  seed: string;
  size: number;
  rounds: number;
  seconds: number;
  repeatedCalls: number;
  /** Sessions of one-time codes that were confirmed and completed. */
  codes: number;
  /** Calls and notifications of the acquirer that were lost. */
  lostAtAcquirer: number;
  /** Calls of webhooks without a success. */
  failedHooks: number;
  faults: Record<string, number>;
  /** The first round with findings; the run ends with it. */
  failed: { round: number; seed: string; faults: Fault[]; findings: Finding[] } | null;
}

/** Rounds of bulks and singles under faults, each followed by all checks; ends at the first finding. */
export async function runChaos(options: Options): Promise<Summary> {
  const { rounds, size, seed, dir, say = () => undefined } = options;
  const started = Date.now();
  const summary: Summary = {
    seed,
    size,
    rounds: 0,
    seconds: 0,
    messages: 0,
    singles: 0,
    unknownOutcomes: 0,
    lost: 0,
    doubled: 0,
    payments: 0,
    charges: 0,
    refunds: 0,
    invoices: 0,
    codes: 0,
    repeatedCalls: 0,
    lostAtAcquirer: 0,
    failedHooks: 0,
    faults: {},
    failed: null,
  };
  const chaos = new FaultProcess();
  const acquirer = new FlakyAcquirer();
  const receiver = new FlakyReceiver();
  let db: Database | undefined;
  try {
    await acquirer.open();
    await receiver.open();
    const env = {
      ...options.env,
      PAYMENT_METHODS: 'sandbox',
      PAYMENT_SANDBOX_URL: acquirer.url,
      PAYMENT_SANDBOX_SECRET: acquirer.secret,
      PAYMENT_COMMISSION: 'sandbox:2.5',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
      WEBHOOK_TIMEOUT_SECONDS: '2',
      OTP_ADDRESS_PER_HOUR: '0',
      // Counted, and not refused.
      OTP_UNCONFIRMED_PER_HOUR: '1000000',
    };
    const address = await chaos.open(dir, env, options.program);
    db = new Database(address.env.DATABASE_URL!);
    for (let n = 1; n <= rounds && !summary.failed; n++) {
      const since = Date.now();
      const own = `${seed}/${n}`;
      const parts = { chaos, db, address, acquirer, receiver };
      const isOrderly = n % 3 === 2;
      const { faults, findings, figures, repeated, codes } = await oneRound(parts, own, {
        ...options,
        isOrderly,
      });
      summary.rounds = n;
      summary.repeatedCalls += repeated;
      summary.codes += codes;
      for (const { kind } of faults) summary.faults[kind] = (summary.faults[kind] ?? 0) + 1;
      for (const [key, value] of Object.entries(figures))
        summary[key as keyof (Figures & MoneyFigures)] += value;
      if (findings.length) summary.failed = { round: n, seed, faults, findings };
      summary.lostAtAcquirer = acquirer.lost;
      summary.failedHooks = receiver.failed;
      const { messages, unknownOutcomes, lost, doubled, payments, charges, refunds } = figures;
      say(
        `round ${n}: ${findings.length ? 'WRONG' : 'ok'}, ${messages} messages of ${size} recipients, ${faults.length} faults, ` +
          `unknown ${unknownOutcomes}, lost ${lost}, doubled ${doubled}, payments ${payments}, charges ${charges}, refunds ${refunds}, ` +
          `${((Date.now() - since) / 1000).toFixed(1)} s`,
      );
    }
  } finally {
    await db?.close();
    await chaos.close();
    acquirer.close();
    receiver.close();
  }
  summary.seconds = Math.round((Date.now() - started) / 1000);
  return summary;
}

interface Parts {
  chaos: FaultProcess;
  db: Database;
  address: Address;
  acquirer: FlakyAcquirer;
  receiver: FlakyReceiver;
}

async function oneRound(
  { chaos, db, address, acquirer, receiver }: Parts,
  seed: string,
  {
    size,
    faultsMs = 9000,
    pauseMs = 1400,
    ofMachines,
    isOrderly,
  }: Options & { isOrderly: boolean },
): Promise<{
  faults: Fault[];
  findings: Finding[];
  figures: Figures & MoneyFigures;
  repeated: number;
  codes: number;
}> {
  acquirer.begin(address.apis, seed);
  const round = new Round(db, address, acquirer, receiver, seed);
  const act = await round.prepare(size, faultsMs);
  const acting = act().then(
    () => [],
    (error: Error) => [
      { what: 'a call of a customer failed', rows: [error.stack ?? String(error)] },
    ],
  );
  const { faults, crashed, uncleanExits } = await chaos.injectFaults({
    seed,
    ms: faultsMs,
    calm: pauseMs,
    isOrderly,
    ofMachines,
  });
  const findings: Finding[] = await acting;
  if (crashed.length) findings.push({ what: 'a process crashed', rows: crashed });
  const open = await round.settle();
  if (open) findings.push({ what: 'not everything finished', rows: [open] });
  const { findings: more, figures } = await check(round, db, address);
  const money = await checkMoney(round.money, acquirer, db);
  findings.push(...more, ...money.findings, ...(await checkWebhooks(round.hooks, db)));
  findings.push(...(await round.codes.check()), ...(await round.welcomes.check()));
  findings.push(...(await unseen(round)));
  const customers = [round.owner.customer, round.scarce.customer];
  if (isOrderly) findings.push(...disorder(customers, figures, uncleanExits));
  round.view.close();
  const repeated = customers.reduce((sum, customer) => sum + customer.repeated, 0);
  const codes = round.codes.sessions.filter(({ completed }) => completed > 0).length;
  return { faults, findings, figures: { ...figures, ...money.figures }, repeated, codes };
}

/** In a round of shutdowns: what the processes left unfinished. */
function disorder(
  customers: Customer[],
  { unknownOutcomes }: Figures,
  uncleanExits: string[],
): Finding[] {
  const cut = customers.flatMap((customer) => customer.cut);
  return [
    { what: 'a process did not shut down cleanly', rows: uncleanExits },
    { what: 'a call was cut off by a shutdown', rows: cut },
    {
      what: 'a shutdown left unknown outcomes',
      rows: unknownOutcomes ? [{ unknownOutcomes }] : [],
    },
  ].filter(({ rows }) => rows.length);
}

/** The cabinet must equal a fresh load, once it had time to fetch. */
async function unseen({ view }: Round): Promise<Finding[]> {
  for (const end = Date.now() + 8000; ;) {
    const rows = await view.differences();
    if (!rows.length) return [];
    if (Date.now() > end) return [{ what: 'the cabinet differs from a fresh load', rows }];
    await sleep(300);
  }
}
