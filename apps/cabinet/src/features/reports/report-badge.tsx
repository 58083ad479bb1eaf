import type { ReportState } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconChecks, IconClock, IconProgress, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const APPEARANCE: Record<ReportState, BadgeAppearance> = {
  pending: { color: 'gray', icon: IconClock },
  running: { color: 'blue', icon: IconProgress },
  completed: { color: 'green', icon: IconChecks },
  failed: { color: 'red', icon: IconX },
  cancelled: { color: 'gray', icon: IconBan },
};

export function ReportBadge({ state }: { state: ReportState }) {
  const { t } = useTranslation();
  return <StatusBadge appearance={APPEARANCE[state]} label={t(`reports:state.${state}`)} />;
}
