import { Injectable } from '@nestjs/common';
import type { Identity, OfferedProvider } from '@heliograph/contract';
import { isActiveSql } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import type { Confirmed, Issuer } from './oidc-client.ts';

/** An identity as it signs in, with its user. */
export interface StoredIdentity {
  id: string;
  trustsSecondFactor: boolean;
  userId: string;
  OwnerId: string;
  username: string;
  isManaged: boolean;
}

/** A provider as people sign in at it. */
export interface SigningProvider extends Issuer {
  title: string;
  AccountId: string | null;
  isRequired: boolean;
}

type Row = Omit<Identity, 'createdAt' | 'lastUsedAt' | 'provider'> & {
  ProviderId: string;
  title: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};
const identityOf = ({ ProviderId, title, createdAt, lastUsedAt, ...row }: Row): Identity => ({
  ...row,
  provider: { id: ProviderId, title },
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
/** Whether provider `p` of identity `i` has made user `u` a member of its account, and gives the role. */
const IS_MANAGED = `i.is_managed and u.owner_id = p.account_id and p.roles <> '[]'`;
const COLUMNS = `i.id, i.name, ${IS_MANAGED} as "isManaged", i.provider_id as "ProviderId", p.title, uuid_extract_timestamp(i.id) as "createdAt", i.last_used_at as "lastUsedAt"`;

/** Whether provider `p` signs in user `u`: its level, and for a provider of an account its users and those of its customers. */
const SIGNS_IN = `p.is_active and u.level = any(p.levels)
  and (p.account_id is null or p.account_id = u.owner_id
       or p.account_id = (select h.reseller_id from users h where h.id = u.owner_id))`;
const ISSUER = `p.id, p.title, p.issuer, p.client_id as "clientId", p.secret, p.account_id as "AccountId", p.roles, p.groups_claim as "groupsClaim",
  p.is_required as "isRequired", p.updated_at::text as "changedAt"`;

@Injectable()
export class IdentitiesStore {
  constructor(private readonly db: Db) {}

  async list(userId: string): Promise<Identity[]> {
    const rows = await this.db.query<Row>(
      `select ${COLUMNS} from identities i join identity_providers p on p.id = i.provider_id join users u on u.id = i.user_id
        where i.user_id = $1 order by i.id`,
      [userId],
    );
    return rows.map(identityOf);
  }

  /** Those to which the user may link and is not linked. */
  providersFor(userId: string): Promise<OfferedProvider[]> {
    return this.db.query(
      `select p.id, p.title from users u join identity_providers p on ${SIGNS_IN} where u.id = $1
          and not exists (select 1 from identities i where i.user_id = u.id and i.provider_id = p.id) order by p.id`,
      [userId],
    );
  }

  /** One that is active. */
  async provider(id: string): Promise<SigningProvider | undefined> {
    const [row] = await this.db.query<SigningProvider>(
      `select ${ISSUER} from identity_providers p where p.id = $1 and p.is_active`,
      [id],
    );
    return row;
  }

  /** One that signs in the user. */
  async providerFor(userId: string, id: string): Promise<Issuer | undefined> {
    const [row] = await this.db.query<Issuer>(
      `select ${ISSUER} from users u join identity_providers p on ${SIGNS_IN} where u.id = $1 and p.id = $2`,
      [userId, id],
    );
    return row;
  }

  /**
   * Undefined if the person is linked to a user, or the user to a person of this provider. The identity of a member who was removed ends
   * with that in the account of that member, where it was invited again; elsewhere anybody could register, and return with it.
   */
  async add(
    userId: string,
    ProviderId: string,
    { subject, name }: Confirmed,
    begunAt: Date,
    isManaged = false,
  ): Promise<Identity | undefined> {
    await this.db.query(
      `delete from identities i using users u where i.provider_id = $1 and i.subject = $2 and u.id = i.user_id and u.removed_at is not null
          and u.owner_id = (select n.owner_id from users n where n.id = $3)`,
      [ProviderId, subject, userId],
    );
    const [added] = await this.db.query<{ id: string }>(
      `insert into identities (user_id, provider_id, subject, name, begun_at, is_managed) values ($1, $2, $3, $4, $5, $6)
       on conflict do nothing returning id`,
      [userId, ProviderId, subject, name, begunAt, isManaged],
    );
    if (!added) return undefined;
    return (await this.list(userId)).find(({ id }) => id === added.id);
  }

  /** Of a member whom the provider signs in for the first time. False if a user has linked itself to the person meanwhile. */
  async addManaged(
    userId: string,
    ProviderId: string,
    { subject, name }: Confirmed,
    begunAt: Date,
    now: Date,
  ): Promise<boolean> {
    const added = await this.db.execute(
      `insert into identities (user_id, provider_id, subject, name, begun_at, last_used_at, is_managed)
       values ($1, $2, $3, $4, $5, $6, true) on conflict do nothing`,
      [userId, ProviderId, subject, name, begunAt, now],
    );
    return added > 0;
  }

  /** The member of the account with an e-mail, unless it is linked at the provider already. */
  async unlinkedMember(
    OwnerId: string,
    ProviderId: string,
    email: string,
  ): Promise<string | undefined> {
    const [row] = await this.db.query<{ id: string }>(
      `select u.id from users u join identity_providers p on p.id = $2 and ${SIGNS_IN}
        where u.owner_id = $1 and u.id <> $1 and lower(u.username) = lower($3) and ${isActiveSql('u')}
          and not exists (select 1 from identities i where i.user_id = u.id and i.provider_id = p.id)`,
      [OwnerId, ProviderId, email],
    );
    return row?.id;
  }

  /** Whether the person is linked to any user, also to one that was removed. */
  async isLinked(ProviderId: string, subject: string): Promise<boolean> {
    const found = await this.db.query(
      `select 1 from identities where provider_id = $1 and subject = $2`,
      [ProviderId, subject],
    );
    return found.length > 0;
  }

  async remove(userId: string, id: string): Promise<Identity | undefined> {
    const [row] = await this.db.query<Row>(
      `delete from identities i using identity_providers p, users u
        where p.id = i.provider_id and u.id = i.user_id and i.id = $2 and i.user_id = $1 returning ${COLUMNS}`,
      [userId, id],
    );
    return row && identityOf(row);
  }

  /** Whether the provider is as it was when it answered. It stays so until the end of the caller's transaction. */
  async isUnchanged(id: string, changedAt: string): Promise<boolean> {
    const found = await this.db.query(
      `select 1 from identity_providers where id = $1 and updated_at = $2::timestamptz for share`,
      [id, changedAt],
    );
    return found.length > 0;
  }

  /** Of an active user whom the provider signs in. */
  async bySubject(ProviderId: string, subject: string): Promise<StoredIdentity | undefined> {
    const [row] = await this.db.query<StoredIdentity>(
      `select i.id, p.trusts_second_factor as "trustsSecondFactor", u.id as "userId", u.owner_id as "OwnerId", u.username,
              ${IS_MANAGED} as "isManaged"
         from identities i join users u on u.id = i.user_id join identity_providers p on p.id = i.provider_id
        where i.provider_id = $1 and i.subject = $2 and ${isActiveSql('u')} and ${SIGNS_IN}`,
      [ProviderId, subject],
    );
    return row;
  }

  /** Uses a visit up. False if it, or a later one, was used before, or the identity is gone. */
  async use(id: string, begunAt: Date, now: Date): Promise<boolean> {
    const used = await this.db.execute(
      `update identities set begun_at = $2, last_used_at = $3 where id = $1 and begun_at < $2`,
      [id, begunAt, now],
    );
    return used > 0;
  }
}
