import type { WebhookDelivery } from '@heliograph/contract';
import { Badge, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { DeliveryBadge } from './webhook-badges.tsx';

interface DeliveryRowsProps {
  rows: WebhookDelivery[];
  onOpen: (id: string) => void;
}

/** Deliveries as buttons that open their details. */
export function DeliveryRows({ rows, onOpen }: DeliveryRowsProps) {
  return (
    <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {rows.map((row) => (
        <li key={row.id}>
          <DeliveryRow row={row} onOpen={() => onOpen(row.id)} />
        </li>
      ))}
    </Stack>
  );
}

function DeliveryRow({ row, onOpen }: { row: WebhookDelivery; onOpen: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { state, status, error, ms, tries, nextAt, createdAt, isTest } = row;
  return (
    <UnstyledButton
      w="100%"
      py="xs"
      px="xs"
      onClick={onOpen}
      style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <DeliveryBadge state={state} />
          {isTest && <Badge variant="default">{t('webhooks:isTest')}</Badge>}
          <Text size="sm">{formats.dateTime(createdAt)}</Text>
        </Group>
        <Text size="sm" c="dimmed">
          {[
            status !== null && `HTTP ${status}`,
            error && t(`webhooks:error.${error}`),
            ms !== null && t('webhooks:ms', { ms: formats.number(ms) }),
            tries > 1 && t('webhooks:tries', { count: tries }),
            nextAt && tries > 0 && t('webhooks:next', { time: formats.dateTime(nextAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Group>
    </UnstyledButton>
  );
}
