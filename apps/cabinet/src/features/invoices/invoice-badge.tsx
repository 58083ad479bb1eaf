import type { Invoice } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconCheck, IconClock, IconX } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const APPEARANCE = {
  pending: { color: 'gray', icon: IconClock },
  paid: { color: 'green', icon: IconCheck },
  rejected: { color: 'red', icon: IconX },
};

export function InvoiceBadge({ status }: { status: Invoice['status'] }) {
  const { t } = useTranslation();
  return <StatusBadge appearance={APPEARANCE[status]} label={t(`invoices:status.${status}`)} />;
}
