import { Injectable } from '@nestjs/common';
import { OUTCOME_CODES, STATUS_CODES } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';

@Injectable()
export class IntakeStore {
  constructor(private readonly db: Db) {}

  /** Marks new sendings as failed. They were inserted in the same transaction, so no report can have changed them. */
  async fail(refused: { id: string; error: string }[], now: Date): Promise<void> {
    await this.db.query(
      `update sendings s set changed_at = (select change_time()), status = ${STATUS_CODES.failed}, outcome = ${OUTCOME_CODES.failed}, failed_at = $3, error = r.error
         from unnest($1::uuid[], $2::text[]) as r(id, error) where s.id = r.id`,
      [refused.map((r) => r.id), refused.map((r) => r.error), now],
    );
  }
}
