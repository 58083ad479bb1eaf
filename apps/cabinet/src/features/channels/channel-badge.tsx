import type { ChannelState } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconAlertTriangle, IconCheck, IconCircle, IconPause } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const APPEARANCE: Record<ChannelState['status'], BadgeAppearance> = {
  working: { color: 'green', icon: IconCheck },
  failing: { color: 'red', icon: IconAlertTriangle },
  idle: { color: 'blue', icon: IconCircle },
  off: { color: 'gray', icon: IconPause },
};

export function ChannelBadge({ status }: Pick<ChannelState, 'status'>) {
  const { t } = useTranslation();
  return <StatusBadge appearance={APPEARANCE[status]} label={t(`channels:status.${status}`)} />;
}
