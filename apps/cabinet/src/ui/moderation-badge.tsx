import type { Moderation } from '@heliograph/contract';
import { IconCheck, IconClock, IconX } from './icons.ts';
import { StatusBadge } from './status-badge.tsx';

const APPEARANCE = {
  pending: { color: 'gray', icon: IconClock },
  approved: { color: 'green', icon: IconCheck },
  rejected: { color: 'red', icon: IconX },
};

/** Where something stands in its moderation; `label` says it in the words of its noun. */
export function ModerationBadge({ state, label }: { state: Moderation; label: string }) {
  return <StatusBadge appearance={APPEARANCE[state]} label={label} />;
}
