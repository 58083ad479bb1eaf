import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.ts';
import { Db } from '../db/db.ts';
import { Events } from '../events/events.ts';
import { Log } from '../log.ts';
import { WriteBehind } from '../write-behind.ts';
import { ApiTokensStore, type TokenRow } from './api-tokens.store.ts';

/** The last use of a token is written at most this often. */
const INTERVAL_SECONDS = 60;
/** Beyond this number of tokens within a second further uses are not recorded. */
const MAX_BUFFERED = 10_000;

/** Records time and address of the last use of API tokens, those of all tokens in one statement per second. */
@Injectable()
export class TokenUses extends WriteBehind {
  private uses = new Map<string, { at: Date; ip: string }>();

  constructor(
    private readonly store: ApiTokensStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly log: Log,
  ) {
    super();
  }

  add({ tokenId, lastUsedAt }: Pick<TokenRow, 'tokenId' | 'lastUsedAt'>, ip: string): void {
    const at = this.clock.now();
    const isRecent = lastUsedAt && at.getTime() - lastUsedAt.getTime() < INTERVAL_SECONDS * 1000;
    if (isRecent || this.uses.has(tokenId) || this.uses.size >= MAX_BUFFERED) return;
    this.uses.set(tokenId, { at, ip });
  }

  protected async write(): Promise<void> {
    if (!this.uses.size) return;
    const rows = [...this.uses];
    this.uses = new Map();
    const uses = {
      ids: rows.map(([id]) => id),
      at: rows.map(([, { at }]) => at),
      ips: rows.map(([, { ip }]) => ip),
    };
    try {
      // In a transaction, since a deadlock with another process is retried.
      const noted = await this.db.transaction(() => this.store.noteUses(uses, INTERVAL_SECONDS));
      for (const { id, OwnerId } of noted) this.events.changed('tokens', 'updated', OwnerId, id);
    } catch (error) {
      this.log.warn({ err: error }, 'failed to write the last uses of API tokens');
      for (const [id, use] of rows) if (!this.uses.has(id)) this.uses.set(id, use);
    }
  }
}
