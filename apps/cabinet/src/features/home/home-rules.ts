export const STEPS = ['sendername', 'contacts', 'send', 'topUp'] as const;
export type Step = (typeof STEPS)[number];

export interface Need {
  kind: 'rejected' | 'paused' | 'lowBalance';
  name: string;
  to: string | null;
}

interface Facts {
  rejected: { id: string; name: string }[];
  paused: { title: string; reason: string | null }[];
  /** What can be spent, and for how many days it lasts; null when not known or nothing is spent. */
  available: number | null;
  daysLeft: number | null;
}

/** With less than this ahead somebody has to do something about it. */
export const FEW_DAYS = 3;

/** What does not go on without the person, the most pressing first. */
export function needsOf({ rejected, paused, available, daysLeft }: Facts): Need[] {
  const isLow =
    available !== null && (available <= 0 || (daysLeft !== null && daysLeft <= FEW_DAYS));
  return [
    ...paused
      .filter(({ reason }) => reason === 'insufficient_funds')
      .map(({ title }) => ({
        kind: 'paused' as const,
        name: title,
        to: `/messages/tasks?f.state=paused&q=${encodeURIComponent(title)}`,
      })),
    ...(isLow ? [{ kind: 'lowBalance' as const, name: '', to: null }] : []),
    ...rejected.map(({ id, name }) => ({
      kind: 'rejected' as const,
      name,
      to: `/settings/sendernames?id=${id}`,
    })),
  ];
}

/** The share of what was sent that arrived; null while nothing was. */
export function deliveredShare(
  day: { total: number; delivered: number } | undefined,
): number | null {
  return day && day.total > 0 ? day.delivered / day.total : null;
}
