import type { ChannelState } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconAlertTriangle, IconCheck, IconCircle, IconPause } from '../../ui/icons.ts';
import { StatusBadge, type BadgeLook } from '../../ui/status-badge.tsx';

const LOOK: Record<ChannelState['status'], BadgeLook> = {
  working: { color: 'green', icon: IconCheck },
  failing: { color: 'red', icon: IconAlertTriangle },
  idle: { color: 'blue', icon: IconCircle },
  off: { color: 'gray', icon: IconPause },
};

export function ChannelBadge({ status }: Pick<ChannelState, 'status'>) {
  const { t } = useTranslation();
  return <StatusBadge look={LOOK[status]} label={t(`channels:status.${status}`)} />;
}
