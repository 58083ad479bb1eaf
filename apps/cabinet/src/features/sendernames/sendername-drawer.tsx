import { Divider, Drawer, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { ModerationForm } from './moderation-form.tsx';
import { decisionsFor } from './moderation.ts';
import { SendernameDetails } from './sendername-details.tsx';
import { sendernameQuery } from './sendernames.api.ts';

/** One sender name in full, `?id=`, and the decision for those who may take it. */
export function SendernameDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  const { data: me } = useQuery(meQuery);
  const [id, setId] = useParam('id');
  const last = useRef(id);
  if (id) last.current = id;
  const { data, error, refetch } = useQuery({
    ...sendernameQuery(last.current ?? ''),
    enabled: !!id,
  });
  const close = () => setId(null);
  const decisions = data && can('sendernames.moderate', 'resellerUp') ? decisionsFor(data, me) : [];
  return (
    <Drawer
      opened={!!id}
      onClose={close}
      position="right"
      size="lg"
      title={data ? data.name : t('sendernames:detail')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {data ? (
        <Stack>
          <SendernameDetails row={data} />
          {decisions.length > 0 && (
            <section aria-labelledby="decision-title">
              <Divider mb="md" />
              <Title order={2} size="h5" mb="sm" id="decision-title">
                {t('sendernames:decision')}
              </Title>
              <ModerationForm row={data} decisions={decisions} onDone={close} />
            </section>
          )}
        </Stack>
      ) : error ? (
        <ErrorCard
          title={t('sendernames:detailFailed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <DetailsSkeleton />
      )}
    </Drawer>
  );
}
