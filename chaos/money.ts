import {
  ApiError,
  invoices,
  payments,
  recurrentPayments,
  requisites,
  type Call,
} from '@heliograph/contract';
import { DEFAULT_TEMPLATES } from '@heliograph/domain';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPANY_DATA, REQUISITE } from '../apps/api/test/samples/parties.ts';
import type { Address } from './cluster.ts';
import type { Database } from './database.ts';
import type { FlakyAcquirer } from './flaky-acquirer.ts';
import { Random } from './random.ts';
import { type Account, account, endPeriod, IN_FIRST_PERIOD, spendDown } from './world.ts';

const CARDS = {
  '4242424242424242': 5,
  '4000000000000002': 2,
  '4000000000003220': 2,
  '4000000000000077': 3,
  '4000000000000259': 1,
};
const GOOD = '4242424242424242';
/** Paid once; later charges are declined. */
const ONCE = '4000000000000341';
const THRESHOLD = 100;
const CHARGE = 300;
const SECONDS_PER_PAYMENT = 0.6;
const INVOICES = 8;

/** Top-ups, refunds, charges of saved cards and invoices beside the messages of a round. */
export class Money {
  /** Saved cards: charged once in a period, at each crossing of a threshold, and declined. */
  dated!: Account;
  crossing!: Account;
  declined!: Account;
  /** Ids of answered invoices. */
  readonly issued: string[] = [];
  private payer!: Account;
  private manager!: Account;
  private readonly random: Random;
  private readonly db: Database;
  private readonly address: Address;
  private readonly acquirer: FlakyAcquirer;

  constructor(db: Database, address: Address, acquirer: FlakyAcquirer, seed: string) {
    this.db = db;
    this.address = address;
    this.acquirer = acquirer;
    this.random = new Random(`${seed} money`);
  }

  async prepare(): Promise<void> {
    const { apis } = this.address;
    const referrer = await account(this.db, apis, 0);
    this.manager = await account(this.db, apis, 0, { level: 'manager' });
    const relations = { managerId: this.manager.id, referrerId: referrer.id };
    this.payer = await account(this.db, apis, 1000, relations);
    this.dated = await account(this.db, apis, 0, relations);
    this.crossing = await account(this.db, apis, 0, relations);
    this.declined = await account(this.db, apis, 0, relations);
  }

  /** Until the faults end. */
  async act(ms: number): Promise<void> {
    const end = Date.now() + ms;
    await Promise.all([
      this.topUp(Math.ceil(ms / 1000 / SECONDS_PER_PAYMENT), ms),
      this.refund(end),
      this.refundByHand(end),
      this.saveCards(end),
      this.issue(ms),
      this.letTimePass(end),
    ]);
  }

  /** Makes the time pass for what is open; the number of things that are. */
  async settle(): Promise<number> {
    this.acquirer.calm();
    await this.hurry();
    // Nobody asks about these any more, so what comes of them is repeated until it is heard.
    for (const { status, reference } of this.acquirer.payments)
      if (status === 'pending') this.acquirer.insistOn(reference);
    await this.db.rows(
      `update payments set expires_at = now() where status = 'init' and kind <> 'charge'`,
    );
    const [row] = await this.db.rows<{ n: number }>(
      `select ((select count(*) from payments where status in ('init', 'refundRequested'))
             + (select count(*) from invoices where made_at is null)
             + (select count(*) from recurrent_payments where ${IN_FIRST_PERIOD})
             + (select count(*) from recurrent_payments r join balances b on b.owner_id = r.owner_id
                 where r.status = 'ready' and (r.type = 'threshold' and b.balance < r.threshold or r.next_at <= now())))::int as n`,
    );
    // A bank that pays later tells of it then.
    const isPaying = this.acquirer.payments.some((p) => p.status === 'pending' && p.paidAt);
    return row!.n + (this.acquirer.isSilent && !isPaying ? 0 : 1);
  }

  private async topUp(count: number, ms: number): Promise<void> {
    const underWay: Promise<void>[] = [];
    for (let n = 0; n < count; n++) {
      const paid = this.payOne(n);
      // One that is refused is told of at the end.
      paid.catch(() => undefined);
      underWay.push(paid);
      await sleep(this.random.between(0, (2 * ms) / count));
    }
    await Promise.all(underWay);
  }

  /** Some payers never come, some come after the payment has expired here. */
  private async payOne(n: number): Promise<void> {
    const amount = Math.floor(this.random.between(1000, 100_000)) / 100;
    const card = this.random.weighed(CARDS);
    const { url, id } = await this.payer.customer.insist(payments.create, {
      body: { amount, method: 'sandbox' },
    });
    await sleep(this.random.between(0, 1500));
    if (n % 9 === 7) return;
    if (n % 9 === 8) {
      this.acquirer.insistOn(id);
      await this.db.rows(
        `update payments set expires_at = now(), next_query_at = now() where id = $1 and status = 'init'`,
        [id],
      );
      await sleep(2000);
    }
    await this.acquirer.pay(url, card);
    if (this.random.roll() < 0.3) await this.acquirer.pay(url, GOOD);
  }

