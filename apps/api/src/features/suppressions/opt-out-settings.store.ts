import { Injectable } from '@nestjs/common';
import type { OptOutSettings } from '@heliograph/contract';
import {
  START_CONFIRMATION,
  START_WORDS,
  STOP_CONFIRMATION,
  STOP_WORDS,
  typeCode,
  typeOf,
} from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

type Values = Omit<OptOutSettings, 'OwnerId'>;

const DEFAULTS: Values = {
  stopWords: [...STOP_WORDS],
  startWords: [...START_WORDS],
  covers: 'all',
  isConfirmed: true,
  stopText: STOP_CONFIRMATION,
  startText: START_CONFIRMATION,
  type: null,
  sender: null,
};

/** How accounts treat requests to end messages; one row for each account that has changed the defaults. */
@Injectable()
export class OptOutSettingsStore {
  constructor(private readonly db: Db) {}

  async get(scope: AccessScope, OwnerId: string): Promise<OptOutSettings> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'o.owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<Omit<Values, 'type'> & { type: number | null }>(
      `select stop_words as "stopWords", start_words as "startWords", covers, is_confirmed as "isConfirmed", stop_text as "stopText",
              start_text as "startText", type, sender
         from opt_out_settings o where o.owner_id = $1 and ${within}`,
      values,
    );
    return {
      OwnerId,
      ...(row ? { ...row, type: row.type === null ? null : typeOf(row.type) } : DEFAULTS),
    };
  }

  /** The token that has worded the confirmations of an account; null: the account itself. */
  async wordedBy(OwnerId: string): Promise<string | null> {
    const [row] = await this.db.query<{ tokenId: string | null }>(
      `select token_id as "tokenId" from opt_out_settings where owner_id = $1`,
      [OwnerId],
    );
    return row?.tokenId ?? null;
  }

  async set(OwnerId: string, given: Values, tokenId: string | null): Promise<void> {
    await this.db.query(
      `insert into opt_out_settings (owner_id, stop_words, start_words, covers, is_confirmed, stop_text, start_text, type, sender, token_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (owner_id) do update set stop_words = excluded.stop_words, start_words = excluded.start_words, covers = excluded.covers,
         is_confirmed = excluded.is_confirmed, stop_text = excluded.stop_text, start_text = excluded.start_text, type = excluded.type,
         sender = excluded.sender, token_id = excluded.token_id`,
      [
        OwnerId,
        given.stopWords,
        given.startWords,
        given.covers,
        given.isConfirmed,
        given.stopText,
        given.startText,
        given.type && typeCode(given.type),
        given.sender,
        tokenId,
      ],
    );
  }
}
