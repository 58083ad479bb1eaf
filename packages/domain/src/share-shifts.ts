import type { RouteChannel } from './routes.ts';

/** All shares of a route add up to it: shares are parts of a thousand. */
export const SHARE_TOTAL = 1000;
/** What a channel that does worse than the others loses at a time, and gets back at a time. */
const LOSS = 100;
const GAIN = 50;
/** What it keeps, unless its resting share is smaller: without messages it could not show that it is well again. */
const FLOOR = 50;
/** Fewer receipts say nothing. */
const MIN_RECEIPTS = 50;
/** Of what the other channels would have delivered: below, a channel loses share; from there, it gets it back. */
const POOR = 0.9;
const WELL = 0.95;
/** Standard deviations by which it must be below: chance moves nothing. */
const DEVIATIONS = 3;
/** A channel with fewer receipts than this share of its accepted messages is silent. */
const SILENT = 0.5;
/** After so long without having been found poor a channel gets its share back, though nothing shows that it is well. */
const FORGIVEN_MS = 3_600_000;

/** Final receipts of a channel from one network, in the time that is judged. */
export interface ReceiptsOfNetwork {
  /** Null of numbers of no known network. */
  mccmnc: string | null;
  delivered: number;
  failed: number;
  /** How many of them all came later than the route allows. */
  late: number;
}

/** A channel of a route with what is known of it. */
export interface JudgedChannel extends RouteChannel {
  /** Its share until now. */
  share: number;
  /** When it was last found poor. */
  poorAt: Date | null;
  /** It is active and not down. One that is not is neither judged nor given anything. */
  isWorking: boolean;
  /** It has ever reported; one that never does is not missed. */
  hasReports: boolean;
  /** Messages that were accepted so long ago that most should have been reported, and final receipts since. */
  accepted: number;
  reported: number;
  networks: readonly ReceiptsOfNetwork[];
}

/** Why a channel lost share: fewer deliveries, later receipts, or hardly any receipts, than the other channels of the route. */
export const SHARE_LOSSES = ['delivery', 'late', 'silent'] as const;
/** `others`: another channel lost share. `back`: on the way to the weights of the route. */
export const SHARE_REASONS = [...SHARE_LOSSES, 'others', 'back'] as const;
export type ShareReason = (typeof SHARE_REASONS)[number];

/** What a loss was decided by, as shares from 0 to 1: of the channel, and of the others for the same networks; and of how many messages. */
export interface ShareFigures {
  own: number;
  others: number;
  count: number;
}

export interface ShareChange {
  ChannelId: string;
  before: number;
  after: number;
  reason: ShareReason;
  /** Of a loss. */
  figures: ShareFigures | null;
}

/**
 * The shares that follow from weights: whole parts of a thousand that add up to it, at least one for each channel with a weight. Empty if no channel has one.
 *
 *     restingShares([{ ChannelId: 'a', weight: 3 }, { ChannelId: 'b', weight: 1 }]); // a: 750, b: 250
 */
export function restingShares(channels: readonly RouteChannel[]): Map<string, number> {
  const weighted = channels.filter(({ weight }) => weight > 0);
  if (!weighted.length) return new Map();
  const extra = divide(
    SHARE_TOTAL - weighted.length,
    weighted.map(({ weight }) => weight),
  );
  const shares = new Map(weighted.map(({ ChannelId }, i) => [ChannelId, 1 + extra[i]!]));
  return new Map(channels.map(({ ChannelId }) => [ChannelId, shares.get(ChannelId) ?? 0]));
}

/**
 * How the shares of a weighted route change by the receipts of the last minutes. A channel that does worse than the others, for the same networks,
 * loses some to those that do not; once none does, all go back towards the weights of the route, a step at a time. Shares add up to the same as before. Returns
 * only what changes, and which channels are poor now, whether or not they had anything left to lose.
 */
export function shiftShares(
  channels: readonly JudgedChannel[],
  now: Date,
): { changes: ShareChange[]; poor: string[] } {
  const judged = channels.filter(({ weight, isWorking }) => weight > 0 && isWorking);
  const findings = new Map(
    judged.map((channel) => [
      channel,
      judge(
        channel,
        judged.filter((other) => other !== channel),
      ),
    ]),
  );
  const poor = judged.filter((channel) => findings.get(channel)!.loss);
  const takers = judged.filter(
    (channel) => !poor.includes(channel) && receiptsOf(channel) >= MIN_RECEIPTS,
  );
  const names = poor.map(({ ChannelId }) => ChannelId);
  const resting = restingShares(channels);
  if (!poor.length) return { changes: goBack(channels, findings, resting, now), poor: names };
  if (!takers.length) return { changes: [], poor: names };
  const after = new Map(channels.map((channel) => [channel, channel.share]));
  let lost = 0;
  for (const channel of poor) {
    const floor = Math.min(FLOOR, resting.get(channel.ChannelId)!);
    const points = Math.max(0, Math.min(LOSS, channel.share - floor));
    after.set(channel, channel.share - points);
    lost += points;
  }
  const gains = divide(
    lost,
    takers.map(({ ChannelId }) => resting.get(ChannelId)!),
  );
  for (const [i, channel] of takers.entries()) after.set(channel, channel.share + gains[i]!);
  const changes = channels.map((channel) => {
    const loss = findings.get(channel)?.loss;
    return changeOf(channel, after.get(channel)!, loss?.reason ?? 'others', loss?.figures ?? null);
  });
  return { changes: changes.filter(isChange), poor: names };
}

