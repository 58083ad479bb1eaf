import type { Settings, Summary } from '@heliograph/contract';

export const STEPS = ['phone', 'sendername', 'contacts', 'send', 'topUp'] as const;
export type Step = (typeof STEPS)[number];

export interface Need {
  key: string;
  kind: 'queue' | 'rejected' | 'paused' | 'held' | 'lowBalance';
  name: string;
  count?: number;
  to: string | null;
}

/** The messages of a day, without those that were cancelled before they were sent. */
export const messagesOf = ({ total, cancelled }: Summary['days'][number]): number =>
  total - cancelled;

interface Facts {
  /** Pending sender names of other accounts. */
  waiting: number;
  rejected: { id: string; name: string }[];
  paused: { id: string; title: string; reason: string | null }[];
  /** Available money, and for how many days it lasts; null when unknown or nothing is spent. */
  available: number | null;
  daysLeft: number | null;
}

/** A warning is shown when the money lasts for fewer days. */
export const FEW_DAYS = 3;

/** Items that need an action of the user, the most urgent first. */
export function needsOf({ waiting, rejected, paused, available, daysLeft }: Facts): Need[] {
  const isLow =
    available !== null && (available <= 0 || (daysLeft !== null && daysLeft <= FEW_DAYS));
  const queue = { key: 'queue', kind: 'queue' as const, name: '', count: waiting };
  return [
    ...(waiting > 0 ? [{ ...queue, to: '/settings/sendernames/queue' }] : []),
    ...paused
      .filter(({ reason }) => reason !== null)
      .map(({ id, title, reason }) => ({
        key: id,
        kind: reason === 'insufficient_funds' ? ('paused' as const) : ('held' as const),
        name: title,
        to: `/messages/tasks/${id}`,
      })),
    ...(isLow ? [{ key: 'balance', kind: 'lowBalance' as const, name: '', to: null }] : []),
    ...rejected.map(({ id, name }) => ({
      key: id,
      kind: 'rejected' as const,
      name,
      to: `/settings/sendernames?id=${id}`,
    })),
  ];
}

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
