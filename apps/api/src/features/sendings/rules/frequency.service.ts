import { Injectable } from '@nestjs/common';
import {
  CAPPED_GROUP,
  capStart,
  countsForCap,
  MAX_CAP_DAYS,
  type FrequencyCap,
  type SendingType,
  type TrafficGroup,
} from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { uuidFloor } from '../../../core/uuid.ts';
import { FrequencyCapsService } from '../../frequency-caps/frequency-caps.service.ts';
import { FrequencyStore, type CappedMessage, type Window } from './frequency.store.ts';

interface Kind {
  type: SendingType;
  isBulk: boolean;
}

/** A message that is about to be stored. */
export interface FrequencyClaim extends CappedMessage, Kind {
  OwnerId: string;
  group: TrafficGroup;
}

/** Messages that count under the cap of their account now, and the ids of those that it refuses. */
export interface Claimed {
  counted: FrequencyClaim[];
  refused: ReadonlySet<string>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CLEANUP_BATCH_SIZE = 5000;

/** Keeps an account's advertising to one person within its frequency cap. Of an account without one nothing is read or written. */
@Injectable()
export class FrequencyService {
  constructor(
    private readonly caps: FrequencyCapsService,
    private readonly store: FrequencyStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts messages in the transaction that stores them, each by the id of its chain: a fallback counts once with the attempt before it.
   * The rows of the persons stay locked until it ends, so no other bulk passes the cap meanwhile. `giveBack` takes back what is not
   * stored after all.
   */
  async claim(messages: readonly FrequencyClaim[], now: Date): Promise<Claimed> {
    const counted: FrequencyClaim[] = [];
    const refused = new Set<string>();
    const byOwner = Map.groupBy(messages, ({ OwnerId }) => OwnerId);
    for (const OwnerId of [...byOwner.keys()].sort()) {
      const cap = await this.caps.activeOf(OwnerId);
      if (!cap) continue;
      const own = byOwner.get(OwnerId)!.filter((message) => countsForCap(cap, message));
      const granted = await this.grant(OwnerId, own, windowOf(cap, now), now);
      for (const message of own) {
        if (granted.has(message.id)) counted.push(message);
        else refused.add(message.id);
      }
    }
    return { counted, refused };
  }

  /** Takes back messages that were counted in the same transaction, and are not stored. */
  async giveBack(messages: readonly FrequencyClaim[]): Promise<void> {
    for (const [OwnerId, own] of Map.groupBy(messages, (message) => message.OwnerId))
      await this.store.remove(OwnerId, own);
  }

  /** Locks persons before the first of several claims of one transaction, which would lock them in another order than others do. */
  async lock(OwnerId: string, addresses: () => readonly string[], now: Date): Promise<void> {
    const cap = await this.caps.activeOf(OwnerId);
    if (cap?.singles) await this.store.lock(OwnerId, addresses(), now);
  }

  /** Those of the addresses that get no message at a time. Nothing is counted. */
  async reached(
    OwnerId: string,
    kind: Kind,
    addresses: readonly string[],
    at: Date,
  ): Promise<ReadonlySet<string>> {
    const cap = await this.caps.activeOf(OwnerId);
    if (!cap || !addresses.length) return new Set();
    if (!countsForCap(cap, { ...kind, group: CAPPED_GROUP })) return new Set();
    return this.store.reached(OwnerId, addresses, windowOf(cap, at));
  }

  @Sweeps(HOUR_MS)
  async deleteOld(): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - (MAX_CAP_DAYS + 1) * DAY_MS);
    return (await this.store.deleteOld(before, CLEANUP_BATCH_SIZE)) === CLEANUP_BATCH_SIZE;
  }

  private async grant(
    OwnerId: string,
    messages: readonly CappedMessage[],
    window: Window,
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const granted = await this.store.add(OwnerId, messages, window, now);
    const rest = messages.filter(({ id }) => !granted.has(id));
    // What has failed since does not count. It is looked up only for persons who would be refused.
    const freed = await this.store.removeFailed(OwnerId, rest, window);
    if (!freed.size) return granted;
    const again = rest.filter(({ address }) => freed.has(address));
    return new Set([...granted, ...(await this.store.add(OwnerId, again, window, now))]);
  }
}

const windowOf = (cap: FrequencyCap, at: Date): Window => ({
  messages: cap.messages,
  from: uuidFloor(capStart(cap, at)),
});
