import type { WebhookDelivery } from '@heliograph/contract';
import { Badge, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { RefCallback, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { DeliveryBadge } from './webhook-badges.tsx';

interface DeliveryRowsProps {
  rows: WebhookDelivery[];
  /** The delivery whose details were left: it gets the focus, once. */
  left: RefObject<string | null>;
  onOpen: (id: string) => void;
}

/** Deliveries as buttons that open their details. */
export function DeliveryRows({ rows, left, onOpen }: DeliveryRowsProps) {
  const focusLeft = (id: string) => (row: HTMLElement | null) => {
    if (!row || left.current !== id) return;
    left.current = null;
    row.focus();
  };
  return (
    <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {rows.map((row) => (
        <li key={row.id}>
          <DeliveryRow row={row} ref={focusLeft(row.id)} onOpen={() => onOpen(row.id)} />
        </li>
      ))}
    </Stack>
  );
}

interface DeliveryRowProps {
  row: WebhookDelivery;
  ref: RefCallback<HTMLElement>;
  onOpen: () => void;
}

function DeliveryRow({ row, ref, onOpen }: DeliveryRowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { state, status, error, ms, tries, nextAt, createdAt, isTest } = row;
  return (
    <UnstyledButton
      ref={ref}
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
