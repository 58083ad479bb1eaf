import { Injectable } from '@nestjs/common';
import type { links } from '@heliograph/contract';
import type { AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, idTime, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Link } from './link.entity.ts';

type Query = In<typeof links.find>['query'];

/** Clicks since the last write. */
interface ClickCounts {
  ids: string[];
  clicks: number[];
  previews: number[];
  /** Of the last click; null if there are previews only. */
  at: (Date | null)[];
}

export const LINKS_QUOTA: Quota = {
  name: 'links',
  limit: (config) => config.QUOTA_LINKS,
  used: countOf('links'),
};

@Injectable()
export class LinksStore extends Store<Link, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'l.id', clicks: 'l.clicks' },
    filter: { OwnerId: equals('l.owner_id') },
    range: { createdAt: idTime('l.id') },
    search: contains('l.url'),
  };

  constructor(db: Db) {
    super(db, Link, 'l');
  }

  /** The target of a code. Public, so there is no access scope. */
  async target(code: string): Promise<{ id: string; url: string } | undefined> {
    const [row] = await this.db.query<{ id: string; url: string }>(
      `select id, url from links where code = $1`,
      [code],
    );
    return row;
  }

  byCodes(scope: AccessScope, codes: string[]): Promise<Link[]> {
    return this.rows(scope).andWhere('l.code = any(:codes)', { codes }).orderBy('l.id').getMany();
  }

  /** Adds clicks in one statement and returns the owners of the links. */
  addClicks({
    ids,
    clicks,
    previews,
    at,
  }: ClickCounts): Promise<{ id: string; OwnerId: string }[]> {
    return this.db.query(
      `update links l set clicks = l.clicks + c.clicks, previews = l.previews + c.previews, clicked_at = greatest(l.clicked_at, c.at)
         from unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[]) as c(id, clicks, previews, at) where l.id = c.id
       returning l.id, l.owner_id as "OwnerId"`,
      [ids, clicks, previews, at],
    );
  }
}
