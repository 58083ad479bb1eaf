import { Injectable } from '@nestjs/common';
import type { FrequencyCap, frequencyCap } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import type { In } from '../../core/http/endpoint.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { FrequencyCapsStore, type Values } from './frequency-caps.store.ts';

const DEFAULTS: Values = { isActive: false, messages: 3, days: 7, singles: false };

/** How many advertising messages of an account one person gets. */
@Injectable()
export class FrequencyCapsService {
  /** Of accounts whose cap is active, else null. A change applies within a second. */
  private readonly active = new TtlCache(async (OwnerId: string) => {
    const found = await this.store.get(systemScope, OwnerId);
    return found?.isActive ? found : null;
  });

  constructor(
    private readonly db: Db,
    private readonly store: FrequencyCapsStore,
    private readonly audit: Audit,
  ) {}

  /** Null while the account has none. */
  activeOf(OwnerId: string): Promise<Values | null> {
    return this.active.get(OwnerId);
  }

  async get({ scope, OwnerId: own }: Actor, OwnerId = own): Promise<FrequencyCap> {
    return { OwnerId, ...((await this.store.get(scope, OwnerId)) ?? DEFAULTS) };
  }

  async update(actor: Actor, given: In<typeof frequencyCap.update>['body']): Promise<FrequencyCap> {
    const { OwnerId } = actor;
    const after = await this.db.transaction(async () => {
      await this.store.lock(OwnerId);
      const before = await this.get(actor);
      await this.store.set(OwnerId, given);
      const changed = await this.get(actor);
      await this.audit.record({ OwnerId, target: ['users', OwnerId], before, after: changed });
      return changed;
    });
    this.active.invalidate(OwnerId);
    return after;
  }
}
