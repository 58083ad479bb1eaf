import { Injectable } from '@nestjs/common';
import { secondsOfCall } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { ChargesService } from '../billings/charges.service.ts';
import { CallCostsStore, type BilledCall, type NotedCall } from './call-costs.store.ts';

export type { BilledCall } from './call-costs.store.ts';

/** What calls cost whose carrier bills their length: noted with the submit by their text or recording, and corrected by the reports. */
@Injectable()
export class CallCostsService {
  constructor(
    private readonly store: CallCostsStore,
    private readonly charges: ChargesService,
    private readonly clock: Clock,
  ) {}

  /** In the transaction that records their submit. Those that were reported before it have the seconds of their report. */
  async submitted(calls: BilledCall[], at: Date): Promise<void> {
    if (!calls.length) return;
    const ids = calls.map(({ id }) => id);
    const reported = await this.store.lockReported(ids);
    const estimated = await this.charges.estimatedSeconds(ids);
    const noted = calls.map((call) => {
      const seconds = reported.has(call.id)
        ? (reported.get(call.id) ?? 0)
        : leastOne(estimated.get(call.id));
      return { ...call, units: secondsOfCall(seconds, call) };
    });
    await this.store.add(noted);
    await this.store.note(noted, at);
  }

  /**
   * The lengths of calls in reports; null of those that failed without one, which cost nothing. The first length of a call counts, also after a failure. In
   * the transaction of the reports, behind the locks of the messages.
   */
  async reported(lengths: ReadonlyMap<string, number | null>): Promise<void> {
    if (!lengths.size) return;
    const ids = [...lengths.keys()];
    await this.store.addReported(ids);
    const open = await this.store.open(ids);
    if (!open.length) return;
    const calls = open.map(({ id, first, interval, units: before }) => {
      const seconds = lengths.get(id)!;
      const units =
        first === null || interval === null ? 0 : secondsOfCall(seconds ?? 0, { first, interval });
      return { id, seconds, units, change: units - before };
    });
    await this.change(calls);
  }

  /** Calls that failed and were answered after all, nobody knows for how long: they cost what was noted with their submit. */
  async revived(ids: string[]): Promise<void> {
    if (!ids.length) return;
    const open = await this.store.open(ids);
    if (!open.length) return;
    const estimated = await this.charges.estimatedSeconds(ids);
    const calls = open.flatMap(({ id, first, interval, units: before }) => {
      if (first === null || interval === null) return [];
      const units = secondsOfCall(leastOne(estimated.get(id)), { first, interval });
      return { id, seconds: null, units, change: units - before };
    });
    const priced = new Set(calls.map(({ id }) => id));
    const unrecorded = open.flatMap(({ id }) => (priced.has(id) ? [] : id));
    if (unrecorded.length) await this.store.forget(unrecorded);
    if (calls.length) await this.change(calls);
  }

  private async change(calls: (NotedCall & { change: number })[]): Promise<void> {
    await this.store.set(calls);
    const changes = calls.flatMap(({ id, change }) => (change ? [{ id, units: change }] : []));
    if (changes.length) await this.store.note(changes, this.clock.now());
  }
}

/** Answered for a second at least: of a recording whose length is not known no seconds are. */
const leastOne = (seconds = 0) => Math.max(1, seconds);
