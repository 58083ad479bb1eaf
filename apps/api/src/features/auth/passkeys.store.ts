import { Injectable } from '@nestjs/common';
import { MAX_PASSKEYS, type Passkey } from '@heliograph/contract';
import { isActiveSql } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import type { Quota } from '../../core/quotas.ts';

/** Of a user. */
export const PASSKEYS_QUOTA: Quota = {
  name: 'passkeys',
  limit: () => MAX_PASSKEYS,
  used: `select count(*)::float8 as used from passkeys where user_id = $1`,
};

/** A passkey as it is verified, with its user. */
export interface StoredPasskey {
  id: string;
  publicKey: Buffer;
  signCount: number;
  userId: string;
  OwnerId: string;
  username: string;
}

export interface NewPasskey {
  title: string;
  credentialId: string;
  publicKey: Uint8Array;
  signCount: number;
  transports: string[];
  isSynced: boolean;
  challengedAt: Date;
}

type Row = Omit<Passkey, 'createdAt' | 'lastUsedAt'> & { createdAt: Date; lastUsedAt: Date | null };
const COLUMNS = `id, title, is_synced as "isSynced", uuid_extract_timestamp(id) as "createdAt", last_used_at as "lastUsedAt"`;
const passkeyOf = ({ createdAt, lastUsedAt, ...row }: Row): Passkey => ({
  ...row,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

@Injectable()
export class PasskeysStore {
  constructor(private readonly db: Db) {}

  async list(userId: string): Promise<Passkey[]> {
    const rows = await this.db.query<Row>(
      `select ${COLUMNS} from passkeys where user_id = $1 order by id`,
      [userId],
    );
    return rows.map(passkeyOf);
  }

  /** What the devices of the user have, so that none makes a second one. */
  async credentialsOf(userId: string): Promise<{ id: string; transports: string[] }[]> {
    return this.db.query(
      `select credential_id as id, transports from passkeys where user_id = $1 order by id`,
      [userId],
    );
  }

  /** Undefined if the passkey is there already. */
  async add(userId: string, given: NewPasskey): Promise<Passkey | undefined> {
    const [row] = await this.db.query<Row>(
      `insert into passkeys (user_id, title, credential_id, public_key, sign_count, transports, is_synced, challenged_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing returning ${COLUMNS}`,
      [
        userId,
        given.title,
        given.credentialId,
        Buffer.from(given.publicKey),
        given.signCount,
        given.transports,
        given.isSynced,
        given.challengedAt,
      ],
    );
    return row && passkeyOf(row);
  }

  async rename(userId: string, id: string, title: string): Promise<Passkey | undefined> {
    const [row] = await this.db.query<Row>(
      `update passkeys set title = $3 where id = $2 and user_id = $1 returning ${COLUMNS}`,
      [userId, id, title],
    );
    return row && passkeyOf(row);
  }

  async remove(userId: string, id: string): Promise<Passkey | undefined> {
    const [row] = await this.db.query<Row>(
      `delete from passkeys where id = $2 and user_id = $1 returning ${COLUMNS}`,
      [userId, id],
    );
    return row && passkeyOf(row);
  }

  /** Of an active user. */
  async byCredential(credentialId: string): Promise<StoredPasskey | undefined> {
    const [row] = await this.db.query<StoredPasskey>(
      `select p.id, p.public_key as "publicKey", p.sign_count::float8 as "signCount",
              u.id as "userId", u.owner_id as "OwnerId", u.username
         from passkeys p join users u on u.id = p.user_id where p.credential_id = $1 and ${isActiveSql('u')}`,
      [credentialId],
    );
    return row;
  }

  /** Uses a challenge up. False if it, or a later one, was used before, or the passkey is gone. */
  async use(
    id: string,
    { challengedAt, signCount, now }: { challengedAt: Date; signCount: number; now: Date },
  ): Promise<boolean> {
    const used = await this.db.execute(
      `update passkeys set challenged_at = $2, sign_count = $3, last_used_at = $4 where id = $1 and challenged_at < $2`,
      [id, challengedAt, signCount, now],
    );
    return used > 0;
  }
}
