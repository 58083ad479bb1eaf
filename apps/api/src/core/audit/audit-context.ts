import type { Endpoint } from '@heliograph/contract';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../auth/actor.ts';
import type { Visitor } from '../http/visitor.ts';

/** Rows of an account that a call has changed: how many, and the first of them. */
export interface Touched {
  noun: string;
  OwnerId: string;
  id: string | null;
  count: number;
}

/** A call that may have to be told of: who makes it from where, and what it has changed. */
export class AuditContext {
  /** Records that were written for it. */
  written = 0;
  /** What it changed outside of any transaction. */
  readonly touched = new Map<string, Touched>();

  constructor(
    readonly def: Pick<Endpoint, 'audit'>,
    /** The endpoint's, where it has no action of its own. */
    readonly name: string,
    readonly actor: Actor | undefined,
    readonly visitor: Visitor,
    readonly requestId: string,
  ) {}

  get action(): string {
    return this.def.audit ?? this.name;
  }

  /** Everything that is done in a borrowed session, and what is done in another account. */
  isForeign(OwnerId: string): boolean {
    return Boolean(this.actor && (this.actor.actorId || this.actor.OwnerId !== OwnerId));
  }
}

export const auditContext = new AsyncLocalStorage<AuditContext>();
