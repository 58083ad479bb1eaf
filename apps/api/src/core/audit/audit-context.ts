import type { Endpoint } from '@heliograph/contract';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../auth/actor.ts';
import type { Visitor } from '../http/visitor.ts';

/** Rows of an account that a request has changed: their number and the id of the first. */
export interface Touched {
  noun: string;
  OwnerId: string;
  id: string | null;
  count: number;
}

/** A request that may need an audit record: its actor and client, and the rows it has changed. */
export class AuditContext {
  /** Number of records written for this request. */
  written = 0;
  /** The account of the last record. */
  changedOwner: string | null = null;
  /** Tells an account, once, that others have set up what acts on without them. */
  announce: ((OwnerId: string, title: string) => Promise<void>) | null = null;
  /** Rows that were changed outside a transaction. */
  readonly touched = new Map<string, Touched>();

  constructor(
    readonly def: Pick<Endpoint, 'audit'>,
    /** The name of the endpoint, used if it declares no audit action. */
    readonly name: string,
    readonly actor: Actor | undefined,
    readonly visitor: Visitor,
    readonly requestId: string,
  ) {}

  get action(): string {
    return this.def.audit ?? this.name;
  }

  /** True for every change in an impersonated session and for changes in another account. */
  isForeign(OwnerId: string): boolean {
    return Boolean(this.actor && (this.actor.actorId || this.actor.OwnerId !== OwnerId));
  }
}

export const auditContext = new AsyncLocalStorage<AuditContext>();
