import { useTranslation } from 'react-i18next';
import { IconCheck, IconCircle } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

export function VerifiedBadge({ isVerified }: { isVerified: boolean }) {
  const { t } = useTranslation();
  return isVerified ? (
    <StatusBadge appearance={{ color: 'green', icon: IconCheck }} label={t('users:isVerified')} />
  ) : (
    <StatusBadge
      appearance={{ color: 'gray', icon: IconCircle }}
      label={t('users:isNotVerified')}
    />
  );
}
