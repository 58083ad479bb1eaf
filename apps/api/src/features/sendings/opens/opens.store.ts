import { Injectable } from '@nestjs/common';
import { STATUS_CODES, typeCode } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';

@Injectable()
export class OpensStore {
  constructor(private readonly db: Db) {}

  /** Of e-mails those that are not known as seen and still have their text, which an erasure or the retention takes. */
  unseen(ids: string[]): Promise<{ id: string; OwnerId: string }[]> {
    return this.db.query(
      `select s.id, s.owner_id as "OwnerId" from sendings s
        where s.id = any($1) and s.type = ${typeCode('email')} and s.body is not null and s.status is distinct from ${STATUS_CODES.seen}`,
      [ids],
    );
  }
}
