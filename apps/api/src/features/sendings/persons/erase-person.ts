import { accountCountry, normalizeEmail, normalizePhone } from '@heliograph/domain';
import { randomBytes } from 'node:crypto';
import { Audit } from '../../../core/audit/audit.ts';
import type { Db } from '../../../core/db/db.ts';
import { invalid } from '../../../core/errors.ts';

/** Chains that one transaction erases. */
const SOME = 500;

/** Of a list, how many contacts were removed, or of a blacklist emptied. */
export interface ErasedContacts {
  ListId: string;
  n: number;
}

export interface Erased {
  contacts: ErasedContacts[];
  incoming: number;
  messages: number;
  /** Messages that are not over: workers erase them when they are. */
  underWay: number;
}

/** A row of `erasures`: somebody who is being forgotten. */
export interface Erasure {
  id: string;
  OwnerId: string;
  /** A phone or an e-mail. */
  address: string;
  /** What stands in place of the address. */
  word: string;
  isBegun: boolean;
}

const ROW = `id, owner_id as "OwnerId", address, word, is_begun as "isBegun"`;

/** Writes down who is to be forgotten. Asked for again it begins again, under the same word. */
export async function askErasure(
  db: Db,
  { OwnerId, address }: { OwnerId: string; address: string },
): Promise<Erasure> {
  const [account] = await db.query<{ phone: string | null }>(
    `select data->>'phone' as phone from users where id = $1`,
    [OwnerId],
  );
  const text = address.slice(0, 320);
  const known = text.includes('@')
    ? normalizeEmail(text)
    : normalizePhone(text, accountCountry(account?.phone));
  if (!known) throw invalid('address', 'address', 'This is neither a phone number nor an e-mail.');
  return db.transaction(async () => {
    const [row] = await db.query<Erasure>(
      `insert into erasures (owner_id, address, word, due_at) values ($1, $2, $3, now() + interval '10 seconds')
       on conflict (owner_id, address) do update set id = uuidv7(), is_begun = false, due_at = excluded.due_at
       returning ${ROW}`,
      [OwnerId, known, `erased-${randomBytes(8).toString('hex')}`],
    );
    await new Audit(db).record({
      action: 'persons.erase',
      OwnerId,
      target: ['persons', row!.word],
    });
    return row!;
  });
}

/** Null when nothing of the person is left. */
export async function erasureOf(db: Db, id: string): Promise<Erasure | null> {
  const [row] = await db.query<Erasure>(`select ${ROW} from erasures where id = $1`, [id]);
  return row ?? null;
}

/**
 * Erases whom an account knows by an address: contacts, what was said to and by the person, and the address itself, in whose
 * place stands the same random word everywhere, so that counts and the ledger stay right. Of a blacklist the addresses stay:
 * without them the person would be written to again. Done twice it changes nothing, and one that was interrupted is done
 * again. Messages under way follow when they are over.
 */
export async function erasePerson(db: Db, erasure: Erasure): Promise<Erased> {
  const who: Who = { ...erasure, column: erasure.address.includes('@') ? 'email' : 'phone' };
  const { contacts, incoming } = erasure.isBegun
    ? { contacts: [], incoming: 0 }
    : await db.transaction(() => begin(db, who));
  let messages = 0;
  for (let n = SOME; n === SOME;) {
    const done = await db.transaction(() => eraseSomeMessages(db, who));
    messages += done.messages;
    n = done.chains;
  }
  const [left] = await db.query<{ n: number }>(
    `select count(*)::int as n from sendings where owner_id = $1 and phone = $2`,
    [who.OwnerId, who.address],
  );
  const underWay = left!.n;
  await db.query(
    underWay
      ? `update erasures set due_at = now() + interval '1 minute' where id = $1`
      : `delete from erasures where id = $1`,
    [who.id],
  );
  return { contacts, incoming, messages, underWay };
}

