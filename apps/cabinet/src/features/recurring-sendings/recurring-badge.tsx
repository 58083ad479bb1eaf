import { useTranslation } from 'react-i18next';
import { IconBan, IconChecks, IconPause, IconRepeat, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';
import type { RecurringState } from './recurring-text.ts';

const APPEARANCE: Record<RecurringState, BadgeAppearance> = {
  running: { color: 'green', icon: IconRepeat },
  paused: { color: 'gray', icon: IconPause },
  ended: { color: 'gray', icon: IconChecks },
  failed: { color: 'red', icon: IconX },
  forbidden: { color: 'red', icon: IconBan },
};

export function RecurringBadge({ state }: { state: RecurringState }) {
  const { t } = useTranslation();
  return (
    <StatusBadge appearance={APPEARANCE[state]} label={t(`recurringSendings:state.${state}`)} />
  );
}
