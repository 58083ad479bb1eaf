import type { User } from '@heliograph/contract';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useBalance } from '../../core/account.ts';
import { errorText } from '../../core/errors.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { Facts } from '../../ui/facts.tsx';
import { useKeepOpen } from '../../ui/dialog.tsx';
import {
  balanceAfter,
  counterBalance,
  EMPTY,
  hasUnits,
  toBilling,
  type BalanceValues,
} from './balance-values.ts';
import { useChangeBalance } from './users.api.ts';

interface BalanceFormProps {
  user: User;
  onClose: () => void;
}

/** Money by hand onto an account or off it, with what the balance is and will be. */
export function BalanceForm({ user, onClose }: BalanceFormProps) {
  const { t } = useTranslation();
  const formats = useFormats(user.currency);
  const { sendings, session } = useSettings();
  // A reseller moves money between its own balance and the customer's.
  const isTransfer = session.level === 'reseller';
  const own = useBalance().data?.balance;
  const { mutate, isPending, error } = useChangeBalance();
  useKeepOpen(isPending);
  const [values, setValues] = useState(EMPTY);
  const [wrong, setWrong] = useState<'sum' | 'multiplier' | null>(null);
  const put = (patch: Partial<BalanceValues>) => {
    setValues((now) => ({ ...now, ...patch }));
    setWrong(null);
  };
  const before = user.balance ?? 0;
  const after = balanceAfter(before, values);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = toBilling(values, user.OwnerId);
    if ('wrong' in body) {
      setWrong(body.wrong);
      event.currentTarget.querySelector<HTMLElement>(`[name=${body.wrong}]`)?.focus();
      return;
    }
    const onSuccess = () => {
      showSuccess(t('users:balanceChanged', { username: user.username }));
      onClose();
    };
    mutate(body, { onSuccess });
  };

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {!!error && (
          <Alert color="red" role="alert">
            {errorText(t, error)}
          </Alert>
        )}
        <SegmentedControl
          fullWidth
          aria-label={t('users:direction')}
          value={values.direction}
          onChange={(direction) => put({ direction: direction as BalanceValues['direction'] })}
          data={[
            { value: 'accrual', label: t('users:accrual') },
            { value: 'subtract', label: t('users:subtract') },
          ]}
        />
        {isTransfer && (
          <Text size="sm" aria-live="polite">
            {t(values.direction === 'accrual' ? 'users:fromYours' : 'users:toYours')}
          </Text>
        )}
        {values.direction === 'subtract' && (
          <NativeSelect
            label={t('users:source')}
            value={values.source}
            onChange={(event) => put({ source: event.currentTarget.value })}
            data={[
              { value: 'subtract', label: t('users:byHand') },
              ...sendings.types.map((type) => ({
                value: `sendings.${type}`,
                label: t(`common:type.${type}`),
              })),
            ]}
          />
        )}
        <TextInput
          name="sum"
          label={t('users:sum')}
          required
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          value={values.sum}
          onChange={(event) => put({ sum: event.currentTarget.value })}
          error={wrong === 'sum' && t('users:sumRule')}
        />
        {hasUnits(values) && (
          <TextInput
            name="multiplier"
            label={t('users:units')}
            description={t('users:unitsHint')}
            inputMode="numeric"
            autoComplete="off"
            value={values.multiplier}
            onChange={(event) => put({ multiplier: event.currentTarget.value })}
            error={wrong === 'multiplier' && t('users:unitsRule')}
          />
        )}
        <Textarea
          label={t('users:comment')}
          description={t('users:commentHint')}
          autosize
          minRows={2}
          maxLength={500}
          value={values.comment}
          onChange={(event) => put({ comment: event.currentTarget.value })}
        />
        <Checkbox
          label={t('users:noRef')}
          checked={values.noRef}
          onChange={(event) => put({ noRef: event.currentTarget.checked })}
        />
        <div aria-live="polite">
          <Facts
            facts={[
              { label: t('users:before'), value: formats.money(before) },
              {
                label: t('users:after'),
                value: after === null ? '—' : <strong>{formats.money(after)}</strong>,
              },
              ...(isTransfer && own !== undefined
                ? [{ label: t('users:yours'), value: formats.money(counterBalance(own, values)) }]
                : []),
            ]}
          />
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t(values.direction === 'accrual' ? 'users:doAccrual' : 'users:doSubtract')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
