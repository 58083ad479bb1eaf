import type { Token } from '@heliograph/contract';
import { TOKEN_EXPIRY_NOTICE_DAYS } from '@heliograph/domain';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { dayOf, daysBetween, today } from '../../ui/dates.ts';
import { IconAlertTriangle, IconX } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const EXPIRED = { color: 'red', icon: IconX };
const EXPIRING = { color: 'orange', icon: IconAlertTriangle };

/** How many days a token has left, with a warning in the last week; the date in the tooltip. */
export function TokenExpiry({ expiredAt }: Pick<Token, 'expiredAt'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (!expiredAt) return t('tokens:never');
  const time = new Date(expiredAt);
  if (time <= new Date()) return <StatusBadge appearance={EXPIRED} label={t('tokens:expired')} />;
  // As the field of the form counts them.
  const days = daysBetween(today(), dayOf(time));
  const left = days ? t('tokens:daysLeft', { count: days }) : t('tokens:expiresToday');
  return (
    <span title={formats.dateTime(expiredAt)}>
      {days <= TOKEN_EXPIRY_NOTICE_DAYS ? <StatusBadge appearance={EXPIRING} label={left} /> : left}
    </span>
  );
}
