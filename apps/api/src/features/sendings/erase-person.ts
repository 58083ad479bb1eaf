import { normalizeEmail, normalizePhone } from '@heliograph/domain';
import { randomBytes } from 'node:crypto';
import { Audit } from '../../core/audit/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';

/** Chains that one transaction erases. */
const SOME = 500;

export interface Erased {
  contacts: number;
  incoming: number;
  messages: number;
  /** Messages that are not over: they are erased when it is asked for again. */
  underWay: number;
}

/**
 * Erases whom an account knows by an address, a phone or an e-mail: contacts, what was said to and by the person, and the
 * address itself, in whose place stands the same random word everywhere, so that counts and the ledger stay right. Of a
 * blacklist the addresses stay: without them the person would be written to again. Done twice it changes nothing, and one
 * that was interrupted is done again.
 */
export async function erasePerson(
  db: Db,
  given: { username: string; address: string },
): Promise<Erased> {
  const text = given.address.slice(0, 320);
  const address = text.includes('@') ? normalizeEmail(text) : normalizePhone(text);
  if (!address)
    throw new AppError('validation', 'The address is neither a phone number nor an e-mail');
  const [account] = await db.query<{ id: string }>(
    `select owner_id as id from users where lower(username) = lower($1)`,
    [given.username],
  );
  if (!account) throw new AppError('not_found', `There is no user ${given.username}`);
  const who: Who = {
    OwnerId: account.id,
    address,
    column: address.includes('@') ? 'email' : 'phone',
    word: `erased-${randomBytes(8).toString('hex')}`,
  };
  const told = await db.transaction(async () => {
    const contacts = await eraseContacts(db, who);
    await eraseNames(db, who);
    const incoming = await db.execute(
      `delete from sendings_incoming where owner_id = $1 and "from" = $2`,
      [who.OwnerId, address],
    );
    await new Audit(db).record({
      action: 'persons.erase',
      OwnerId: who.OwnerId,
      target: ['persons', who.word],
      after: { contacts, incoming },
    });
    return { contacts, incoming };
  });
  let messages = 0;
  for (let n = SOME; n === SOME;) {
    const done = await db.transaction(() => eraseSomeMessages(db, who));
    messages += done.messages;
    n = done.chains;
  }
  const [left] = await db.query<{ n: number }>(
    `select count(*)::int as n from sendings where owner_id = $1 and phone = $2`,
    [who.OwnerId, address],
  );
  return { ...told, messages, underWay: left!.n };
}

interface Who {
  OwnerId: string;
  address: string;
  column: 'phone' | 'email';
  /** What stands in place of the address. */
  word: string;
}

async function eraseContacts(db: Db, { OwnerId, address, column }: Who): Promise<number> {
  const mine = `list_id = any(array(select id from contact_lists where owner_id = $1 and type = $3)) and ${column} = $2`;
  const [{ n } = { n: 0 }] = await db.query<{ n: number }>(
    `with gone as (delete from contacts where ${mine} returning list_id), fewer as (
       update contact_lists l set count = count - g.n, updated_at = now()
         from (select list_id, count(*)::int as n from gone group by list_id) g where l.id = g.list_id)
     select count(*)::int as n from gone`,
    [OwnerId, address, 'regular'],
  );
  const blocked = await db.execute(
    `update contacts set first_name = null, middle_name = null, last_name = null, gender = null, date = null, custom = '{}',
            updated_at = now() where ${mine}`,
    [OwnerId, address, 'blacklist'],
  );
  return n + blocked;
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
    `update batches set plan = null where id = any($1) and n = 1 and plan is not null`,
    [rows.map(({ batchId }) => batchId)],
  );
  return { chains: chains.length, messages: rows.length };
}
