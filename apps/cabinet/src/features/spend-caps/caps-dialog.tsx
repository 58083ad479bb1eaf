import { type SpendCap, MAX_MONEY, SpendCapInput } from '@heliograph/contract';
import { NativeSelect, Stack, Text, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseDecimal } from '../../core/decimal-text.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { useTimeZone } from '../../core/time-zone.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { capsQuery, cappedTokensQuery, useSetCaps } from './spend-caps.api.ts';

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

const SCALE = 2;
const limitOf = (text: string) => (text.trim() ? parseDecimal(text, SCALE) : null);

interface CapsFormProps {
  OwnerId: string;
  TokenId: string | null;
  caps: SpendCap[];
  onClose: () => void;
}

/** A limit for a day and one for a month; an empty field is no limit. */
function CapsForm({ OwnerId, TokenId, caps, onClose }: CapsFormProps) {
  const { t } = useTranslation();
  const amountRule = useAmountRule();
  const { mutateAsync } = useSetCaps();
  const timeZone = useTimeZone();
  const textOf = (period: SpendCap['period']) =>
    String(caps.find((cap) => cap.period === period)?.limit ?? '');
  const form = useContractForm({
    initial: { day: textOf('day'), month: textOf('month') },
    schema: SpendCapInput,
    isEdit: true,
    toBody: ({ day, month }) => ({
      OwnerId,
      TokenId,
      day: limitOf(day),
      month: limitOf(month),
      timeZone,
    }),
    check: ({ day, month }) => ({
      day: amountRule(day, { min: 0, max: MAX_MONEY }),
      month: amountRule(month, { min: 0, max: MAX_MONEY }),
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('spendCaps:saved'));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      label={t('spendCaps:title')}
      submit={t('spendCaps:save')}
      onCancel={onClose}
    >
      <MoneyInput
        {...form.field('day')}
        value={form.values.day}
        label={t('spendCaps:day')}
        data-autofocus
      />
      <MoneyInput {...form.field('month')} value={form.values.month} label={t('spendCaps:month')} />
      <Text size="xs" c="dimmed">
        {t('spendCaps:hint', { zone: timeZone })}
      </Text>
    </ContractForm>
  );
}