async function begin(db: Db, who: Who): Promise<{ contacts: ErasedContacts[]; incoming: number }> {
  const contacts = await eraseContacts(db, who);
  await eraseNames(db, who);
  const incoming = await db.execute(
    `delete from sendings_incoming where owner_id = $1 and "from" = $2`,
    [who.OwnerId, who.address],
  );
  await db.query(`update erasures set is_begun = true where id = $1`, [who.id]);
  return { contacts, incoming };
}

interface Who extends Erasure {
  column: 'phone' | 'email';
}

async function eraseContacts(db: Db, { OwnerId, address, column }: Who): Promise<ErasedContacts[]> {
  const mine = `list_id = any(array(select id from contact_lists where owner_id = $1 and type = $3)) and ${column} = $2`;
  const gone = await db.query<ErasedContacts>(
    `with gone as (delete from contacts where ${mine} returning list_id), those as (
       select list_id, count(*)::int as n from gone group by list_id)
     update contact_lists l set count = count - t.n, updated_at = now()
       from those t where l.id = t.list_id returning l.id as "ListId", t.n`,
    [OwnerId, address, 'regular'],
  );
  const blocked = await db.query<ErasedContacts>(
    `with emptied as (
       update contacts set first_name = null, middle_name = null, last_name = null, gender = null, date = null, custom = '{}',
              updated_at = now() where ${mine} returning list_id)
     select list_id as "ListId", count(*)::int as n from emptied group by list_id`,
    [OwnerId, address, 'blacklist'],
  );
  return [...gone, ...blocked];
}

/** Where the address was typed in: bulks, templates, answers that are kept for repeats. Who is left out of an open bulk stays so. */
async function eraseNames(db: Db, { OwnerId, address }: Who): Promise<void> {
  await db.query(
    `delete from task_phones p using tasks t
      where t.owner_id = $1 and p.task_id = t.id and p.phone = $2 and (not p.excluded or t.finished_at is not null)`,
    [OwnerId, address],
  );
  for (const [side, also] of [
    ['include', ''],
    ['exclude', 'and finished_at is not null'],
  ]) {
    const path = `'{recipients,${side},recipients}'`;
    await db.query(
      `update tasks set data = jsonb_set(data, ${path}, (data#>${path}) - $2::text)
        where owner_id = $1 and (data#>${path}) ? $2 ${also}`,
      [OwnerId, address],
    );
  }
  for (const side of ['include', 'exclude'])
    await db.query(
      `update templates set recipient = jsonb_set(recipient, '{${side}}', (recipient->'${side}') - $2::text)
        where owner_id = $1 and (recipient->'${side}') ? $2`,
      [OwnerId, address],
    );
  await db.query(
    `delete from idempotency_keys where owner_id = $1 and strpos(answer::text, $2) > 0`,
    [OwnerId, address],
  );
}

/** Of chains that are over, what each attempt said; one that went to another address keeps it, which others may have, too. */
async function eraseSomeMessages(
  db: Db,
  { OwnerId, address, word }: Who,
): Promise<{ chains: number; messages: number }> {
  const chains = await db.query<{ id: string }>(
    `select distinct f.id from sendings s join sendings f on f.id = coalesce(s.chain_id, s.id)
      where s.owner_id = $1 and s.phone = $2 and f.outcome is not null limit ${SOME}`,
    [OwnerId, address],
  );
  const rows = await db.query<{ batchId: string }>(
    `update sendings set phone = case when phone = $3 then $2 else phone end, body = null, vars = null, data = null, is_last = true
      where id = any($1) or chain_id = any($1) returning batch_id as "batchId"`,
    [chains.map(({ id }) => id), word, address],
  );
  // A plan of several says the same to all of them.
  await db.query(
    `update batches set plan = null where id = any($1) and size = 1 and plan is not null`,
    [rows.map(({ batchId }) => batchId)],
  );
  return { chains: chains.length, messages: rows.length };
}
