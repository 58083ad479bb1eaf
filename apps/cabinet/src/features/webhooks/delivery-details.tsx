import type { WebhookDeliveryDetails } from '@heliograph/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { focusOnMount } from '../../core/focus.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { CodePane } from '../../ui/code-pane.tsx';
import { DetailBody } from '../../ui/detail.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconRefresh } from '../../ui/icons.ts';
import { DeliveryBadge } from './webhook-badges.tsx';
import { deliveryQuery, useReplay } from './webhooks.api.ts';

interface DeliveryDetailsProps {
  id: string;
  deliveryId: string;
  mayUpdate: boolean;
  onBack: () => void;
}

/** One delivery: what is sent, what was answered, and when. */
export function DeliveryDetails({ id, deliveryId, mayUpdate, onBack }: DeliveryDetailsProps) {
  const { t } = useTranslation();
  const detail = useQuery(deliveryQuery(id, deliveryId));
  const replay = useReplay(id);
  const repeat = () =>
    replay.mutate(
      { ids: [deliveryId] },
      { onSuccess: ({ count }) => showSuccess(t('webhooks:replayed', { count })) },
    );
  return (
    <Stack>
      <Group>
        <Button variant="default" onClick={onBack} ref={focusOnMount}>
          {t('webhooks:back')}
        </Button>
        {mayUpdate && detail.data && !detail.data.isTest && detail.data.state !== 'waiting' && (
          <Button
            leftSection={<IconRefresh size={18} aria-hidden />}
            loading={replay.isPending}
            onClick={repeat}
          >
            {t('webhooks:replay')}
          </Button>
        )}
      </Group>
      <DetailBody detail={detail} failed={t('webhooks:detailFailed')}>
        {(row) => <Details row={row} />}
      </DetailBody>
    </Stack>
  );
}

function Details({ row }: { row: WebhookDeliveryDetails }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { request, attempts, response, nextAt } = row;
  const lines = [
    `${request.method} ${request.url}`,
    `webhook-id: ${row.callId}`,
    ...request.headers.map(({ name, value }) => `${name}: ${value ?? '••••••••'}`),
    ...(request.body === null ? [] : ['', request.body]),
  ];
  return (
    <>
      <Facts
        facts={[
          { label: t('webhooks:deliveryState'), value: <DeliveryBadge state={row.state} /> },
          { label: t('webhooks:created'), value: formats.dateTime(row.createdAt) },
          { label: t('webhooks:key'), value: row.key },
          { label: t('webhooks:nextLabel'), value: nextAt && formats.dateTime(nextAt) },
        ]}
      />
      <Text fw={500}>{t('webhooks:attempts')}</Text>
      {!attempts.length && <Text c="dimmed">{t('webhooks:noAttempts')}</Text>}
      <Stack gap={4} component="ol" m={0} pl="lg">
        {attempts.map(({ at, status, error, ms }) => (
          <li key={at}>
            {[
              formats.dateTime(at),
              status !== null && `HTTP ${status}`,
              error ? t(`webhooks:error.${error}`) : t('webhooks:delivery.delivered'),
              t('webhooks:ms', { ms: formats.number(ms) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </li>
        ))}
      </Stack>
      <CodePane
        label={t('webhooks:request')}
        hint={t('webhooks:requestHint')}
        code={lines.join('\n')}
        maxHeight={320}
      />
      {response !== null && (
        <CodePane
          label={t('webhooks:response')}
          hint={t('webhooks:responseHint')}
          code={response}
          maxHeight={220}
        />
      )}
    </>
  );
}
