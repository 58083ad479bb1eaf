import { Injectable } from '@nestjs/common';
import type { BrandInput } from '@heliograph/contract';
import type { LogoType } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

/** What a reseller has chosen; null is as in the installation. */
export type BrandValues = Omit<BrandInput, 'OwnerId'>;

export interface BrandRow extends BrandValues {
  domain: string | null;
  /** Hashes of the pictures. */
  light: string | null;
  dark: string | null;
}

export interface Logo {
  hash: string;
  type: LogoType;
  bytes: Buffer;
}

const hashSql = (scheme: 'light' | 'dark') =>
  `(select l.hash from brand_logos l where l.owner_id = b.owner_id and l.scheme = '${scheme}') as ${scheme}`;

const FIELDS = `b.title, b.primary_color as "primary", b.accent_color as accent, b.email, b.phone, b.chat_url as chat,
  b.privacy_url as privacy, b.offer_url as offer, b.locale, b.domain, ${hashSql('light')}, ${hashSql('dark')}`;

/** One row for each reseller that has a brand of its own. */
@Injectable()
export class BrandsStore {
  constructor(private readonly db: Db) {}

  /** Of a reseller within the scope; undefined for every other account. Without a row all is null. */
  async get(scope: AccessScope, OwnerId: string): Promise<BrandRow | undefined> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'r.id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<BrandRow>(
      `select ${FIELDS} from users r left join brands b on b.owner_id = r.id
        where r.id = $1 and r.owner_id = r.id and r.level = 'reseller' and ${within}`,
      values,
    );
    return row;
  }

  /** Of the account of a user: that of its reseller, or its own if it is one. */
  async ofUser(userId: string): Promise<BrandRow | undefined> {
    const [row] = await this.db.query<BrandRow>(
      `select ${FIELDS}
         from users u join users h on h.id = u.owner_id
         join users r on r.id = case when h.level = 'reseller' then h.id else h.reseller_id end and r.level = 'reseller'
         join brands b on b.owner_id = r.id
        where u.id = $1`,
      [userId],
    );
    return row;
  }

  domains(): Promise<{ domain: string; OwnerId: string }[]> {
    return this.db.query(
      `select b.domain, b.owner_id as "OwnerId" from brands b join users r on r.id = b.owner_id and r.level = 'reseller'
        where b.domain is not null`,
    );
  }

  /** Changes of a brand are made one after the other, so that each knows what it replaces. */
  async lock(OwnerId: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
    await this.db.query(`insert into brands (owner_id) values ($1) on conflict do nothing`, [
      OwnerId,
    ]);
  }

  async set(OwnerId: string, given: BrandValues): Promise<void> {
    await this.db.query(
      `update brands set title = $2, primary_color = $3, accent_color = $4, email = $5, phone = $6, chat_url = $7,
              privacy_url = $8, offer_url = $9, locale = $10
        where owner_id = $1`,
      [
        OwnerId,
        given.title,
        given.primary,
        given.accent,
        given.email,
        given.phone,
        given.chat,
        given.privacy,
        given.offer,
        given.locale,
      ],
    );
  }

  async setDomain(OwnerId: string, domain: string | null): Promise<void> {
    await this.db.query(`update brands set domain = $2 where owner_id = $1`, [OwnerId, domain]);
  }

  async setLogo(OwnerId: string, scheme: 'light' | 'dark', logo: Logo | null): Promise<void> {
    await this.db.query(`delete from brand_logos where owner_id = $1 and scheme = $2`, [
      OwnerId,
      scheme,
    ]);
    if (!logo) return;
    await this.db.query(
      `insert into brand_logos (owner_id, scheme, hash, type, bytes) values ($1, $2, $3, $4, $5)`,
      [OwnerId, scheme, logo.hash, logo.type, logo.bytes],
    );
  }

  async logo(hash: string): Promise<Omit<Logo, 'hash'> | undefined> {
    const [logo] = await this.db.query<Omit<Logo, 'hash'>>(
      `select type, bytes from brand_logos where hash = $1 limit 1`,
      [hash],
    );
    return logo;
  }
}
