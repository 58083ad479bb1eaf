import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Actor } from '../auth/actor.ts';
import type { TokenClient, Visitor } from '../http/visitor.ts';
import { networkOf } from '../http/visitor.ts';
import { Log } from '../log.ts';
import { Audit, type AuditRow } from './audit.ts';

const MINUTE_MS = 60_000;
/** Distinct kinds of refusals counted per minute and process; further kinds share one record per action. */
const MAX_KINDS = 100;
/** Missing rows requested by one actor within a minute that count as probing. */
const PROBING_THRESHOLD = 20;

interface Kind {
  row: AuditRow;
  /** Occurrences that are not recorded yet. */
  count: number;
  threshold: number;
}

/**
 * Records failed logins and denied access. The first refusal of a kind (action, actor, network) is recorded immediately,
 * repetitions are recorded once a minute with their count, so that a flood of refusals does not flood the database.
 */
@Injectable()
export class Refusals implements OnApplicationShutdown {
  private kinds = new Map<string, Kind>();
  private timer?: NodeJS.Timeout;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly audit: Audit,
    private readonly log: Log,
  ) {}

  /** `user` is undefined if no user has this name; the typed name is not recorded, since it may be a password. */
  login(
    action: 'auth.failed' | 'auth.limited',
    user: { id: string; OwnerId: string } | undefined,
    visitor: Visitor,
  ): void {
    const target = user && (['users', user.id] as const);
    this.note({ action, OwnerId: user?.OwnerId ?? null, target, visitor });
  }

  /** A signed-in user lacks the permission, or named a foreign account. */
  denied(actor: Actor, after: object, visitor: Visitor, requestId: string): void {
    this.note({ action: 'access.denied', ...actorColumns(actor), after, visitor, requestId });
  }

  /** A valid API token was used from an address that it is not allowed from. */
  address(token: { tokenId: string; userId: string; OwnerId: string }, client: TokenClient): void {
    const { tokenId, userId: actorId, OwnerId } = token;
    const target = ['tokens', tokenId] as const;
    const { requestId, ...visitor } = client;
    this.note({ action: 'tokens.refused', actorId, OwnerId, tokenId, target, visitor, requestId });
  }

  /** A row does not exist or is outside the actor's access scope. Recorded only when it happens often. */
  missed(actor: Actor, visitor: Visitor, requestId: string): void {
    this.note(
      { action: 'access.probed', ...actorColumns(actor), visitor, requestId },
      PROBING_THRESHOLD,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Records the refusals counted since the last record. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const kinds = [...this.kinds.values()];
    this.kinds = new Map();
    for (const { row, count, threshold } of kinds)
      if (count >= Math.max(1, threshold)) this.write(row, count);
    await this.writing;
  }

  private note(row: AuditRow, threshold = 0): void {
    const { action, actorId, userId, tokenId, OwnerId, target, after, visitor } = row;
    const key = JSON.stringify([
      action,
      actorId,
      userId,
      tokenId,
      OwnerId,
      target,
      after,
      networkOf(visitor!.ip),
    ]);
    const isMore = this.kinds.size >= MAX_KINDS && !this.kinds.has(key);
    const name = isMore ? action : key;
    this.timer ??= setTimeout(() => void this.flush(), MINUTE_MS).unref();
    const known = this.kinds.get(name);
    if (known) known.count++;
    else if (isMore)
      this.kinds.set(name, { row: { action, OwnerId: null }, count: 1, threshold: 0 });
    else {
      this.kinds.set(name, { row, count: threshold ? 1 : 0, threshold });
      if (!threshold) this.write(row, 1);
    }
  }

  /** Writes are serialised and not awaited by requests. */
  private write(row: AuditRow, count: number): void {
    this.writing = this.writing
      .then(() => this.audit.insert({ ...row, count }))
      .catch((error: unknown) => this.log.warn({ err: error }, 'failed to record a refusal'));
  }
}

const actorColumns = ({ userId, actorId, tokenId, OwnerId }: Actor) => ({
  tokenId,
  actorId: actorId ?? userId,
  userId: actorId ? userId : null,
  OwnerId,
});
