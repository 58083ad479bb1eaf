import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

interface PhoneCode {
  phone: string;
  codeHash: string;
  sendingId: string;
}

interface Confirming {
  phone: string | null;
  pendingPhone: string | null;
  phoneConfirmedAt: Date | null;
}

export interface SimulatedMessage {
  id: string;
  sender: string;
  recipient: string;
  text: string | null;
  createdAt: Date;
}

const MAX_SIMULATED_MESSAGES = 10;
/** Codes deleted by one statement. */
const DELETE_BATCH_SIZE = 500;

/** Deletes codes and masks them in the sent messages. */
const ended = (condition: string) =>
  `with ended as (delete from phone_codes where ${condition} returning sending_id)
   update sendings s set body = regexp_replace(s.body, '[0-9]', '*', 'g') from ended where s.id = ended.sending_id`;

@Injectable()
export class PhonesStore {
  constructor(private readonly db: Db) {}

  async toConfirm(userId: string): Promise<string | null> {
    const [row] = await this.db.query<{ phone: string | null }>(
      `select coalesce(pending_phone, case when phone_confirmed_at is null then data->>'phone' end) as phone from users where id = $1`,
      [userId],
    );
    return row!.phone;
  }

  async put(userId: string, code: PhoneCode, seconds: number): Promise<void> {
    await this.db.query(
      `insert into phone_codes (user_id, phone, code_hash, sending_id, expires_at) values ($1, $2, $3, $4, now() + make_interval(secs => $5))
       on conflict (user_id) do update set phone = excluded.phone, code_hash = excluded.code_hash, tries = 0,
         sending_id = excluded.sending_id, expires_at = excluded.expires_at`,
      [userId, code.phone, code.codeHash, code.sendingId, seconds],
    );
  }

  /** Counts an attempt and returns the hash of the code, or null if it expired or has no attempts left. */
  async takeTry(userId: string, tries: number): Promise<string | null> {
    const [row] = await this.db.query<{ hash: string }>(
      `update phone_codes set tries = tries + 1 where user_id = $1 and tries < $2 and expires_at > now() returning code_hash as hash`,
      [userId, tries],
    );
    return row?.hash ?? null;
  }

  /** Locks the user, which serialises concurrent changes of the phone. */
  async lock(userId: string): Promise<Confirming> {
    const [row] = await this.db.query<Confirming>(
      `select data->>'phone' as phone, pending_phone as "pendingPhone", phone_confirmed_at as "phoneConfirmedAt"
         from users where id = $1 for no key update`,
      [userId],
    );
    return row!;
  }

  /** Consumes a code and returns its phone. Only one of several concurrent calls succeeds. */
  async use(userId: string, codeHash: string): Promise<string | null> {
    const [row] = await this.db.query<{ phone: string }>(
      `select phone from phone_codes where user_id = $1 and code_hash = $2`,
      [userId, codeHash],
    );
    await this.end(userId);
    return row?.phone ?? null;
  }

  async end(userId: string): Promise<void> {
    await this.db.query(ended('user_id = $1'), [userId]);
  }

  /** Returns true if there are more. */
  async endExpired(): Promise<boolean> {
    const count = await this.db.execute(
      ended(
        `user_id in (select user_id from phone_codes where expires_at < now() order by expires_at limit ${DELETE_BATCH_SIZE})`,
      ),
    );
    return count === DELETE_BATCH_SIZE;
  }

  async apply(userId: string, phone: string): Promise<Date> {
    const [row] = await this.db.query<{ at: Date }>(
      `update users set data = jsonb_set(data, '{phone}', to_jsonb($2::text)), phone_confirmed_at = now(), pending_phone = null, updated_at = now()
        where id = $1 returning phone_confirmed_at as at`,
      [userId, phone],
    );
    return row!.at;
  }

  /** The current code of the user, messages of the account to the user's own phone, and one-time codes of the account. */
  simulated(userId: string, OwnerId: string): Promise<SimulatedMessage[]> {
    return this.db.query<SimulatedMessage>(
      `select s.id, s.sender, s.phone as recipient, s.body as text, b.submitted_at as "createdAt"
         from (select sending_id as id from phone_codes where user_id = $1 and expires_at > now()
               union
               select s.id from sealed_texts t join sendings s on t.chain_id in (s.id, s.chain_id) and s.attempt = t.attempt
                where s.owner_id = $2 and t.expires_at > now()
               union
               (select s.id from users u join sendings s on s.owner_id = $2 and s.phone in (u.data->>'phone', u.pending_phone)
                 where u.id = $1 order by s.id desc limit ${MAX_SIMULATED_MESSAGES})) own
         join sendings s using (id) join batches b on b.id = s.batch_id join channels c on c.name = b.channel
        where c.driver = 'simulator' and b.submitted_at is not null order by s.id desc limit ${MAX_SIMULATED_MESSAGES}`,
      [userId, OwnerId],
    );
  }
}
