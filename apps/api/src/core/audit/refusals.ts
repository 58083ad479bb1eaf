import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Actor } from '../auth/actor.ts';
import type { Visitor } from '../http/visitor.ts';
import { networkOf } from '../http/visitor.ts';
import { Log } from '../log.ts';
import { Audit, type AuditRow } from './audit.ts';

const MINUTE_MS = 60_000;
/** Kinds of refusals that a process tells apart within a minute; what comes beyond them is one record. */
const MAX_KINDS = 100;
/** Rows that were not there for somebody within a minute, from which on it looks as if they were guessed. */
const GUESSES = 20;

interface Kind {
  row: AuditRow;
  /** Of which no record tells yet. */
  count: number;
  from: number;
}

/**
 * Failed logins and denials. The first of a kind (what was refused, to whom, from which network) is recorded at once, the
 * others of the minute together when it is over: a flood of them fills no disk and costs nobody a statement.
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

  /** `user` is whose login failed, if there is one of that name: what else was typed may be a password. */
  login(
    action: 'auth.failed' | 'auth.limited',
    user: { id: string; OwnerId: string } | undefined,
    visitor: Visitor,
  ): void {
    const target = user && (['users', user.id] as const);
    this.note({ action, OwnerId: user?.OwnerId ?? null, target, visitor });
  }

  /** Somebody signed in asked for what is not theirs to ask for. */
  denied(actor: Actor, after: object, visitor: Visitor, requestId: string): void {
    this.note({ action: 'access.denied', ...whose(actor), after, visitor, requestId });
  }

  /** A row was not there, or not within reach: nothing by itself, many of them are. */
  missed(actor: Actor, visitor: Visitor, requestId: string): void {
    this.note({ action: 'access.probed', ...whose(actor), visitor, requestId }, GUESSES);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Records what no record tells of yet. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const kinds = [...this.kinds.values()];
    this.kinds = new Map();
    for (const { row, count, from } of kinds)
      if (count >= Math.max(1, from)) this.write(row, count);
    await this.writing;
  }

  private note(row: AuditRow, from = 0): void {
    const { action, actorId, userId, OwnerId, target, after, visitor } = row;
    const key = JSON.stringify([
      action,
      actorId,
      userId,
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
    else if (isMore) this.kinds.set(name, { row: { action, OwnerId: null }, count: 1, from: 0 });
    else {
      this.kinds.set(name, { row, count: from ? 1 : 0, from });
      if (!from) this.write(row, 1);
    }
  }

  /** One after another; nobody's answer waits for it. */
  private write(row: AuditRow, count: number): void {
    this.writing = this.writing
      .then(() => this.audit.insert({ ...row, count }))
      .catch((error: unknown) => this.log.warn({ err: error }, 'a refusal was not recorded'));
  }
}

const whose = ({ userId, actorId, OwnerId }: Actor) => ({
  actorId: actorId ?? userId,
  userId: actorId ? userId : null,
  OwnerId,
});
