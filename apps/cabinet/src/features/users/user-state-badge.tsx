import type { User } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconCheck, IconCircle } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** Closed or suspended, else whether the account is confirmed. */
export function UserStateBadge({
  user,
}: {
  user: Pick<User, 'isActive' | 'closedAt' | '$verified'>;
}) {
  const { t } = useTranslation();
  if (user.closedAt)
    return (
      <StatusBadge
        appearance={{ color: 'gray', icon: IconBan }}
        label={t('users:closing.closed')}
      />
    );
  if (!user.isActive)
    return (
      <StatusBadge appearance={{ color: 'red', icon: IconBan }} label={t('users:suspended')} />
    );
  return user.$verified ? (
    <StatusBadge appearance={{ color: 'green', icon: IconCheck }} label={t('users:isVerified')} />
  ) : (
    <StatusBadge
      appearance={{ color: 'gray', icon: IconCircle }}
      label={t('users:isNotVerified')}
    />
  );
}
