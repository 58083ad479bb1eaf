import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';

/** Contacts removed from a list, or emptied on a blacklist. */
export interface ErasedContacts {
  ListId: string;
  count: number;
}

/** A row of `erasures`: a person whose data is being erased. */
export interface Erasure {
  id: string;
  OwnerId: string;
  /** A phone or an e-mail. */
  address: string;
  /** Replaces the address wherever a row must stay. */
  word: string;
  isBegun: boolean;
}

const COLUMNS = `id, owner_id as "OwnerId", address, word, is_begun as "isBegun"`;

type Person = Pick<Erasure, 'OwnerId' | 'address'>;

/** Erasures, and the rows of other nouns in which a person's address appears. */
@Injectable()
export class PersonsStore {
  constructor(private readonly db: Db) {}

  async phoneOfAccount(OwnerId: string): Promise<string | null> {
    const [account] = await this.db.query<{ phone: string | null }>(
      `select data->>'phone' as phone from users where id = $1`,
      [OwnerId],
    );
    return account?.phone ?? null;
  }

  /** A repeated request starts again and keeps its word. */
  async request({ OwnerId, address }: Person, word: string): Promise<Erasure> {
    const [row] = await this.db.query<Erasure>(
      `insert into erasures (owner_id, address, word, due_at) values ($1, $2, $3, now() + interval '10 seconds')
       on conflict (owner_id, address) do update set id = uuidv7(), is_begun = false, due_at = excluded.due_at
       returning ${COLUMNS}`,
      [OwnerId, address, word],
    );
    return row!;
  }

  /** Null when the erasure is finished. */
  async find(id: string): Promise<Erasure | null> {
    const [row] = await this.db.query<Erasure>(`select ${COLUMNS} from erasures where id = $1`, [
      id,
    ]);
    return row ?? null;
  }

  due(limit: number): Promise<{ id: string }[]> {
    return this.db.query(
      `select id from erasures where due_at <= now() order by due_at limit ${limit}`,
    );
  }

  async markBegun(id: string): Promise<void> {
    await this.db.query(`update erasures set is_begun = true where id = $1`, [id]);
  }

  async postpone(id: string): Promise<void> {
    await this.db.query(`update erasures set due_at = now() + interval '1 minute' where id = $1`, [
      id,
    ]);
  }

  async finish(id: string): Promise<void> {
    await this.db.query(`delete from erasures where id = $1`, [id]);
  }

