import type { TaskState } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconChecks, IconClock, IconPause, IconProgress, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const APPEARANCE: Record<TaskState, BadgeAppearance> = {
  scheduled: { color: 'gray', icon: IconClock },
  running: { color: 'blue', icon: IconProgress },
  paused: { color: 'yellow', icon: IconPause },
  stopped: { color: 'gray', icon: IconBan },
  completed: { color: 'green', icon: IconChecks },
  failed: { color: 'red', icon: IconX },
};

export function TaskBadge({ state }: { state: TaskState }) {
  const { t } = useTranslation();
  return <StatusBadge appearance={APPEARANCE[state]} label={t(`tasks:state.${state}`)} />;
}
