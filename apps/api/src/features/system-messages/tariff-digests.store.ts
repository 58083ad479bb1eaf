import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** The rules in force of a tariff `t` in one text, without the ids of rules: loading the same rules again is no change. */
const DIGEST = `(select md5(t.source || coalesce(string_agg(
    r.action || r.price::text || r.conditions::text || r.priority::text || coalesce(r.by_length::text, ''), '|'
    order by r.priority, r.action, r.price::text, r.conditions::text, r.by_length::text), '')) from tariff_rules_in_force r where r.tariff_id = t.id)`;

/** What tariffs were when their accounts were last notified. */
@Injectable()
export class TariffDigestsStore {
  constructor(private readonly db: Db) {}

  /** Notes the current rules. Returns the tariffs that had others before; new ones are only noted. */
  async takeChanged(): Promise<{ id: string; title: string }[]> {
    const changed = await this.db.query<{ id: string; title: string }>(
      `with now as (select t.id, t.title, ${DIGEST} as digest from tariffs t)
       update tariff_digests d set digest = now.digest from now
        where d.tariff_id = now.id and d.digest <> now.digest returning now.id, now.title`,
    );
    await this.db.query(
      `insert into tariff_digests (tariff_id, digest)
       select t.id, ${DIGEST} from tariffs t where not exists (select 1 from tariff_digests d where d.tariff_id = t.id)
       on conflict do nothing`,
    );
    return changed;
  }
}
