import type { PaymentStatus } from '@heliograph/domain';
import { useTranslation } from 'react-i18next';
import { IconChecks, IconClock, IconProgress, IconRotate, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const APPEARANCE: Record<PaymentStatus, BadgeAppearance> = {
  init: { color: 'gray', icon: IconClock },
  completed: { color: 'green', icon: IconChecks },
  refundRequested: { color: 'blue', icon: IconProgress },
  refunded: { color: 'green', icon: IconRotate },
  partialRefunded: { color: 'green', icon: IconRotate },
  error: { color: 'red', icon: IconX },
};

export function PaymentBadge({ status }: { status: PaymentStatus }) {
  const { t } = useTranslation('payments');
  return <StatusBadge appearance={APPEARANCE[status]} label={t(`payments:status.${status}`)} />;
}
