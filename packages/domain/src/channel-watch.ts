/** Upper bounds of the times from submit to the final receipt, in seconds; later ones are in one more bucket. */
export const RECEIPT_SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600] as const;

/** The bucket of a time in milliseconds: `receiptBucket(1500)` is 1. */
export function receiptBucket(ms: number): number {
  const i = RECEIPT_SECONDS.findIndex((bound) => ms <= bound * 1000);
  return i < 0 ? RECEIPT_SECONDS.length : i;
}

/** The time that a share `q` of receipts took at most, in seconds, within a bucket in proportion; null without receipts. */
export function receiptQuantile(counts: readonly number[], q: number): number | null {
  const total = counts.reduce((sum, n) => sum + n, 0);
  if (!total) return null;
  let below = 0;
  for (const [i, n] of counts.entries()) {
    if (n && below + n >= q * total) {
      const from = i ? RECEIPT_SECONDS[i - 1]! : 0;
      const to = RECEIPT_SECONDS[i] ?? RECEIPT_SECONDS.at(-1)!;
      return from + (to - from) * ((q * total - below) / n);
    }
    below += n;
  }
  return RECEIPT_SECONDS.at(-1)!;
}

/** What a channel has delivered to a network, in the last hour and in the day up to now. */
export interface NetworkShare {
  mccmnc: string | null;
  hour: { delivered: number; failed: number };
  day: { delivered: number; failed: number };
}

/** What is known of an active channel. */
export interface ChannelFigures {
  /** Since when it takes nothing, and why. */
  downSince: Date | null;
  error: string | null;
  /** Messages that the carrier had accepted half an hour ago at the latest, within the last hour and a half. */
  acceptedBefore: number;
  /** Receipts of the last half hour; whether there was ever one. */
  receipts: number;
  hadReceipts: boolean;
  networks: NetworkShare[];
  /** Whether all of its rate is used while messages wait. */
  isFull: boolean;
  waiting: number;
  /** Messages that wait for used limits of their senders and destinations. */
  limited: number;
}

export const CHANNEL_ALARMS = ['down', 'silent', 'delivery', 'full', 'limited'] as const;
export type ChannelAlarmKind = (typeof CHANNEL_ALARMS)[number];

export interface ChannelAlarm {
  kind: ChannelAlarmKind;
  /** Of `delivery`; null of a number of no known network, and of other kinds. */
  mccmnc: string | null;
  /** Values of its text. */
  data: Record<string, string | number>;
}

/** How long something must last before it is told, in seconds. */
export const ALARM_AFTER: Record<ChannelAlarmKind, number> = {
  down: 60,
  silent: 0,
  delivery: 0,
  full: 600,
  limited: 600,
};

const MIN_SILENT = 20;
const MIN_HOUR = 50;
const MIN_DAY = 200;
/** A share that falls below so much of the usual one is told; it is over when it is above the other. */
const FALLEN = 0.75;
const RECOVERED = 0.9;

/** What is wrong with a channel. `open` are the alarms that it has, which end later than they begin, so that none flickers. */
export function channelAlarms(
  figures: ChannelFigures,
  open: readonly Pick<ChannelAlarm, 'kind' | 'mccmnc'>[],
): ChannelAlarm[] {
  const alarms: ChannelAlarm[] = [];
  const { downSince, error, acceptedBefore, receipts, hadReceipts, isFull, waiting, limited } =
    figures;
  if (downSince)
    alarms.push({ kind: 'down', mccmnc: null, data: { downError: error ?? 'ChannelDown' } });
  if (hadReceipts && !receipts && acceptedBefore >= MIN_SILENT)
    alarms.push({ kind: 'silent', mccmnc: null, data: { silent: acceptedBefore } });
  for (const network of figures.networks) {
    const { mccmnc } = network;
    const isOpen = open.some((one) => one.kind === 'delivery' && one.mccmnc === mccmnc);
    const fallen = fallenShare(network, isOpen);
    if (fallen) alarms.push({ kind: 'delivery', mccmnc, data: fallen });
  }
  if (isFull) alarms.push({ kind: 'full', mccmnc: null, data: { waiting } });
  if (limited) alarms.push({ kind: 'limited', mccmnc: null, data: { limited } });
  return alarms;
}

function fallenShare(
  { hour, day }: NetworkShare,
  isOpen: boolean,
): { share: number; usual: number } | null {
  const before = { delivered: day.delivered - hour.delivered, failed: day.failed - hour.failed };
  const [ofHour, ofDay] = [hour.delivered + hour.failed, before.delivered + before.failed];
  if (ofHour < MIN_HOUR || ofDay < MIN_DAY) return null;
  const [share, usual] = [hour.delivered / ofHour, before.delivered / ofDay];
  if (share >= usual * (isOpen ? RECOVERED : FALLEN)) return null;
  return { share: Math.round(share * 100), usual: Math.round(usual * 100) };
}