  async countMessages({ OwnerId, address }: Person): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::int as count from sendings where owner_id = $1 and phone = $2`,
      [OwnerId, address],
    );
    return row!.count;
  }

  /** Before the incoming messages: one that arrives meanwhile waits for it, and begins another conversation. */
  async eraseConversation({ OwnerId, address }: Person): Promise<string | null> {
    const [row] = await this.db.query<{ id: string }>(
      `delete from conversations where owner_id = $1 and address = $2 returning id`,
      [OwnerId, address],
    );
    return row?.id ?? null;
  }

  eraseIncoming({ OwnerId, address }: Person): Promise<number> {
    return this.db.execute(`delete from sendings_incoming where owner_id = $1 and "from" = $2`, [
      OwnerId,
      address,
    ]);
  }

  /** Which messages count for the person under the frequency cap of the account. */
  async eraseFrequency({ OwnerId, address }: Person): Promise<void> {
    await this.db.query(`delete from capped_messages where owner_id = $1 and address = $2`, [
      OwnerId,
      address,
    ]);
  }

  /** An opt-out stays, since the person would receive messages again without it; what the account noted about the person goes. */
  async eraseOptOut({ OwnerId, address }: Person): Promise<void> {
    await this.db.query(
      `update suppressions set note = null, sending_id = null where owner_id = $1 and address = $2`,
      [OwnerId, address],
    );
    await this.db.query(`delete from auto_replies where owner_id = $1 and address = $2`, [
      OwnerId,
      address,
    ]);
    await this.db.query(`delete from automation_runs where owner_id = $1 and address = $2`, [
      OwnerId,
      address,
    ]);
    await this.db.query(
      `delete from inbound_claims where address = $2 and rule_id = any(array(select id from inbound_rules where owner_id = $1))`,
      [OwnerId, address],
    );
  }

  /** What the person has entered into forms, and what it has agreed to: the links in its messages end. */
  async eraseSignups({ OwnerId, address }: Person): Promise<void> {
    for (const table of ['signups', 'consents'])
      await this.db.query(`delete from ${table} where owner_id = $1 and address = $2`, [
        OwnerId,
        address,
      ]);
  }

  /** Its devices get nothing more, as nothing says whose they are. */
  async eraseDevices({ OwnerId, address }: Person): Promise<void> {
    await this.db.query(`delete from push_devices where owner_id = $1 and phone = $2`, [
      OwnerId,
      address,
    ]);
  }

  /** What look-ups have found, and those that messages wait for: these go without when their time comes. */
  async eraseFoundNetwork({ OwnerId, address }: Person): Promise<void> {
    for (const table of ['found_networks', 'awaited_lookups'])
      await this.db.query(`delete from ${table} where owner_id = $1 and phone = $2`, [
        OwnerId,
        address,
      ]);
  }

  /** Sessions of one-time codes count for the statistics; those that are open fail. */
  async eraseSessions({ OwnerId, address, word }: Erasure): Promise<void> {
    await this.db.query(
      `update otp_sessions set phone = $3, network = null, reason = case when state = 0 then 'erased' else reason end,
              state = case when state = 0 then 3 else state end, code_hashes = null
        where owner_id = $1 and phone = $2`,
      [OwnerId, address, word],
    );
  }

  /** Deletes the person's contacts. On blacklists the address stays and the other fields are emptied. */
  async eraseContacts({ OwnerId, address }: Person): Promise<ErasedContacts[]> {
    const column = address.includes('@') ? 'email' : 'phone';
    // Who moves contacts holds their lists: what is moved now is found afterwards.
    await this.db.query(
      `select 1 from contact_lists l
        where l.owner_id = $1 and exists (select 1 from contacts c where c.list_id = l.id and c.${column} = $2)
        order by l.id for update`,
      [OwnerId, address],
    );
    const where = `list_id = any(array(select id from contact_lists where owner_id = $1 and type = $3)) and ${column} = $2`;
    const deleted = await this.db.query<ErasedContacts>(
      `with deleted as (delete from contacts where ${where} returning list_id), totals as (
         select list_id, count(*)::int as count from deleted group by list_id)
       update contact_lists l set count = l.count - t.count, updated_at = now()
         from totals t where l.id = t.list_id returning l.id as "ListId", t.count`,
      [OwnerId, address, 'regular'],
    );
    const emptied = await this.db.query<ErasedContacts>(
      `with emptied as (
         update contacts set first_name = null, middle_name = null, last_name = null, gender = null, date = null, custom = '{}', tags = '{}',
                updated_at = now() where ${where} returning list_id)
       select list_id as "ListId", count(*)::int as count from emptied group by list_id`,
      [OwnerId, address, 'blacklist'],
    );
    return [...deleted, ...emptied];
  }

  /** Removes the address from bulks, templates and stored idempotent responses. Open bulks keep it among their excluded recipients. */
  async eraseTypedAddresses({ OwnerId, address }: Person): Promise<void> {
    // As a program wrote it: with or without the calling code.
    await this.db.query(
      `update smpp_parts set destination = null
        where owner_id = $1 and destination is not null and right(destination->>'address', 9) = right($2, 9)`,
      [OwnerId, address],
    );
    await this.db.query(
      `delete from task_phones p using tasks t
        where t.owner_id = $1 and p.task_id = t.id and p.phone = $2 and (not p.excluded or t.finished_at is not null)`,
      [OwnerId, address],
    );
    for (const [side, condition] of [
      ['include', ''],
      ['exclude', 'and finished_at is not null'],
    ]) {
      const path = `'{recipients,${side},recipients}'`;
      await this.db.query(
        `update tasks set data = jsonb_set(data, ${path}, (data#>${path}) - $2::text)
          where owner_id = $1 and (data#>${path}) ? $2 ${condition}`,
        [OwnerId, address],
      );
    }
    for (const side of ['include', 'exclude'])
      await this.db.query(
        `update templates set recipient = jsonb_set(recipient, '{${side}}', (recipient->'${side}') - $2::text)
          where owner_id = $1 and (recipient->'${side}') ? $2`,
        [OwnerId, address],
      );
    await this.db.query(
      `delete from idempotency_keys where owner_id = $1 and strpos(answer::text, $2) > 0`,
      [OwnerId, address],
    );
  }

  /**
   * Empties all attempts of finished chains, at most `limit` chains. An attempt that went to another address keeps that, because
   * other contacts may have it, too.
   */
  async eraseMessages(
    { OwnerId, address, word }: Erasure,
    limit: number,
  ): Promise<{ chains: number; messages: number }> {
    const chains = await this.db.query<{ id: string }>(
      `select distinct f.id from sendings s join sendings f on f.id = coalesce(s.chain_id, s.id)
        where s.owner_id = $1 and s.phone = $2 and f.outcome is not null limit ${limit}`,
      [OwnerId, address],
    );
    const rows = await this.db.query<{ batchId: string }>(
      `update sendings set phone = case when phone = $3 then $2 else phone end, body = null, vars = null, data = null, carrier_text = null, is_last = true
        where id = any($1) or chain_id = any($1) returning batch_id as "batchId"`,
      [chains.map(({ id }) => id), word, address],
    );
    await this.db.query(`delete from link_clicks where sending_id = any($1)`, [
      chains.map(({ id }) => id),
    ]);
    // The plan of a larger batch is the same for all of its recipients and holds nothing of one.
    await this.db.query(
      `update batches set plan = null where id = any($1) and size = 1 and plan is not null`,
      [rows.map(({ batchId }) => batchId)],
    );
    return { chains: chains.length, messages: rows.length };
  }
}
