import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useParam } from '../../core/use-param.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { UserDetails } from './user-details.tsx';
import { userQuery } from './users.api.ts';

/** One person in full, `?id=`. */
export function UserDrawer() {
  const { t } = useTranslation();
  const [id, setId] = useParam('id');
  const last = useRef(id);
  if (id) last.current = id;
  const { data, error, refetch } = useQuery({ ...userQuery(last.current ?? ''), enabled: !!id });
  return (
    <Drawer
      opened={!!id}
      onClose={() => setId(null)}
      position="right"
      size="lg"
      title={data ? data.username : t('users:detail')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {data ? (
        <UserDetails user={data} />
      ) : error ? (
        <ErrorCard title={t('users:detailFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DetailsSkeleton />
      )}
    </Drawer>
  );
}
