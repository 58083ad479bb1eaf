import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

export interface SealedText {
  chainId: string;
  attempt: number;
  sealed: Buffer;
  expiresAt: Date;
}

/** Texts that only the carrier may read. */
@Injectable()
export class SealedTextsStore {
  constructor(private readonly db: Db) {}

  async put(texts: SealedText[]): Promise<void> {
    await this.db.query(
      `insert into sealed_texts (chain_id, attempt, sealed, expires_at)
       select * from unnest($1::uuid[], $2::smallint[], $3::bytea[], $4::timestamptz[])`,
      [
        texts.map((t) => t.chainId),
        texts.map((t) => t.attempt),
        texts.map((t) => t.sealed),
        texts.map((t) => t.expiresAt),
      ],
    );
  }

  /** The texts of messages, by message, with their chains. */
  ofSendings(
    ids: string[],
    now: Date,
  ): Promise<{ id: string; chainId: string; attempt: number; sealed: Buffer }[]> {
    return this.db.query(
      `select s.id, t.chain_id as "chainId", t.attempt, t.sealed
         from sendings s join sealed_texts t on t.chain_id = coalesce(s.chain_id, s.id) and t.attempt = s.attempt
        where s.id = any($1) and t.expires_at > $2`,
      [ids, now],
    );
  }

  async remove(chainIds: string[]): Promise<void> {
    await this.db.query(`delete from sealed_texts where chain_id = any($1)`, [chainIds]);
  }

  deleteExpired(now: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from sealed_texts where (chain_id, attempt) in (
         select chain_id, attempt from sealed_texts where expires_at <= $1 order by expires_at limit ${limit})`,
      [now],
    );
  }
}
