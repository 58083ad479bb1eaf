import type { Billing } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconCheck, IconClock, IconRotate, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const APPEARANCE: Record<Billing['status'], BadgeAppearance> = {
  pending: { color: 'blue', icon: IconClock },
  invalid: { color: 'red', icon: IconX },
  complete: { color: 'green', icon: IconCheck },
  refunded: { color: 'green', icon: IconRotate },
};

export function BillingBadge({ status }: { status: Billing['status'] }) {
  const { t } = useTranslation();
  return <StatusBadge appearance={APPEARANCE[status]} label={t(`billings:status.${status}`)} />;
}
