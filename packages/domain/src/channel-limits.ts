import {
  afterUse,
  allowance,
  hasDayFor,
  leftOfDay,
  refillMs,
  segmentsAtOnce,
  untilTomorrow,
  waitForMore,
  waitForRate,
  type ChannelLimits,
  type ChannelUse,
} from './channel-rate.ts';
import { mccmncTest } from './pricing-conditions.ts';

/** Of one channel. */
export const MAX_MESSAGE_LIMITS = 50;

/** A limit of some messages of a channel: those that meet all of its conditions. Null: any. */
export interface MessageLimit extends Omit<ChannelLimits, 'warmUp'> {
  sender: string | null;
  /** ISO 3166-1, alpha-2. */
  country: string | null;
  /** As in tariffs: `25001` is a network, `401*` all of a country. */
  mccmnc: string | null;
}

/** What a limit asks of a message; the country and the network are null where they are not known. */
export interface LimitedMessage {
  sender: string;
  country: string | null;
  mccmnc: string | null;
}

/** Names a limit within its channel: what is used of it stays when its numbers change. No country or network has a `|`. */
export const limitKey = ({
  sender,
  country,
  mccmnc,
}: Pick<MessageLimit, 'sender' | 'country' | 'mccmnc'>): string =>
  [senderOf(sender ?? ''), country ?? '', mccmnc ?? ''].join('|');

/** The limits, by their index, against which a message counts: all whose conditions it meets, as each is the carrier's own. */
export function limitsOfMessage(
  limits: readonly MessageLimit[],
): (message: LimitedMessage) => number[] {
  const tests = limits.map(({ sender, country, mccmnc }) => {
    const name = sender === null ? null : senderOf(sender);
    const isNetwork = mccmnc === null ? () => true : mccmncTest([mccmnc]);
    return (message: LimitedMessage) =>
      (name === null || name === senderOf(message.sender)) &&
      (country === null || country === message.country) &&
      isNetwork(message);
  });
  return (message) => tests.flatMap((matches, i) => (matches(message) ? [i] : []));
}

/** Carriers compare names without regard to case; a number is written with or without its plus. */
const senderOf = (sender: string): string =>
  sender
    .trim()
    .toLowerCase()
    .replace(/^\+(?=\d)/, '');

/**
 * What may go in one call of messages that each count against some limits, in the order in which they are asked for. What waits for a
 * limit holds up what comes later for the same limit, and nothing else.
 */
export class LimitedCall {
  private readonly limits: readonly ChannelLimits[];
  private readonly now: Date;
  private readonly uses: ChannelUse[];
  /** Segments of each limit that are kept for what waits for another one. */
  private readonly kept: number[];
  /** Limits that something waits for, and milliseconds until they allow it; Infinity for what is kept for something else that waits. */
  private readonly waits = new Map<number, number>();

  constructor(limits: readonly ChannelLimits[], uses: readonly ChannelUse[], now: Date) {
    this.limits = limits;
    this.now = now;
    this.uses = [...uses];
    this.kept = limits.map(() => 0);
  }

  /**
   * Segments that may go now of so many; 0: they wait. A single message (`isWhole`) goes with all of its segments as soon as as many are free
   * as may go at once, and what exceeds them is worked off; of several messages as many go as may at once, or as the day has left.
   */
  take(of: readonly number[], segments: number, isWhole: boolean): number {
    if (of.some((i) => this.waits.has(i))) return 0;
    const atOnce = Math.min(segments, ...of.map((i) => segmentsAtOnce(this.limits[i]!)));
    const day = Math.min(...of.map((i) => leftOfDay(this.limits[i]!, this.uses[i]!, this.now)));
    const wanted = isWhole ? atOnce : Math.max(1, Math.min(atOnce, day));
    const ofDay = isWhole ? segments : wanted;
    const short = of.filter((i) => this.available(i) < wanted || !this.hasDay(i, ofDay));
    if (!short.length) return ofDay;
    this.wait(of, short, wanted, ofDay);
    return 0;
  }

  /** Segments that have been taken. */
  use(of: readonly number[], segments: number): void {
    for (const i of of) this.uses[i] = afterUse(this.limits[i]!, this.uses[i]!, segments, this.now);
  }

  /** What is used of a limit now. */
  used(i: number): ChannelUse {
    return this.uses[i]!;
  }

  /** Limits of which nothing goes in this call any more. */
  closed(): number[] {
    return this.limits.flatMap((_, i) => (this.waits.has(i) || this.available(i) < 1 ? [i] : []));
  }

  /** Milliseconds until more may go of a limit that is closed. */
  waitMs(): number {
    // One of which all is kept comes with another that is waited for.
    const waits = this.limits.flatMap(
      (limit, i) =>
        this.waits.get(i) ??
        (allowance(limit, this.uses[i]!, this.now) < 1
          ? waitForMore(limit, this.uses[i]!, this.now)
          : []),
    );
    return Math.min(...waits);
  }

  private available(i: number): number {
    return allowance(this.limits[i]!, this.uses[i]!, this.now) - this.kept[i]!;
  }

  private hasDay(i: number, segments: number): boolean {
    return hasDayFor(this.limits[i]!, this.uses[i]!, segments, this.now);
  }

  /**
   * What has too little is kept for what waits. Of its other limits as much is kept only while the wait is shorter than they need to get as much
   * again: else two limits that others use up in turn would never allow it, and a slow one would hold up the messages of a fast one. Nothing
   * is kept of a limit without a rate.
   */
  private wait(of: readonly number[], short: number[], wanted: number, ofDay: number): void {
    const waitOf = (i: number) => {
      if (!this.hasDay(i, ofDay)) return untilTomorrow(this.now);
      const [limit, use] = [this.limits[i]!, this.uses[i]!];
      // What is kept is free when it has gone to what waits for another limit.
      const isKept = allowance(limit, use, this.now) >= wanted;
      return isKept ? 0 : waitForRate(limit, use, wanted, this.now);
    };
    const wait = Math.max(...short.map(waitOf)) || Infinity;
    for (const i of of)
      if (short.includes(i)) this.waits.set(i, wait);
      else if (wait < refillMs(this.limits[i]!, wanted)) this.kept[i]! += wanted;
  }
}
