import { Injectable } from '@nestjs/common';
import { Db } from './db/db.ts';

export type NotificationType =
  | 'SendernameApproved'
  | 'SendernameRejected'
  | 'BalanceAccrual'
  | 'SendingsBulkCreated'
  | 'SendingsBulkPaused'
  | 'SendingsBulkResumed'
  | 'SendingsBulkCompleted';

/** Rows, written in the transaction of the fact that they tell of. */
@Injectable()
export class Notifications {
  constructor(private readonly db: Db) {}

  /** To the account holder, in the cabinet. `data` holds what the text names. */
  async tell(
    OwnerId: string,
    type: NotificationType,
    data: Record<string, unknown>,
  ): Promise<void> {
    await this.db.query(
      `insert into notifications (user_id, owner_id, type, data) values ($1, $1, $2, $3)`,
      [OwnerId, type, data],
    );
  }
}
