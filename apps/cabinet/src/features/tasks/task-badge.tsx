import type { TaskState } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconChecks, IconClock, IconPause, IconProgress, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeLook } from '../../ui/status-badge.tsx';

const LOOK: Record<TaskState, BadgeLook> = {
  scheduled: { color: 'gray', icon: IconClock },
  running: { color: 'blue', icon: IconProgress },
  paused: { color: 'yellow', icon: IconPause },
  stopped: { color: 'gray', icon: IconBan },
  completed: { color: 'green', icon: IconChecks },
  failed: { color: 'red', icon: IconX },
};

export function TaskBadge({ state }: { state: TaskState }) {
  const { t } = useTranslation();
  return <StatusBadge look={LOOK[state]} label={t(`tasks:state.${state}`)} />;
}
