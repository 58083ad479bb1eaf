import type { Status } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { SENDING_LOOK } from './sending-look.ts';

export function SendingBadge({ status }: { status: Status }) {
  const { t } = useTranslation();
  return <StatusBadge look={SENDING_LOOK[status]} label={t(`common:status.${status}`)} />;
}
