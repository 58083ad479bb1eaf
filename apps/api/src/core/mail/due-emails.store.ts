import { Injectable } from '@nestjs/common';
import { Db } from '../db/db.ts';

/** The columns in which a feature keeps the e-mails that it sends. */
export interface EmailTable {
  table: string;
  id: string;
  /** When the next attempt is due; null when there is none. */
  due: string;
  tries: string;
  /** Whether the row is more than its e-mail, and outlives it. */
  isKept: boolean;
}

export interface ClaimedEmail {
  id: string;
  /** With this one. */
  tries: number;
  /** The end of the lease, by which the attempt is known. */
  due: Date;
}

@Injectable()
export class DueEmailsStore {
  constructor(private readonly db: Db) {}

  /** Takes a due e-mail for one attempt. Until the lease ends no other worker takes it. */
  async claim(
    { table, id, due, tries }: EmailTable,
    now: Date,
    leaseUntil: Date,
  ): Promise<ClaimedEmail | undefined> {
    const [row] = await this.db.query<ClaimedEmail>(
      `update ${table} set ${tries} = ${tries} + 1, ${due} = $2
        where ${id} = (select ${id} from ${table} where ${due} <= $1 order by ${due} limit 1 for update skip locked)
       returning ${id} as id, ${tries} as tries, ${due} as due`,
      [now, leaseUntil],
    );
    return row;
  }

  /** Ends an attempt; the next one is due at `next`. False if the e-mail was replaced or taken by another worker meanwhile. */
  async finish(
    { table, id, due, isKept }: EmailTable,
    claimed: ClaimedEmail,
    next: Date | null,
  ): Promise<boolean> {
    const attempt = `where ${id} = $1 and ${due} = $2`;
    const finished =
      next || isKept
        ? this.db.execute(`update ${table} set ${due} = $3 ${attempt}`, [
            claimed.id,
            claimed.due,
            next,
          ])
        : this.db.execute(`delete from ${table} ${attempt}`, [claimed.id, claimed.due]);
    return (await finished) > 0;
  }
}
