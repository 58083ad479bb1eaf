import type { WapiInstance } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconChecks, IconClock, IconPause, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const STATES: Record<WapiInstance['state'], BadgeAppearance> = {
  undefined: { color: 'gray', icon: IconClock },
  notAuthorized: { color: 'yellow', icon: IconClock },
  authorized: { color: 'green', icon: IconChecks },
  sleep: { color: 'orange', icon: IconPause },
  deleted: { color: 'gray', icon: IconX },
};

/** The state of an instance; that it is not paid or not active comes before its link. */
export function WapiBadge({ row }: { row: WapiInstance }) {
  const { t } = useTranslation();
  if (row.state !== 'deleted' && !row.isActive)
    return <StatusBadge appearance={{ color: 'red', icon: IconBan }} label={t('wapi:inactive')} />;
  if (row.state !== 'deleted' && !row.isPaid)
    return <StatusBadge appearance={{ color: 'red', icon: IconX }} label={t('wapi:unpaid')} />;
  return <StatusBadge appearance={STATES[row.state]} label={t(`wapi:state.${row.state}`)} />;
}
