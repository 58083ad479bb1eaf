import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';
import type { StatusCallback } from '../sendings/sendings.service.ts';

/** What messages say of their callbacks. */
@Injectable()
export class CallbacksStore {
  constructor(private readonly db: Db) {}

  async of(OwnerId: string, id: string): Promise<StatusCallback | undefined> {
    const [row] = await this.db.query<{ callback: StatusCallback | null }>(
      `select coalesce(s.data->'callback', t.data->'sending'->'callback') as callback
         from sendings s left join tasks t on t.id = s.group_id where s.owner_id = $1 and s.id = $2`,
      [OwnerId, id],
    );
    return row?.callback ?? undefined;
  }
}
