import { webhooks } from '@heliograph/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';
import type { FlakyReceiver } from './flaky-receiver.ts';
import { Random } from './random.ts';
import type { Account } from './world.ts';

const OUTAGE_MS = 1500;

/** A webhook of a customer of the round. */
export interface Hook {
  id: string;
  path: string;
  owner: Account;
}

/** The webhooks of a round: their server fails, is away for some time, and their owners pause and resume them. */
export class Hooks {
  readonly all: Hook[] = [];
  readonly receiver: FlakyReceiver;
  private readonly db: Database;
  private readonly random: Random;

  constructor(db: Database, receiver: FlakyReceiver, seed: string) {
    this.db = db;
    this.receiver = receiver;
    this.random = new Random(`${seed} hooks`);
    receiver.begin(seed);
  }

  async create(owner: Account, title: string, batchSize: number): Promise<void> {
    const path = `/${title}`;
    const body = {
      title,
      event: 'sendings.status',
      url: this.receiver.url + path,
      statuses: ['sent', 'delivered', 'seen', 'failed'],
      batchSize,
      maxConnections: batchSize > 1 ? 5 : 20,
    } as const;
    const { id, secret } = await owner.customer.insist(webhooks.create, {
      body: { ...body, statuses: [...body.statuses] },
    });
    this.receiver.expect(path, secret);
    this.all.push({ id, path, owner });
  }

  async act(ms: number): Promise<void> {
    const outage = async () => {
      await sleep(this.random.between(0, ms - OUTAGE_MS));
      this.receiver.isDown = true;
      await sleep(OUTAGE_MS);
      this.receiver.isDown = false;
    };
    const pause = async ({ id, owner: { customer } }: Hook) => {
      await sleep(this.random.between(0, ms / 2));
      for (const state of ['paused', 'active'] as const) {
        await customer.insist(webhooks.update, { params: { id }, body: { state } });
        await sleep(this.random.between(0, ms / 4));
      }
    };
    await Promise.all([outage(), ...this.all.map(pause)]);
  }

  /** The server works again, and what waits for its next attempt is due now. Returns how many events wait. */
  async settle(): Promise<number> {
    this.receiver.calm();
    await this.db.rows(`update webhooks set blocked_until = null where blocked_until > now()`);
    await this.db.rows(
      `update webhook_events set due_at = now() where state = 0 and due_at > now()`,
    );
    const [open] = await this.db.rows<{ n: number }>(
      `select count(*)::int as n from webhook_events where state = 0`,
    );
    return open!.n;
  }
}
