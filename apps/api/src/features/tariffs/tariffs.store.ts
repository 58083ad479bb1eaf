import { Injectable } from '@nestjs/common';
import type { tariffs } from '@heliograph/contract';
import type { SelectQueryBuilder } from 'typeorm';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { binder, contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { IN_FORCE, isOfAccount, rulesOf, stepsOf } from './rules-sql.ts';
import { Tariff, type AccountTariff } from './tariff.entity.ts';

type Query = In<typeof tariffs.find>['query'];

@Injectable()
export class TariffsStore extends Store<Tariff, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 't.createdAt', title: 't.title' },
    filter: {
      id: equals('t.id'),
      source: equals('t.source'),
      // The access scope already selects the owner.
      OwnerId: () => 'true',
    },
    range: { createdAt: 't.created_at' },
    search: contains('t.title'),
  };

  constructor(
    db: Db,
    private readonly config: Config,
  ) {
    super(db, Tariff, 't');
  }

  /** The tariffs of an account in order of precedence. */
  held(OwnerId: string): Promise<AccountTariff[]> {
    return this.db.query<AccountTariff>(
      `select t.id, t.title, t.source, ut.priority, t.reseller_id as "ResellerId", ${IN_FORCE} as version,
              ${rulesOf('t.id', IN_FORCE)} as rules, ${stepsOf('t.id', IN_FORCE)} as "volumeSteps"
         from users_tariffs ut join tariffs t on t.id = ut.tariff_id
        where ut.owner_id = $1 and ${isOfAccount('$2')}
        order by ut.priority desc, t.id desc`,
      [OwnerId, this.config.CURRENCY],
    );
  }

  /** The tariffs of accounts in order of precedence; only those of a reseller, if there is one. */
  async heldBy(
    ResellerId: string | null,
    owners: string[],
  ): Promise<Map<string, { id: string; title: string }[]>> {
    const rows = await this.db.query<{ OwnerId: string; id: string; title: string }>(
      `select ut.owner_id as "OwnerId", t.id, t.title
         from users_tariffs ut join tariffs t on t.id = ut.tariff_id
        where ut.owner_id = any($1) and ($2::uuid is null or t.reseller_id = $2) and ${isOfAccount('$3')}
        order by ut.owner_id, ut.priority desc, t.id desc`,
      [owners, ResellerId, this.config.CURRENCY],
    );
    return Map.groupBy(rows, ({ OwnerId }) => OwnerId);
  }

  /** Whether the tariffs of a reseller may price below what it pays itself. */
  async maySellBelowCost(ResellerId: string): Promise<boolean> {
    const [row] = await this.db.query<{ may: boolean }>(
      `select coalesce((settings #>> '{accounts,maySellBelowCost}')::boolean, false) as may from users where id = $1`,
      [ResellerId],
    );
    return row?.may ?? false;
  }

  /** Returns the number of assigned tariffs. */
  giveDefaults(OwnerId: string): Promise<number> {
    return this.db.execute(
      `insert into users_tariffs (owner_id, tariff_id) select $1, id from tariffs where is_default`,
      [OwnerId],
    );
  }

  /** Tariffs have no owner. They are visible if an account within the scope has them. */
  protected override rows(scope: AccessScope): SelectQueryBuilder<Tariff> {
    const rows = this.db.manager.getRepository(Tariff).createQueryBuilder('t');
    const bind = binder(rows as never);
    const seen = scopeSql(scope, 'ut.owner_id', bind);
    const own = isOfAccount(bind(this.config.CURRENCY));
    return rows.where(
      `exists (select 1 from users_tariffs ut where ut.tariff_id = t.id and ${seen} and ${own})`,
    );
  }
}
