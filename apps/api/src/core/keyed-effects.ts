import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Audit } from './audit/audit.ts';
import { Db } from './db/db.ts';

/** A request with an idempotency key whose handler calls another party. */
export interface KeyedRequest {
  /** What an earlier request with this key has made. */
  effectId: string | null;
  /** Refuses in the transaction of the effect while another request uses the key. */
  begin(): Promise<void>;
  claim(effectId: string): Promise<void>;
}

export const keyedRequest = new AsyncLocalStorage<KeyedRequest>();

/**
 * A change, and a call to another party about it, which no transaction spans. The key of the request is claimed in the transaction of the
 * change, so a repeat after a crash finds what was made and only calls again. The call must be one that can be repeated.
 */
@Injectable()
export class KeyedEffects {
  constructor(
    private readonly db: Db,
    private readonly audit: Audit,
  ) {}

  /** `change` runs in a transaction and returns the id of what it has made, by which `call` finds it. */
  async run<A>(change: () => Promise<string>, call: (id: string) => Promise<A>): Promise<A> {
    const request = keyedRequest.getStore();
    if (request?.effectId) {
      this.audit.isRecorded();
      return call(request.effectId);
    }
    const made = await this.db.transaction(async () => {
      await request?.begin();
      const id = await change();
      await request?.claim(id);
      return id;
    });
    return call(made);
  }
}
