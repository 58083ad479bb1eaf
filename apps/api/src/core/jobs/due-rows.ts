import { Injectable } from '@nestjs/common';
import { isUnavailable } from '../db/db.ts';
import { Log } from '../log.ts';
import { Shutdown } from '../shutdown.ts';

/** After how long a row whose work failed is tried again. */
const POSTPONE_MS = 60_000;

interface DueWork {
  /** For the log. */
  what: string;
  limit: number;
  /** Takes up to so many due rows and does their work, in one transaction. Returns true if more may be due. */
  take: (limit: number) => Promise<boolean>;
  /** Makes the row that `take(1)` would take due later. Returns its id. */
  postpone: (ms: number) => Promise<string | number | undefined>;
}

/** Work on rows that are due, many in a transaction. If it fails they are taken one by one, and one that fails alone is postponed: it stops no other. */
@Injectable()
export class DueRows {
  constructor(
    private readonly log: Log,
    private readonly shutdown: Shutdown,
  ) {}

  /** Returns true if more may be due. */
  async process({ what, limit, take, postpone }: DueWork): Promise<boolean> {
    try {
      return await take(limit);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.log.warn({ err: error }, `${what}: a batch failed; its rows are taken one by one.`);
    }
    for (let i = 0; i < limit && !this.shutdown.isStopping; i++) {
      try {
        if (!(await take(1))) return false;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        const id = await postpone(POSTPONE_MS);
        this.log.error({ err: error, id }, `${what}: a row failed and is postponed.`);
      }
    }
    return true;
  }
}
