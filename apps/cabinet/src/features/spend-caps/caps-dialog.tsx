import type { SpendCap } from '@heliograph/contract';
import { NativeSelect, Stack, Text, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { CapsForm } from './caps-form.tsx';
import { capsQuery, cappedTokensQuery } from './spend-caps.api.ts';

const ACCOUNT = '';

/** The caps of an account and of its API tokens, one at a time, with what is spent. */
export function CapsDialog({ OwnerId, onClose }: { OwnerId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const [target, setTarget] = useState(ACCOUNT);
  const { data, error, refetch } = useQuery(capsQuery(OwnerId));
  const { data: tokens } = useQuery({
    ...cappedTokensQuery(OwnerId),
    enabled: can('tokens.get'),
  });
  const TokenId = target || null;
  const caps = data?.data.filter((cap) => cap.TokenId === TokenId);
  return (
    <Dialog opened onClose={onClose} title={t('spendCaps:title')}>
      <Stack>
        <Text size="sm">{t('spendCaps:text')}</Text>
        {!!tokens?.data.length && (
          <NativeSelect
            label={t('spendCaps:target')}
            value={target}
            onChange={(event) => setTarget(event.currentTarget.value)}
            data={[
              { value: ACCOUNT, label: t('spendCaps:account') },
              ...tokens.data.map(({ id, description, prefix }) => ({
                value: id,
                label: `${description} (${prefix})`,
              })),
            ]}
          />
        )}
        {!caps && error && (
          <ErrorCard title={t('spendCaps:title')} error={error} onRetry={() => void refetch()} />
        )}
        {caps?.map((cap) => (
          <CapUsage key={cap.id} cap={cap} />
        ))}
        {caps && (
          <CapsForm
            key={target}
            OwnerId={OwnerId}
            TokenId={TokenId}
            caps={caps}
            onClose={onClose}
          />
        )}
      </Stack>
    </Dialog>
  );
}

/** How much of a cap is spent, and when it resets. */
function CapUsage({ cap }: { cap: SpendCap }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { limit, spent, period } = cap;
  const share = limit > 0 ? Math.min(1, Math.max(0, spent / limit)) : 1;
  const label = t(`spendCaps:spent.${period}`, {
    spent: formats.money(spent),
    limit: formats.money(limit),
  });
  return (
    <Stack gap={4}>
      <Text size="sm">{label}</Text>
      <Progress
        value={share * 100}
        color={share >= 1 ? 'red' : share >= 0.8 ? 'orange' : undefined}
        aria-label={label}
      />
      <Text size="xs" c="dimmed">
        {t('spendCaps:resets', { time: formats.dateTime(cap.resetsAt) })}
      </Text>
    </Stack>
  );
}
