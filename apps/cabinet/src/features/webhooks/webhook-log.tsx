import { DELIVERY_STATES, type DeliveryState } from '@heliograph/contract';
import { Button, Group, NativeSelect, Pagination, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isUuid } from '@heliograph/domain';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { pollEvery } from '../../core/query.ts';
import { useParam } from '../../core/use-param.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { IconRefresh, IconSend } from '../../ui/icons.ts';
import { DeliveryDetails } from './delivery-details.tsx';
import { DeliveryRows } from './delivery-rows.tsx';
import { StateNotice } from './webhook-dialog.tsx';
import {
  deliveriesQuery,
  DELIVERIES_PER_PAGE,
  useReplay,
  useTestWebhook,
  webhookQuery,
  type DeliveryFilter,
} from './webhooks.api.ts';

/** The deliveries of a webhook, `?log=`, newest first. */
export function WebhookLog() {
  const { t } = useTranslation();
  const [id, setId] = useParam('log');
  const shown = useLast(id);
  const { data } = useQuery({
    ...webhookQuery(shown ?? ''),
    enabled: !!id,
    refetchInterval: pollEvery(3000),
  });
  return (
    <Sheet
      opened={!!id}
      onClose={() => setId(null)}
      size={800}
      title={data ? t('webhooks:logTitle', { title: data.title }) : t('webhooks:log')}
    >
      {shown && data && (
        <Stack key={shown}>
          <StateNotice row={data} />
          <Log id={shown} />
        </Stack>
      )}
    </Sheet>
  );
}

const EMPTY: DeliveryFilter = { state: null, key: '', page: 1 };

function Log({ id }: { id: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const [filter, setFilter] = useState(EMPTY);
  const [typed, setTyped] = useState('');
  const [openId, setOpenId] = useState<string | null>(null);
  const left = useRef<string | null>(null);
  const back = () => {
    left.current = openId;
    setOpenId(null);
  };
  const { data, error, refetch } = useQuery(deliveriesQuery(id, filter));
  const mayUpdate = can('webhooks.update');
  const search = (text: string) => {
    setTyped(text);
    const key = text.trim();
    if (!key || isUuid(key)) setFilter({ ...filter, key, page: 1 });
  };
  if (openId)
    return <DeliveryDetails id={id} deliveryId={openId} mayUpdate={mayUpdate} onBack={back} />;
  return (
    <Stack>
      {mayUpdate && <LogActions id={id} onTested={setOpenId} />}
      <Group align="flex-end">
        <NativeSelect
          label={t('webhooks:deliveryState')}
          value={filter.state ?? ''}
          onChange={(event) =>
            setFilter({
              ...filter,
              state: (event.currentTarget.value || null) as DeliveryState | null,
              page: 1,
            })
          }
          data={[
            { value: '', label: t('webhooks:anyState') },
            ...DELIVERY_STATES.map((state) => ({
              value: state,
              label: t(`webhooks:delivery.${state}`),
            })),
          ]}
        />
        <TextInput
          label={t('webhooks:key')}
          description={t('webhooks:keyHint')}
          value={typed}
          onChange={(event) => search(event.currentTarget.value)}
          error={typed.trim() && !isUuid(typed.trim()) ? t('errors:rule.format') : undefined}
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
          style={{ flexGrow: 1 }}
        />
      </Group>
      {!data && error && (
        <ErrorCard title={t('webhooks:logFailed')} error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <DetailsSkeleton />}
      {data && !data.data.length && (
        <Text c="dimmed" py="lg" ta="center">
          {t('webhooks:logEmpty')}
        </Text>
      )}
      {data && <DeliveryRows rows={data.data} left={left} onOpen={setOpenId} />}
      {data && data.total > DELIVERIES_PER_PAGE && (
        <Pagination
          value={filter.page}
          onChange={(page) => setFilter({ ...filter, page })}
          total={Math.ceil(data.total / DELIVERIES_PER_PAGE)}
          getControlProps={(control) => ({ 'aria-label': t(`webhooks:pager.${control}`) })}
        />
      )}
    </Stack>
  );
}

interface LogActionsProps {
  id: string;
  onTested: (deliveryId: string) => void;
}

const DAY_MS = 86_400_000;
const LOG_DAYS = 30;

function LogActions({ id, onTested }: LogActionsProps) {
  const { t } = useTranslation();
  const test = useTestWebhook();
  const replay = useReplay(id);
  const replayFailed = () =>
    replay.mutate(
      { from: new Date(Date.now() - LOG_DAYS * DAY_MS).toISOString(), state: 'failed' },
      { onSuccess: ({ count }) => showSuccess(t('webhooks:replayed', { count })) },
    );
  return (
    <Group>
      <Button
        leftSection={<IconSend size={18} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate(id, { onSuccess: (result) => onTested(result.id) })}
      >
        {t('webhooks:test')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconRefresh size={18} aria-hidden />}
        loading={replay.isPending}
        onClick={replayFailed}
      >
        {t('webhooks:replayFailed')}
      </Button>
    </Group>
  );
}
