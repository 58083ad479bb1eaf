import type { Token } from '@heliograph/contract';
import { daysUntil, TOKEN_EXPIRY_NOTICE_DAYS } from '@heliograph/domain';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { IconAlertTriangle, IconX } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const EXPIRED = { color: 'red', icon: IconX };
const EXPIRING = { color: 'orange', icon: IconAlertTriangle };

/** How many days a token has left, with a warning in the last week; the date in the tooltip. */
export function TokenExpiry({ expiredAt }: Pick<Token, 'expiredAt'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (!expiredAt) return t('tokens:never');
  const days = daysUntil(new Date(expiredAt), new Date());
  if (!days) return <StatusBadge appearance={EXPIRED} label={t('tokens:expired')} />;
  const left = t('tokens:daysLeft', { count: days });
  return (
    <span title={formats.dateTime(expiredAt)}>
      {days <= TOKEN_EXPIRY_NOTICE_DAYS ? <StatusBadge appearance={EXPIRING} label={left} /> : left}
    </span>
  );
}
