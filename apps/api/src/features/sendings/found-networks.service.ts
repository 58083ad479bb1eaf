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

/** What a look-up said. */
interface Found {
  OwnerId: string;
  phone: string;
  network: string | undefined;
}

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
    const found = await this.store.of(OwnerId, phones, this.since(lookupDays));
    return new Map(found.map((one) => [one.phone, one]));
  }

  /** Keeps what look-ups have found, in the transaction of their reports; of some accounts also that they did not say it. */
  async keep(found: Found[]): Promise<void> {
    const now = this.clock.now();
    const kept: (Found & { network: string })[] = [];
    for (const [OwnerId, own] of Map.groupBy(found, (one) => one.OwnerId)) {
      const { lookupDays, lookupFirst } = await this.settings.sendingRules(OwnerId);
      if (!lookupDays) continue;
      // A person who was erased meanwhile has no number any more.
      const known = own.filter(({ phone }) => phone.startsWith('+'));
      kept.push(...known.flatMap(({ network, ...one }) => (network ? { ...one, network } : [])));
      const unsaid = known.flatMap(({ network, phone }) => (network ? [] : phone));
      // Otherwise each message would look it up again.
      if (lookupFirst && unsaid.length)
        await this.store.keepUnsaid(OwnerId, unsaid, this.since(lookupDays), now);
    }
    if (kept.length) await this.store.keep(kept, now);
  }

  private since(days: number): Date {
    return new Date(this.clock.now().getTime() - days * DAY_MS);
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
