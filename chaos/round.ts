import { sendings, tasks, type SendingReceipt, type Task } from '@heliograph/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { Carrier } from './carrier.ts';
import { Codes } from './codes.ts';
import type { Database } from './database.ts';
import type { FlakyAcquirer } from './flaky-acquirer.ts';
import type { FlakyReceiver } from './flaky-receiver.ts';
import { Hooks } from './hooks.ts';
import { Money } from './money.ts';
import { Random } from './random.ts';
import type { Address } from './cluster.ts';
import { ReportFuzzer } from './report-fuzzer.ts';
import { type Account, account, clear, give, list, openChannel } from './world.ts';
import { View } from './view.ts';
import { Welcomes } from './welcomes.ts';

/** The state of a bulk as its owner expects it. */
export interface Bulk {
  id: string;
  title: string;
  size: number;
  owner: Account;
  /** Periods in which nothing may be submitted, with the messages that were being submitted at their start. */
  silences: { since: number; from: number; until: number; submitting: Set<string> }[];
  stopped: boolean;
  pauses: number;
  resumes: number;
  /** Top-ups after the money had run out. */
  topUps: number;
}

const PAUSE_MS = 3300;
const BULK_SHARES = { main: 0.5, stopped: 0.2, waiting: 0.15, scarce: 0.15 };
const SETTLE_MS = 90_000;

/** One round: bulks and singles of two customers and payments of others, while the fault injector kills processes. */
export class Round {
  readonly bulks: Bulk[] = [];
  /** Ids of the answered singles. */
  readonly singles: string[] = [];
  readonly carrier: Carrier;
  readonly deduplicates: boolean;
  owner!: Account;
  scarce!: Account;
  view!: View;
  private readonly db: Database;
  private readonly address: Address;
  private readonly random: Random;
  private readonly seed: string;
  readonly money: Money;
  readonly hooks: Hooks;
  readonly codes: Codes;
  readonly welcomes: Welcomes;

  constructor(
    db: Database,
    address: Address,
    acquirer: FlakyAcquirer,
    receiver: FlakyReceiver,
    seed: string,
  ) {
    this.db = db;
    this.money = new Money(db, address, acquirer, seed);
    this.hooks = new Hooks(db, receiver, seed);
    this.codes = new Codes(db, address, seed);
    this.welcomes = new Welcomes(db, address, seed);
    this.address = address;
    this.seed = seed;
    this.random = new Random(`${seed} customers`);
    this.carrier = new Carrier(address, seed);
    this.deduplicates = this.random.roll() < 0.3;
  }

  /** Before the faults. Returns the actions of the customers, which take about as long as the faults. */
  async prepare(size: number, faultsMs: number): Promise<() => Promise<void>> {
    await clear(this.db);
    await this.carrier.prepare();
    await openChannel(this.db, this.address, this.deduplicates);
    const { apis } = this.address;
    this.owner = await account(this.db, apis, 1_000_000);
    this.scarce = await account(this.db, apis, 1);
    await this.money.prepare();
    await this.codes.prepare();
    await this.welcomes.prepare();
    await this.hooks.create(this.owner, 'batches', 100);
    await this.hooks.create(this.scarce, 'singles', 1);
    const lists: Record<string, string> = {};
    for (const [name, share] of Object.entries(BULK_SHARES)) {
      const who = name === 'scarce' ? this.scarce : this.owner;
      lists[name] = await list(this.db, who.id, Math.ceil(size * share));
    }
    await this.db.rows('analyze contacts');
    const many = Math.ceil(size * BULK_SHARES.scarce);
    const body = bodyOf('scarce', lists.scarce!) as never;
    const { amount } = await this.scarce.customer.insist(sendings.estimate, { body });
    // Enough for the first attempts; the fallbacks use up the money of the last ones.
    await give(this.db, this.scarce.id, amount * 1.01);
    this.view = new View(apis[1]!, this.owner.customer);
    return async () => {
      const ask = (name: keyof typeof BULK_SHARES) => this.start(name, lists[name]!, size);
      const fuzzer = new ReportFuzzer(this.carrier, new Random(`${this.seed} fuzzer`));
      await Promise.all([
        ask('main').then((bulk) => this.pauseAndResume(bulk, Math.ceil(faultsMs / 5000))),
        ask('stopped').then((bulk) => this.stop(bulk)),
        ask('waiting'),
        ask('scarce').then((bulk) => this.payFor(bulk, many, faultsMs)),
        this.sendSingles(Math.ceil(size / 150), faultsMs),
        fuzzer.run(faultsMs),
        this.money.act(faultsMs),
        this.hooks.act(faultsMs),
        this.codes.act(Math.ceil(size / 100), faultsMs),
        this.welcomes.act(Math.ceil(size / 150), faultsMs),
      ]);
    };
  }

  /** Waits until nothing is open; returns the open counts on timeout. */
  async settle(): Promise<string | null> {
    for (const end = Date.now() + SETTLE_MS; ;) {
      await this.resumeUnpaid();
      const [open] = await this.db.rows<Record<string, number>>(
        `select (select count(*) from tasks where state not in ('completed', 'failed', 'stopped'))::int as tasks,
                (select count(*) from sendings where chain_id is null and outcome is null)::int as chains,
                (select count(*) from sendings_now where now_status < 3)::int as messages,
                (select count(*) from fallback_triggers)::int as signals`,
      );
      open!.joined = await this.welcomes.settle();
      open!.money = await this.money.settle();
      open!.events = await this.hooks.settle();
      const isSilent = await this.carrier.isSilent();
      if (isSilent && Object.values(open!).every((n) => n === 0)) return null;
      if (Date.now() > end) return JSON.stringify({ ...open, isSilent });
      await sleep(400);
    }
  }

