import type { Billing } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Money } from '../../ui/money.tsx';

/** A negative amount in the colour of errors; what was refunded is struck through and grey. */
export function EntryAmount({ entry }: { entry: Billing }) {
  const { t } = useTranslation();
  const { amount, status, Owner } = entry;
  const isTaken = amount < 0 && status !== 'refunded';
  return (
    <Text span inherit c={isTaken ? 'var(--mantine-color-error)' : undefined}>
      <Money
        value={amount}
        currency={Owner?.currency}
        refunded={status === 'refunded' && t('common:refunded')}
      />
    </Text>
  );
}
