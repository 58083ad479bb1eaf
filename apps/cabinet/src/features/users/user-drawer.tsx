import { useTranslation } from 'react-i18next';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { UserDetails } from './user-details.tsx';
import { userQuery } from './users.api.ts';

/** One person in full, `?id=`. */
export function UserDrawer() {
  const { t } = useTranslation();
  const detail = useDetail(userQuery);
  return (
    <Sheet {...detail.frame} size="lg" title={detail.data?.username ?? t('users:detail')}>
      <DetailBody detail={detail} failed={t('users:detailFailed')}>
        {(user) => <UserDetails user={user} />}
      </DetailBody>
    </Sheet>
  );
}
