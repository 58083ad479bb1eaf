import type { AnalyticsFigures, AnalyticsRow, Settings, Summary } from '@heliograph/contract';
import { deliveryRate } from '@heliograph/domain';

export const STEPS = ['phone', 'sendername', 'contacts', 'send', 'topUp'] as const;
export type Step = (typeof STEPS)[number];

export interface Need {
  key: string;
  kind: 'phone' | 'queue' | 'waiting' | 'rejected' | 'paused' | 'held' | 'lowBalance' | 'webhook';
  name: string;
  count?: number;
  to: string | null;
}

/** The messages of a day, without those that were cancelled before they were sent. */
export const messagesOf = ({ total, cancelled }: Summary['days'][number]): number =>
  total - cancelled;

interface Facts {
  /** The holder's phone is not confirmed, so nothing but tests can be sent. */
  isPhoneMissing: boolean;
  /** Webhooks that are paused because their calls fail. */
  failing: { id: string; title: string }[];
  /** Conversations that wait for an answer. */
  conversations: number;
  /** Pending sender names of other accounts. */
  waiting: number;
  rejected: { id: string; name: string }[];
  paused: { id: string; title: string; reason: string | null }[];
  /** Available money, and for how many days it lasts; null when unknown or nothing is spent. */
  available: number | null;
  daysLeft: number | null;
  /** The user may top up. */
  mayPay: boolean;
}

/** A warning is shown when the money lasts for fewer days. */
export const FEW_DAYS = 3;

/** Items that need an action of the user, the most urgent first. */
export function needsOf(facts: Facts): Need[] {
  const { waiting, rejected, paused, available, daysLeft, failing, conversations } = facts;
  const toPay = facts.mayPay ? '/balance/payments?topUp=true' : null;
  const isLow =
    available !== null && (available <= 0 || (daysLeft !== null && daysLeft <= FEW_DAYS));
  const queue = { key: 'queue', kind: 'queue' as const, name: '', count: waiting };
  const answers = { key: 'waiting', kind: 'waiting' as const, name: '', count: conversations };
  return [
    ...(facts.isPhoneMissing
      ? [{ key: 'phone', kind: 'phone' as const, name: '', to: '?identity=phone' }]
      : []),
    ...(waiting > 0 ? [{ ...queue, to: '/settings/sendernames/queue' }] : []),
    ...paused
      .filter(({ reason }) => reason !== null)
      .map(({ id, title, reason }) => ({
        key: id,
        kind: reason === 'insufficient_funds' ? ('paused' as const) : ('held' as const),
        name: title,
        to: `/messages/tasks/${id}`,
      })),
    ...(isLow ? [{ key: 'balance', kind: 'lowBalance' as const, name: '', to: toPay }] : []),
    ...(conversations > 0 ? [{ ...answers, to: '/messages/conversations?f.state=waiting' }] : []),
    ...failing.map(({ id, title }) => ({
      key: id,
      kind: 'webhook' as const,
      name: title,
      to: `/settings/webhooks?id=${id}`,
    })),
    ...rejected.map(({ id, name }) => ({
      key: id,
      kind: 'rejected' as const,
      name,
      to: `/settings/sendernames?id=${id}`,
    })),
  ];
}

/** Results of which a share says something. */
const MANY_RESULTS = 30;
/** How much less than the others, as a share, counts. */
const NOTABLE = 0.03;

/**
 * The operator that takes most from the share delivered: without it more of the results would be deliveries. Null where none is
 * notably worse than the others.
 */
export function weakestOf(
  rows: Pick<AnalyticsRow, 'key' | 'title' | 'figures'>[],
): { key: string; title: string | null; share: number; others: number } | null {
  const sum = (name: 'delivered' | 'failed') =>
    rows.reduce((all, { figures }) => all + figures[name], 0);
  const total = { delivered: sum('delivered'), failed: sum('failed') };
  const judged = rows.flatMap(({ key, title, figures: { delivered, failed } }) => {
    const share = deliveryRate({ delivered, failed });
    const others = deliveryRate({
      delivered: total.delivered - delivered,
      failed: total.failed - failed,
    });
    if (!key || share === null || others === null || delivered + failed < MANY_RESULTS) return [];
    const lost = (others - share) * (delivered + failed);
    return others - share >= NOTABLE ? [{ key, title, share, others, lost }] : [];
  });
  const [worst] = judged.toSorted((a, b) => b.lost - a.lost);
  return worst
    ? { key: worst.key, title: worst.title, share: worst.share, others: worst.others }
    : null;
}

/** Whether notably less of an account's messages arrive than of all of them. */
export const isWeak = (own: AnalyticsFigures, total: AnalyticsFigures): boolean => {
  const [share, average] = [deliveryRate(own), deliveryRate(total)];
  return (
    own.delivered + own.failed >= MANY_RESULTS &&
    share !== null &&
    average !== null &&
    average - share >= 2 * NOTABLE
  );
};

/** Whether a balance lasts few days at the rate of some days. */
export const isLow = (balance: number | undefined, cost: number | null, days: number): boolean =>
  balance !== undefined && (balance <= 0 || (cost !== null && balance < (cost / days) * FEW_DAYS));

/** What the account owns; undefined while it is not loaded. */
interface Had {
  names?: { name: string }[];
  lists?: number;
  sent?: number;
}

/** The completed first steps. The initial sender name and credit of an account do not count. */
export function stepsDone(
  { names, lists, sent }: Had,
  { session, sendings }: Pick<Settings, 'session' | 'sendings'>,
): Record<Step, boolean | undefined> {
  return {
    phone: !session.isRestricted,
    sendername: names?.some(({ name }) => name !== sendings.grantedSender),
    contacts: lists === undefined ? undefined : lists > 0,
    send: sent === undefined ? undefined : sent > 0,
    topUp: !session.isTest,
  };
}
