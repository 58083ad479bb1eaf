import type { Status } from '@heliograph/contract';
import {
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
