import { Injectable } from '@nestjs/common';
import { MAX_LOOKUP_DAYS } from '@heliograph/contract';
import { Clock } from '../../core/clock.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { FoundNetworksStore, type FoundNetwork } from './found-networks.store.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Numbers of an account. */
const MAX_NUMBERS = 1_000_000;
const CLEANUP_BATCH_SIZE = 2000;
const NOTHING: ReadonlyMap<string, FoundNetwork> = new Map();

/**
 * What accounts have found out about networks of numbers, for those that want their messages routed by it (`lookupDays` of the account). The
 * others cost no query.
 */
@Injectable()
export class FoundNetworksService {
  constructor(
    private readonly clock: Clock,
    private readonly settings: SettingsService,
    private readonly store: FoundNetworksStore,
  ) {}

  /** By number, of the days for which look-ups of the account count. Addresses that are no numbers are not found. */
  async of(
    OwnerId: string,
    addresses: () => (string | null)[],
  ): Promise<ReadonlyMap<string, FoundNetwork>> {
    const { lookupDays } = await this.settings.sendingRules(OwnerId);
    if (!lookupDays) return NOTHING;
    const phones = [...new Set(addresses().filter((one) => one?.startsWith('+')))] as string[];
    if (!phones.length) return NOTHING;
    const since = new Date(this.clock.now().getTime() - lookupDays * DAY_MS);
    const found = await this.store.of(OwnerId, phones, since);
    return new Map(found.map((one) => [one.phone, one]));
  }

  /** Keeps what look-ups have found, in the transaction of their reports. */
  async keep(found: { OwnerId: string; phone: string; network: string }[]): Promise<void> {
    const kept: typeof found = [];
    for (const one of found) {
      const { lookupDays } = await this.settings.sendingRules(one.OwnerId);
      // A person who was erased meanwhile has no number any more.
      if (lookupDays && one.phone.startsWith('+')) kept.push(one);
    }
    if (kept.length) await this.store.keep(kept, this.clock.now());
  }

  @Sweeps(60_000)
  async deleteOld(): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - MAX_LOOKUP_DAYS * DAY_MS);
    return (await this.store.deleteBefore(before, CLEANUP_BATCH_SIZE)) === CLEANUP_BATCH_SIZE;
  }

  @Sweeps(60 * 60_000)
  async deleteExcess(): Promise<boolean> {
    return (await this.store.deleteBeyond(MAX_NUMBERS, CLEANUP_BATCH_SIZE)) === CLEANUP_BATCH_SIZE;
  }
}
