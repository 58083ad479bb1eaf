import { Injectable } from '@nestjs/common';
import type { GroupRole, Level, OfferedProvider } from '@heliograph/contract';
import { requiredProvidersSql } from '../../core/auth/required-provider.ts';
import { Db } from '../../core/db/db.ts';

export interface IdentityProviderRow {
  id: string;
  title: string;
  issuer: string;
  clientId: string;
  /** Sealed. */
  secret: Buffer;
  AccountId: string | null;
  /** Username of the account. */
  account: string | null;
  levels: Level[];
  trustsSecondFactor: boolean;
  isActive: boolean;
  roles: GroupRole[];
  groupsClaim: string;
  isRequired: boolean;
  users: number;
  updatedAt: Date;
}

export type IdentityProviderValues = Omit<IdentityProviderRow, 'account' | 'users' | 'updatedAt'>;

const SELECT = `
  select p.id, p.title, p.issuer, p.client_id as "clientId", p.secret, p.account_id as "AccountId", a.username as account, p.levels,
         p.trusts_second_factor as "trustsSecondFactor", p.is_active as "isActive", p.roles, p.groups_claim as "groupsClaim",
         p.is_required as "isRequired",
         p.updated_at as "updatedAt",
         (select count(*)::float8 from identities i join users u on u.id = i.user_id where i.provider_id = p.id and u.removed_at is null) as users
    from identity_providers p left join users a on a.id = p.account_id`;

@Injectable()
export class IdentityProvidersStore {
  constructor(private readonly db: Db) {}

  find(): Promise<IdentityProviderRow[]> {
    return this.db.query(`${SELECT} order by p.id`);
  }

  async get(id: string): Promise<IdentityProviderRow | undefined> {
    const [row] = await this.db.query<IdentityProviderRow>(`${SELECT} where p.id = $1`, [id]);
    return row;
  }

  /** Changes of one provider follow one another. */
  async lock(id: string): Promise<IdentityProviderRow | undefined> {
    await this.db.query(`select 1 from identity_providers where id = $1 for update`, [id]);
    return this.get(id);
  }

  /** Those for all users. */
  offered(): Promise<OfferedProvider[]> {
    return this.db.query(
      `select id, title from identity_providers where is_active and account_id is null order by id`,
    );
  }

  async isAccount(id: string): Promise<boolean> {
    const found = await this.db.query(`select 1 from users where id = $1 and owner_id = id`, [id]);
    return found.length > 0;
  }

  async create(values: IdentityProviderValues): Promise<void> {
    await this.db.query(
      `insert into identity_providers (id, title, issuer, client_id, secret, account_id, levels, trusts_second_factor, is_active, roles, groups_claim, is_required)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        values.id,
        values.title,
        values.issuer,
        values.clientId,
        values.secret,
        values.AccountId,
        values.levels,
        values.trustsSecondFactor,
        values.isActive,
        JSON.stringify(values.roles),
        values.groupsClaim,
        values.isRequired,
      ],
    );
  }

  async update(values: IdentityProviderValues): Promise<void> {
    await this.db.query(
      `update identity_providers set title = $2, client_id = $3, secret = $4, levels = $5, trusts_second_factor = $6, is_active = $7,
              roles = $8, groups_claim = $9, is_required = $10, updated_at = now()
        where id = $1`,
      [
        values.id,
        values.title,
        values.clientId,
        values.secret,
        values.levels,
        values.trustsSecondFactor,
        values.isActive,
        JSON.stringify(values.roles),
        values.groupsClaim,
        values.isRequired,
      ],
    );
  }

  /** Users who sign in through it alone. */
  async bound(id: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select u.id from users u, ${requiredProvidersSql('u')} and p.id = $1 and u.removed_at is null`,
      [id],
    );
    return rows.map((row) => row.id);
  }

  async remove(id: string): Promise<void> {
    await this.db.execute(`delete from identity_providers where id = $1`, [id]);
  }

  /** Serialises additions, so that each sees those before it. */
  async countLocked(): Promise<number> {
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended('identity providers', 0))`);
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::float8 as count from identity_providers`,
    );
    return row!.count;
  }
}
