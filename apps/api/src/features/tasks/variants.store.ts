import { Injectable } from '@nestjs/common';
import type { TaskState, TaskVariants } from '@heliograph/contract';
import type { VariantFigures } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

export type TextFigures = Omit<VariantFigures, 'clicks'> & { id: string; state: TaskState };

/** Bulks with two texts, as their parts. */
@Injectable()
export class VariantsStore {
  constructor(private readonly db: Db) {}

  /** Of both texts. A recipient who replies more than once, or to several attempts, counts once. */
  figures(OwnerId: string, { A, B }: TaskVariants['tasks']): Promise<TextFigures[]> {
    return this.db.query<TextFigures>(
      `select t.id, t.state, c.total - c.cancelled as recipients, c.completed + c.errored as ended, c.completed as delivered,
              coalesce(r.replied, 0) as replied
         from tasks t join task_counters c on c.task_id = t.id
         left join (
           select s.group_id, count(distinct coalesce(s.chain_id, s.id))::int as replied
             from sendings_incoming i join sendings s on s.id = i.sending_id
            where i.owner_id = $1 and i.id > $3 and s.group_id = any($2) group by 1) r on r.group_id = t.id
        where t.id = any($2) and t.owner_id = $1`,
      [OwnerId, [A, B], A],
    );
  }

  /** Stores the choice with the text, and fixes the audience to that of the first text: contacts added since are left out. */
  async choose(id: string, chosen: object, text: string, firstId: string): Promise<void> {
    await this.db.query(
      `update tasks set data = jsonb_set(jsonb_set(data, '{sending,payload,text}', to_jsonb($3::text)), '{sending,variants,chosen}', $2::jsonb),
              last_contact = coalesce(last_contact, (select f.last_contact from tasks f where f.id = $4))
        where id = $1`,
      [id, JSON.stringify(chosen), text, firstId],
    );
  }
}
