import { Injectable } from '@nestjs/common';
import type { Consent } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';

/** What a person has entered, beside the address: fields of a contact. */
export type SignupValues = Record<string, string>;

export interface Signup {
  id: string;
  OwnerId: string;
  FormId: string;
  /** A phone number or an e-mail address. */
  address: string;
  values: SignupValues;
  /** SHA-256 of the text that the person has agreed to. */
  hash: Buffer;
  consent: string;
  expiresAt: Date;
  confirmedAt: Date | null;
}
type Person = Pick<Signup, 'OwnerId' | 'address'>;

const DELETE_BATCH_SIZE = 2000;
const MAX_SHOWN = 100;

/** People who have asked to be entered into lists, and what they have agreed to. */
@Injectable()
export class SignupsStore {
  constructor(private readonly db: Db) {}

  /** How often a person has asked in all forms of an account since `since`, and when in this form the last time. */
  async recent(
    { OwnerId, address }: Person,
    FormId: string,
    since: Date,
  ): Promise<{ count: number; lastAt: Date | null }> {
    const [row] = await this.db.query<{ count: number; lastAt: Date | null }>(
      `select count(*)::int as count, max(created_at) filter (where form_id = $3) as "lastAt"
         from signups where owner_id = $1 and address = $2 and created_at > $4`,
      [OwnerId, address, FormId, since],
    );
    return row!;
  }

  async add(
    { id, OwnerId, FormId, address, values, hash, consent, expiresAt }: Omit<Signup, 'confirmedAt'>,
    tokenHash: Buffer,
    now: Date,
  ): Promise<void> {
    await this.db.query(
      `insert into consent_texts (owner_id, hash, text) values ($1, $2, $3) on conflict do nothing`,
      [OwnerId, hash, consent],
    );
    await this.db.query(
      `insert into signups (id, owner_id, form_id, address, "values", consent_hash, token_hash, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, OwnerId, FormId, address, values, hash, tokenHash, now, expiresAt],
    );
  }

  /** Of a link that is valid. Public, so there is no access scope. `isLocked` until the transaction ends. */
  async ofToken(tokenHash: Buffer, now: Date, isLocked = false): Promise<Signup | undefined> {
    const [row] = await this.db.query<Signup>(
      `select s.id, s.owner_id as "OwnerId", s.form_id as "FormId", s.address, s."values", s.consent_hash as hash,
              t.text as consent, s.expires_at as "expiresAt", s.confirmed_at as "confirmedAt"
         from signups s join consent_texts t on t.owner_id = s.owner_id and t.hash = s.consent_hash
        where s.token_hash = $1 and s.expires_at > $2 ${isLocked ? 'for update of s' : ''}`,
      [tokenHash, now],
    );
    return row;
  }

  /** The link stays and does nothing more; other links to the same form end. */
  async confirm(
    { id, OwnerId, FormId, address, hash }: Signup,
    { title, ip, now }: { title: string; ip: string; now: Date },
  ): Promise<void> {
    await this.db.query(`update signups set confirmed_at = $2, "values" = '{}' where id = $1`, [
      id,
      now,
    ]);
    await this.db.query(
      `delete from signups where owner_id = $1 and address = $2 and form_id = $3 and id <> $4`,
      [OwnerId, address, FormId, id],
    );
    await this.db.query(
      `insert into consents (owner_id, address, form_id, hash, title, ip, confirmed_at) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (owner_id, address, form_id, hash)
       do update set title = excluded.title, ip = excluded.ip, confirmed_at = excluded.confirmed_at`,
      [OwnerId, address, FormId, hash, title, ip, now],
    );
  }

  /** Of a person with these addresses, the last first. */
  async consentsOf(OwnerId: string, addresses: string[]): Promise<Consent[]> {
    const rows = await this.db.query<Omit<Consent, 'confirmedAt'> & { confirmedAt: Date }>(
      `select c.form_id as "FormId", c.title, c.address, t.text, encode(c.hash, 'hex') as hash, c.ip, c.confirmed_at as "confirmedAt"
         from consents c join consent_texts t on t.owner_id = c.owner_id and t.hash = c.hash
        where c.owner_id = $1 and c.address = any($2) order by c.confirmed_at desc limit ${MAX_SHOWN}`,
      [OwnerId, addresses],
    );
    return rows.map((row) => ({ ...row, confirmedAt: row.confirmedAt.toISOString() }));
  }

  /** True if there may be more. */
  async deleteEnded(now: Date): Promise<boolean> {
    const deleted = await this.db.execute(
      `delete from signups where id in (select id from signups where expires_at <= $1 order by expires_at limit ${DELETE_BATCH_SIZE})`,
      [now],
    );
    return deleted === DELETE_BATCH_SIZE;
  }
}
