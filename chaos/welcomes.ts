import { automations, contactLists, contacts } from '@heliograph/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './checks.ts';
import type { Address } from './cluster.ts';
import type { Database } from './database.ts';
import { Random } from './random.ts';
import { type Account, account } from './world.ts';

/** People who join a list, each of whom an automation welcomes by two messages and a tag. */
export class Welcomes {
  private owner!: Account;
  private listId!: string;
  private joined = 0;
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
    await customer.insistOnce(automations.create, {
      body: {
        title: 'Welcome',
        trigger: { when: 'listed', ListId: list.id },
        steps: [message('viber'), { do: 'tag', add: ['welcomed'] }, message('sms')],
        timeZone: 'Europe/Moscow',
        isActive: true,
      },
    });
  }

  async act(count: number, ms: number): Promise<void> {
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
    this.joined = count;
  }

  /** How many are on their way. */
  async settle(): Promise<number> {
    const [row] = await this.db.rows<{ n: number }>(
      `select count(*)::int as n from automation_runs where owner_id = $1 and due_at is not null`,
      [this.owner.id],
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
        rows: listed!.n === this.joined ? [] : [{ ...listed, joined: this.joined }],
      },
      {
        what: 'who has joined has not taken each step of the automation once',
        rows: await this.db.rows(UNWELCOMED, [this.listId]),
      },
      {
        what: 'who has joined has not one message of each step, paid once, and the tag',
        rows: await this.db.rows(UNEQUAL, [this.listId]),
      },
    ];
    return findings.filter((finding) => finding.rows.length);
  }
}

const UNWELCOMED = `
  select c.phone, r.state, r.taken from contacts c left join automation_runs r on r.contact_id = c.id
   where c.list_id = $1 and (r.state, r.taken) is distinct from ('done', '{1,2,3}'::int[])`;
const UNEQUAL = `
  select c.phone, c.tags, count(s.id)::int as messages from contacts c join contact_lists l on l.id = c.list_id
    left join sendings s on s.owner_id = l.owner_id and s.phone = c.phone left join billings b on b.id = s.id
   where c.list_id = $1 group by c.id, c.phone, c.tags
  having count(distinct s.type) <> 2 or count(s.id) <> 2 or count(b.id) <> 2 or c.tags <> '{welcomed}'`;
