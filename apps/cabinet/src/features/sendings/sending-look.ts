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
import type { BadgeLook } from '../../ui/status-badge.tsx';

/** How the states of a sending look wherever they are shown. */
export const SENDING_LOOK: Record<Status, BadgeLook> = {
  pending: { color: 'gray', icon: IconCircle },
  processing: { color: 'blue', icon: IconProgress },
  paused: { color: 'yellow', icon: IconPause },
  sent: { color: 'green', icon: IconCheck },
  delivered: { color: 'green', icon: IconChecks },
  seen: { color: 'green', icon: IconEye },
  failed: { color: 'red', icon: IconX },
};

/** How what became of a recipient looks, where no status of the attempt says it. */
export const OUTCOME_LOOK: Record<Outcome, BadgeLook> = {
  pending: SENDING_LOOK.processing,
  delivered: SENDING_LOOK.delivered,
  failed: SENDING_LOOK.failed,
  cancelled: { color: 'gray', icon: IconBan },
};
