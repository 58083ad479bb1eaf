import type { Settings } from '@heliograph/contract';

export const STEPS = ['sendername', 'contacts', 'send', 'topUp'] as const;
export type Step = (typeof STEPS)[number];

export interface Need {
  key: string;
  kind: 'queue' | 'rejected' | 'paused' | 'held' | 'lowBalance';
  name: string;
  count?: number;
  to: string | null;
}

interface Facts {
  /** Sender names of others that wait for the person's decision. */
  waiting: number;
  rejected: { id: string; name: string }[];
  paused: { id: string; title: string; reason: string | null }[];
  /** What can be spent, and for how many days it lasts; null when not known or nothing is spent. */
  available: number | null;
  daysLeft: number | null;
}

/** With less than this ahead somebody has to do something about it. */
export const FEW_DAYS = 3;

/** What does not go on without the person, the most pressing first. */
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
        to: `/messages/tasks?id=${id}`,
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

/** What the account has of its own; undefined while it is not known. */
interface Had {
  names?: { name: string }[];
  lists?: number;
  sent?: number;
}

/** Which of the first steps are done. The name and the credit that an account begins with are no steps of its person. */
export function stepsDone(
  { names, lists, sent }: Had,
  { session, sendings }: Pick<Settings, 'session' | 'sendings'>,
): Record<Step, boolean | undefined> {
  return {
    sendername: names?.some(({ name }) => name !== sendings.grantedSender),
    contacts: lists === undefined ? undefined : lists > 0,
    send: sent === undefined ? undefined : sent > 0,
    topUp: !session.isTest,
  };
}