  private async refund(end: number): Promise<void> {
    while (Date.now() < end) {
      await sleep(this.random.between(300, 1500));
      const [paid] = await this.db.rows<{ id: string; left: number; refunded: number }>(
        `select id, (amount - refunded)::float8 as left, refunded::float8 as refunded from payments where status in ('completed', 'partialRefunded') and owner_id = $1
          order by md5(id::text || $2) limit 1`,
        [this.payer.id, String(this.random.roll())],
      );
      if (!paid) continue;
      const amount = Math.max(0.01, Math.floor(paid.left * this.random.between(10, 110)) / 100);
      await this.attempt({ params: { id: paid.id }, body: { amount, refunded: paid.refunded } });
    }
  }

  /** Whatever the answer, and without one: what counts is that both sides agree afterwards. */
  private async attempt(call: Call<typeof payments.refund>): Promise<void> {
    await this.manager.customer.once(payments.refund, call).catch((error: unknown) => {
      const isExpected =
        !(error instanceof ApiError) || ![400, 401, 403, 404].includes(error.status);
      if (!isExpected) throw error;
    });
  }

  private async refundByHand(end: number): Promise<void> {
    while (Date.now() < end) {
      await sleep(this.random.between(800, 3000));
      const paid = this.acquirer.payments.filter(({ status }) => status === 'paid');
      if (!paid.length) continue;
      const one = this.random.one(paid);
      await this.acquirer.refundByHand(one, this.random.between(1, 20).toFixed(2));
    }
  }

  private async saveCards(end: number): Promise<void> {
    const threshold = { type: 'threshold', threshold: THRESHOLD } as const;
    const daily = { type: 'frequency', frequency: 'daily' } as const;
    const save = async (
      { customer }: Account,
      kind: typeof threshold | typeof daily,
      card: string,
    ) => {
      const body = { ...kind, method: 'sandbox', amount: CHARGE, isOfferAccepted: true } as const;
      const { url } = await customer.insist(recurrentPayments.create, { body });
      await this.acquirer.pay(url, card);
    };
    await Promise.all([
      save(this.crossing, threshold, GOOD),
      save(this.declined, threshold, ONCE),
      save(this.dated, daily, GOOD),
    ]);
    while (Date.now() < end) {
      await sleep(300);
      for (const { id } of [this.crossing, this.declined]) await spendDown(this.db, id, THRESHOLD);
    }
  }

  private async issue(ms: number): Promise<void> {
    const { customer } = this.payer;
    const companyId = await this.company();
    const { id: requisiteId } = await customer.insist(requisites.create, { body: REQUISITE });
    const one = async (n: number) => {
      await sleep(this.random.between(0, ms));
      const body = { amount: 100 + n, requisiteId, companyId };
      const { id } = await customer.insist(invoices.create, { body });
      this.issued.push(id);
      if (n % 2) return;
      const params = { id };
      const paid = async () => {
        const invoice = await this.manager.customer.once(invoices.get, { params });
        return invoice.status === 'paid' ? invoice : undefined;
      };
      await this.manager.customer.insist(invoices.pay, { params }, paid);
    };
    await Promise.all(Array.from({ length: INVOICES }, (_, n) => one(n)));
  }

  private async company(): Promise<string> {
    const id = randomUUID();
    await this.db.rows(
      `insert into companies (id, owner_id, title, tax_system, data) values ($1, $2, 'Heliograph', 'general', $3) on conflict do nothing`,
      [id, this.payer.id, JSON.stringify(COMPANY_DATA)],
    );
    await this.db.rows(
      `insert into document_templates (owner_id, company_id, type, title, blocks) values ($1, $2, 'invoice', 'Invoice', $3) on conflict do nothing`,
      [this.payer.id, id, JSON.stringify(DEFAULT_TEMPLATES.invoice)],
    );
    return id;
  }

  private async letTimePass(end: number): Promise<void> {
    while (Date.now() < end) {
      await sleep(this.random.between(500, 2000));
      await this.hurry();
    }
  }

  /** What waits for minutes and hours is due now: queries, repetitions, the first period, the documents of stopped processes. */
  private async hurry(): Promise<void> {
    await this.db.rows(`update payments set next_query_at = now() where next_query_at > now()`);
    await endPeriod(this.db, this.dated.id);
    await this.db.rows(
      `update recurrent_payments set next_at = now() where type = 'threshold' and failures > 0 and next_at > now()`,
    );
    await this.db.rows(
      `update invoices set created_at = created_at - interval '1 hour' where made_at is null`,
    );
  }
}
