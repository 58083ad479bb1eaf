import type { Outcome, Status } from '@heliograph/contract';
import {
  IconBan,
  IconCheck,
  IconChecks,
  IconCircle,
  IconEye,
  IconPause,
  IconProgress,
  IconX,
} from '../../ui/icons.ts';
import type { BadgeAppearance } from '../../ui/status-badge.tsx';

/** Badges of a sending's statuses. */
export const SENDING_APPEARANCE: Record<Status, BadgeAppearance> = {
  pending: { color: 'gray', icon: IconCircle },
  processing: { color: 'blue', icon: IconProgress },
  paused: { color: 'yellow', icon: IconPause },
  sent: { color: 'green', icon: IconCheck },
  delivered: { color: 'green', icon: IconChecks },
  seen: { color: 'green', icon: IconEye },
  failed: { color: 'red', icon: IconX },
};

/** Badges of outcomes that no status of an attempt expresses. */
export const OUTCOME_APPEARANCE: Record<Outcome, BadgeAppearance> = {
  pending: SENDING_APPEARANCE.processing,
  delivered: SENDING_APPEARANCE.delivered,
  failed: SENDING_APPEARANCE.failed,
  cancelled: { color: 'gray', icon: IconBan },
};
