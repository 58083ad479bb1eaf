import { Injectable } from '@nestjs/common';
import { Db } from '../db/db.ts';
import { WriteBehind } from '../write-behind.ts';

/** `last_used_at` of a session is written at most once in this time. */
export const SESSION_USE_SECONDS = 60;

/** Writes when sessions were last used. `note` is called for sessions whose stored time is older than a minute. */
@Injectable()
export class SessionUse extends WriteBehind {
  private used = new Set<string>();

  constructor(private readonly db: Db) {
    super();
  }

  note(sessionId: string): void {
    this.used.add(sessionId);
  }

  protected async write(): Promise<void> {
    if (!this.used.size) return;
    const ids = [...this.used];
    this.used = new Set();
    await this.db
      .query(
        `update sessions set last_used_at = now()
          where id = any($1) and last_used_at < now() - make_interval(secs => $2)`,
        [ids, SESSION_USE_SECONDS],
      )
      // The next use of the session notes it again.
      .catch(() => undefined);
  }
}
