import { automations, contactLists, contacts } from '@heliograph/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './checks.ts';
import type { Address } from './cluster.ts';
import type { Database } from './database.ts';
import { Random } from './random.ts';
import { type Account, account } from './world.ts';

const PAUSE_MS = 700;

/** People who join a list, while an automation welcomes them by two messages and a tag, and its owner pauses it. */
export class Welcomes {
  private owner!: Account;
  private listId!: string;
  private automationId!: string;
  private people = 0;
  /** In which nobody enters. */
  private readonly pauses: [from: Date, until: Date][] = [];
  private readonly random: Random;
  private readonly db: Database;
  private readonly address: Address;

  constructor(db: Database, address: Address, seed: string) {
    this.db = db;
    this.address = address;
    this.random = new Random(`${seed} welcomes`);
  }

  async prepare(): Promise<void> {
    this.owner = await account(this.db, this.address.apis, 100_000);
    const { customer } = this.owner;
    const list = await customer.insistOnce(contactLists.create, {
      body: { title: 'Newcomers', type: 'regular' },
    });
    this.listId = list.id;
    const message = (type: 'viber' | 'sms') =>
      ({ do: 'message', type, sender: 'MIRTEA', text: 'Welcome {firstName}' }) as const;
    const { id } = await customer.insistOnce(automations.create, {
      body: {
        title: 'Welcome',
        trigger: { when: 'listed', ListId: list.id },
        steps: [message('viber'), { do: 'tag', add: ['welcomed'] }, message('sms')],
        timeZone: 'Europe/Moscow',
        isActive: true,
      },
    });
    this.automationId = id;
  }

  async act(count: number, ms: number): Promise<void> {
    await Promise.all([this.join(count, ms), this.pause(Math.ceil(ms / 4000))]);
  }

  /** How many are on their way. */
  async settle(): Promise<number> {
    const [row] = await this.db.rows<{ n: number }>(
      `select count(*)::int as n from automation_runs where automation_id = $1 and due_at is not null`,
      [this.automationId],
    );
    return row!.n;
  }

  async check(): Promise<Finding[]> {
    const [listed] = await this.db.rows<{ n: number }>(
      `select count(*)::int as n from contacts where list_id = $1`,
      [this.listId],
    );
    const findings = [
      {
        what: 'the list does not have those who have joined it',
        rows: listed!.n === this.people ? [] : [{ ...listed, joined: this.people }],
      },
    ];
    const [from, until] = [0, 1].map((i) => this.pauses.map((pause) => pause[i]));
    for (const [what, sql] of Object.entries(RULES))
      findings.push({ what, rows: await this.db.rows(sql, [this.listId, from, until]) });
    return findings.filter((finding) => finding.rows.length);
  }

  private async join(count: number, ms: number): Promise<void> {
    const underWay: Promise<unknown>[] = [];
    for (let n = 0; n < count; n++) {
      const body = { ListId: this.listId, phone: `+7905${1_000_000 + n}`, firstName: `Name${n}` };
      const joined = this.owner.customer.insistOnce(contacts.create, { body });
      // One that is refused is told of at the end.
      joined.catch(() => undefined);
      underWay.push(joined);
      await sleep(this.random.between(0, (2 * ms) / count));
    }
    await Promise.all(underWay);
    this.people = count;
  }

  private async pause(times: number): Promise<void> {
    const params = { id: this.automationId };
    for (let i = 0; i < times; i++) {
      await sleep(this.random.between(500, 2500));
      const set = (isActive: boolean) =>
        this.owner.customer.insist(automations.update, { params, body: { isActive } });
      const from = new Date();
      await set(false);
      await sleep(PAUSE_MS);
      await set(true);
      this.pauses.push([from, new Date()]);
    }
  }
}

/** Those of the list, and whether they may have joined in a pause. */
const JOINED = `(
  select c.id, c.phone, c.tags, l.owner_id, exists (
           select 1 from unnest($2::timestamptz[], $3::timestamptz[]) p(since, until) where c.created_at between p.since and p.until) as in_pause
    from contacts c join contact_lists l on l.id = c.list_id where l.id = $1)`;

const RULES: Record<string, string> = {
  'who has joined has not taken each step of the automation once': `
    select c.phone, r.state, r.taken from ${JOINED} c left join automation_runs r on r.contact_id = c.id
     where not (c.in_pause and r.id is null) and (r.state, r.taken) is distinct from ('done', '{1,2,3}'::int[])`,
  'who was welcomed has not one message of each step, paid once, and the tag; who was not has something of it': `
    select c.phone, c.tags, count(r.id)::int as runs, count(s.id)::int as messages from ${JOINED} c left join automation_runs r on r.contact_id = c.id
      left join sendings s on s.owner_id = c.owner_id and s.phone = c.phone left join billings b on b.id = s.id
     group by c.id, c.phone, c.tags
    having case when count(r.id) = 0 then count(s.id) > 0 or c.tags <> '{}'
           else count(distinct s.type) <> 2 or count(s.id) <> 2 or count(b.id) <> 2 or c.tags <> '{welcomed}' end`,
};