interface Finding {
  loss: { reason: ShareReason; figures: ShareFigures } | null;
  isWell: boolean;
}

/** A channel against the others of its route. */
function judge(channel: JudgedChannel, others: readonly JudgedChannel[]): Finding {
  const { accepted, reported } = channel;
  if (channel.hasReports && accepted >= MIN_RECEIPTS && reported < accepted * SILENT) {
    const figures = { own: reported / accepted, others: 1, count: accepted };
    return { loss: { reason: 'silent', figures }, isWell: false };
  }
  const delivery = compare(channel, others, ({ delivered }) => delivered);
  const inTime = compare(
    channel,
    others,
    ({ delivered, failed, late }) => delivered + failed - late,
  );
  const isPoor = (c: Comparison | null) => c !== null && c.ratio < POOR && c.isBeyondChance;
  const loss = isPoor(delivery)
    ? { reason: 'delivery' as const, figures: delivery!.figures }
    : isPoor(inTime)
      ? { reason: 'late' as const, figures: inTime!.figures }
      : null;
  const isWell = [delivery, inTime].every((c) => c !== null && c.ratio >= WELL);
  return { loss, isWell };
}

interface Comparison {
  figures: ShareFigures;
  /** Of what the others would have achieved with the same messages. */
  ratio: number;
  isBeyondChance: boolean;
}

/** How many receipts are good, against the others from the same networks; null if there are too few of either. */
function compare(
  { networks }: JudgedChannel,
  others: readonly JudgedChannel[],
  good: (receipts: ReceiptsOfNetwork) => number,
): Comparison | null {
  let count = 0;
  let countOfOthers = 0;
  let achieved = 0;
  let expected = 0;
  let variance = 0;
  for (const own of networks) {
    const same = others.flatMap((other) => other.networks.filter((n) => n.mccmnc === own.mccmnc));
    const n = own.delivered + own.failed;
    const m = same.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0);
    if (!n || !m) continue;
    const rate = same.reduce((sum, receipts) => sum + good(receipts), 0) / m;
    count += n;
    countOfOthers += m;
    achieved += good(own);
    expected += n * rate;
    // Of the difference: both are counts.
    variance += n * rate * (1 - rate) * (1 + n / m);
  }
  if (count < MIN_RECEIPTS || countOfOthers < MIN_RECEIPTS || expected === 0) return null;
  return {
    figures: { own: achieved / count, others: expected / count, count },
    ratio: achieved / expected,
    isBeyondChance: expected - achieved > DEVIATIONS * Math.sqrt(variance),
  };
}

/** One step towards the weights. */
function goBack(
  channels: readonly JudgedChannel[],
  findings: ReadonlyMap<JudgedChannel, Finding>,
  resting: ReadonlyMap<string, number>,
  now: Date,
): ShareChange[] {
  const missing = channels.map((channel) => {
    const lack = resting.get(channel.ChannelId)! - channel.share;
    const finding = findings.get(channel);
    const isForgiven =
      channel.poorAt === null || now.getTime() - channel.poorAt.getTime() >= FORGIVEN_MS;
    return lack > 0 && finding && (finding.isWell || isForgiven) ? Math.min(GAIN, lack) : 0;
  });
  const excess = channels.map(({ ChannelId, share }) =>
    Math.max(0, share - resting.get(ChannelId)!),
  );
  const given = divide(
    missing.reduce((sum, n) => sum + n, 0),
    excess,
  );
  return channels
    .map((channel, i) => changeOf(channel, channel.share + missing[i]! - given[i]!, 'back', null))
    .filter(isChange);
}

const changeOf = (
  { ChannelId, share }: JudgedChannel,
  after: number,
  reason: ShareReason,
  figures: ShareFigures | null,
): ShareChange => ({ ChannelId, before: share, after, reason, figures });

const isChange = ({ before, after }: ShareChange) => before !== after;

const receiptsOf = ({ networks }: JudgedChannel): number =>
  networks.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0);

/** A whole number in whole parts in proportion, the largest remainders rounded up. No part is larger than its proportion rounded up. */
function divide(total: number, proportions: readonly number[]): number[] {
  const sum = proportions.reduce((a, b) => a + b, 0);
  if (!sum) return proportions.map(() => 0);
  const exact = proportions.map((part) => (total * part) / sum);
  const whole = exact.map(Math.floor);
  const left = total - whole.reduce((a, b) => a + b, 0);
  const first = exact
    .map((value, i) => ({ i, rest: value - whole[i]! }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i)
    .slice(0, left);
  for (const { i } of first) whole[i]!++;
  return whole;
}
