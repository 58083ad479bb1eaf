import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ErrorCard } from '../../ui/error-card.tsx';
import { SendingDetails } from './sending-details.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { sendingQuery } from './sendings.api.ts';

/** One message in full, `?id=`: a link to it opens the list with the drawer over it. */
export function SendingDrawer() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const id = params.get('id');
  // While it slides away it still shows what it showed.
  const last = useRef(id);
  if (id) last.current = id;
  const { data, error, refetch } = useQuery({ ...sendingQuery(last.current ?? ''), enabled: !!id });
  const close = () =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      next.delete('id');
      return next;
    });
  return (
    <Drawer
      opened={!!id}
      onClose={close}
      position="right"
      size="lg"
      title={t('sendings:detail.title')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {data ? (
        <SendingDetails sending={data} />
      ) : error ? (
        <ErrorCard
          title={t('sendings:detail.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <DetailsSkeleton />
      )}
    </Drawer>
  );
}
