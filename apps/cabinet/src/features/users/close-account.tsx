import { CloseInput, type AccountClosing, type User } from '@heliograph/contract';
import { Alert, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Facts } from '../../ui/facts.tsx';
import { closingQuery, ENDS, useCloseAccount } from './users.api.ts';

interface CloseAccountProps {
  user: User;
  onClose: () => void;
}

/** Shows what an account has before it is closed, or what has come to its balance since. */
export function CloseAccount({ user, onClose }: CloseAccountProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(closingQuery(user.id));
  if (error && !data)
    return (
      <ErrorCard title={t('users:closing.failed')} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <DetailsSkeleton />;
  if (data.customers)
    return <Alert color="yellow">{t('users:closing.customers', { count: data.customers })}</Alert>;
  return <CloseForm user={user} closing={data} onClose={onClose} />;
}

function CloseForm({ user, closing, onClose }: CloseAccountProps & { closing: AccountClosing }) {
  const { t } = useTranslation();
  const { session } = useSettings();
  const { balance, currency, units, unpaidFees } = closing;
  const formats = useFormats(currency);
  const { mutateAsync } = useCloseAccount(user.id);
  const { username, closedAt, suspension } = user;
  const form = useContractForm({
    initial: { reason: closedAt ? (suspension?.reason ?? '') : '', note: '' },
    schema: CloseInput,
    names: { 'settlement.note': 'note' },
    toBody: ({ reason, note }): CloseInput => ({
      reason,
      settlement: { balance, ...(note.trim() && { note }) },
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t(closedAt ? 'users:closing.settled' : 'users:closing.done', { username }));
      onClose();
    },
  });
  const ended = ENDS.filter((name) => closing[name]);
  const submit = closedAt
    ? t('users:closing.settle', { amount: formats.money(balance) })
    : t('users:closing.close');
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={submit} onCancel={onClose} />}
    >
      <Text size="sm">{t(closedAt ? 'users:closing.settleText' : 'users:closing.text')}</Text>
      <Stack gap={4}>
        <Facts
          facts={[
            { label: t('users:balance'), value: formats.money(balance) },
            ...ended.map((name) => ({
              label: t(`users:closing.ends.${name}`),
              value:
                name === 'packages'
                  ? t('users:closing.units', {
                      packages: formats.number(closing.packages),
                      units: formats.number(units),
                    })
                  : formats.number(closing[name]),
            })),
            {
              label: t('users:closing.unpaidFees'),
              value: unpaidFees > 0 && formats.money(unpaidFees),
            },
          ]}
        />
        {closing.bulks > 0 && (
          <Text size="xs" c="dimmed">
            {t('users:closing.bulksHint')}
          </Text>
        )}
      </Stack>
      {!closedAt && (
        <Textarea
          {...form.text('reason')}
          label={t('users:suspension.reason')}
          description={t('users:suspension.reasonHint')}
          autosize
          minRows={2}
          maxRows={6}
          required
          data-autofocus
        />
      )}
      {balance !== 0 && (
        <>
          <Text size="sm">
            {t('users:closing.entry', { amount: formats.money(balance) })}
            {session.level === 'reseller' && ` ${t('users:closing.ofReseller')}`}
          </Text>
          <Textarea
            {...form.text('note')}
            label={t('users:closing.note')}
            description={t('users:closing.noteHint')}
            autosize
            maxRows={6}
            required
          />
        </>
      )}
    </ContractForm>
  );
}
