import type { RecurrentStatus } from '@heliograph/domain';
import { useTranslation } from 'react-i18next';
import { IconBan, IconChecks, IconClock, IconPause, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const APPEARANCE: Record<RecurrentStatus, BadgeAppearance> = {
  init: { color: 'yellow', icon: IconClock },
  ready: { color: 'green', icon: IconChecks },
  pause: { color: 'gray', icon: IconPause },
  error: { color: 'red', icon: IconX },
  block: { color: 'red', icon: IconBan },
};

export function RecurrentBadge({ status }: { status: RecurrentStatus }) {
  const { t } = useTranslation();
  return (
    <StatusBadge appearance={APPEARANCE[status]} label={t(`recurrentPayments:status.${status}`)} />
  );
}
