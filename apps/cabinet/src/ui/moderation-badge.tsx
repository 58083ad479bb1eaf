import type { Moderation } from '@heliograph/contract';
import { IconCheck, IconClock, IconX } from './icons.ts';
import { StatusBadge } from './status-badge.tsx';

const APPEARANCE = {
  pending: { color: 'gray', icon: IconClock },
  approved: { color: 'green', icon: IconCheck },
  rejected: { color: 'red', icon: IconX },
};

/** A moderation state; `label` is its text for the noun. */
export function ModerationBadge({ state, label }: { state: Moderation; label: string }) {
  return <StatusBadge appearance={APPEARANCE[state]} label={label} />;
}