  private async start(name: keyof typeof BULK_SHARES, listId: string, size: number): Promise<Bulk> {
    const owner = name === 'scarce' ? this.scarce : this.owner;
    await sleep(this.random.between(0, 800));
    const body = bodyOf(name, listId) as never;
    const { id, title } = (await owner.customer.insistOnce(sendings.create, { body })) as Task;
    const many = Math.ceil(size * BULK_SHARES[name]);
    const bulk = {
      id,
      title,
      size: many,
      owner,
      silences: [],
      stopped: false,
      pauses: 0,
      resumes: 0,
      topUps: 0,
    };
    this.bulks.push(bulk);
    return bulk;
  }

  private async pauseAndResume(bulk: Bulk, times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      await sleep(this.random.between(200, 1500));
      if (!(await this.move(bulk, 'paused'))) return;
      bulk.pauses++;
      const since = Date.now();
      const submitting = await this.submitting(bulk);
      await sleep(PAUSE_MS);
      bulk.silences.push({ since, from: since + 2000, until: Date.now(), submitting });
      await this.move(bulk, 'scheduled');
      bulk.resumes++;
    }
  }

  private async stop(bulk: Bulk): Promise<void> {
    await sleep(this.random.between(200, 2500));
    // A paused one is ended as well as a running one.
    if (this.random.between(0, 2) < 1 && (await this.move(bulk, 'paused'))) bulk.pauses++;
    bulk.stopped = await this.cancel(bulk);
    if (!bulk.stopped) return;
    const since = Date.now();
    const submitting = await this.submitting(bulk);
    bulk.silences.push({ since, from: since + 1000, until: Infinity, submitting });
  }

  /** False when the task had ended before. */
  private async cancel(bulk: Bulk): Promise<boolean> {
    const params = { id: bulk.id };
    const { customer } = bulk.owner;
    const over = async () => {
      const task = await customer.once(tasks.get, { params });
      return ['stopped', 'completed', 'failed'].includes(task.state) ? task : undefined;
    };
    return (await customer.insist(tasks.cancel, { params }, over)).state === 'stopped';
  }

  /** False when the task had ended before. */
  private async move(bulk: Bulk, state: 'paused' | 'scheduled'): Promise<boolean> {
    const params = { id: bulk.id };
    const { customer } = bulk.owner;
    const reached = state === 'scheduled' ? ['scheduled', 'running', 'completed'] : [state];
    const now = async () => {
      const task = await customer.once(tasks.get, { params });
      return [...reached, 'completed', 'failed'].includes(task.state) ? task : undefined;
    };
    const task = await customer.insist(tasks.update, { params, body: { state } }, now);
    return reached.includes(task.state);
  }

  private async submitting({ id }: Bulk): Promise<Set<string>> {
    const rows = await this.db.rows<{ id: string }>(
      `select s.id from sendings s join batches b on b.id = s.batch_id where b.task_id = $1 and b.stage in (2, 4)`,
      [id],
    );
    return new Set(rows.map((row) => row.id));
  }

  /** Pays when the task pauses for want of money, half of what may be missing at a time. */
  private async payFor(bulk: Bulk, size: number, ms: number): Promise<void> {
    for (const end = Date.now() + ms; Date.now() < end;) {
      await sleep(700);
      await this.topUp(bulk, size);
    }
  }

  private async resumeUnpaid(): Promise<void> {
    const bulk = this.bulks.find(({ owner }) => owner === this.scarce);
    if (bulk) await this.topUp(bulk, bulk.size);
  }

  private async topUp(bulk: Bulk, size: number): Promise<void> {
    const [task] = await this.db.rows<{ state: string; reason: string | null }>(
      `select state, reason from tasks where id = $1`,
      [bulk.id],
    );
    if (task?.state !== 'paused' || task.reason !== 'insufficient_funds') return;
    await give(this.db, this.scarce.id, Math.max(50, size / 10));
    bulk.topUps++;
    await this.move(bulk, 'scheduled');
  }

  private async sendSingles(count: number, ms: number): Promise<void> {
    const { customer } = this.owner;
    const one = async (n: number) => {
      const fallbacks = n % 3 ? [] : [FALLBACK];
      const recipient = `+7903${String(1_000_000 + n)}`;
      const body = {
        type: 'viber',
        recipient,
        payload: { sender: 'MIRTEA', text: `Tea ${n}` },
        fallbacks,
      };
      const receipt = await customer.insistOnce(sendings.create, { body: body as never });
      this.singles.push((receipt as SendingReceipt).id);
    };
    const underWay: Promise<void>[] = [];
    for (let n = 0; n < count; n++) {
      const sent = one(n);
      // One that is refused is told of at the end.
      sent.catch(() => undefined);
      underWay.push(sent);
      await sleep(this.random.between(0, (2 * ms) / count));
    }
    await Promise.all(underWay);
  }
}

const FALLBACK = {
  type: 'sms',
  payload: { sender: 'MIRTEA', text: 'By SMS' },
  options: { onStatus: ['failed'] },
};
/** Seconds after which the next attempt of the bulk `waiting` starts. */
export const TIMEOUT = 2;

function bodyOf(name: string, listId: string): object {
  const onTimeout = { timeout: TIMEOUT, except: ['delivered', 'seen'] };
  const options = name === 'waiting' ? { onStatus: ['failed'], onTimeout } : FALLBACK.options;
  return {
    type: 'viber',
    recipient: { include: [listId] },
    payload: { sender: 'MIRTEA', text: 'Hello {firstName|friend}' },
    fallbacks: [{ ...FALLBACK, options }],
    options: { title: name },
  };
}
