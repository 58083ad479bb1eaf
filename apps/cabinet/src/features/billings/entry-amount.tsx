import type { Billing } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { Charge } from '../../ui/charge.tsx';

/** A negative amount in the colour of errors; what was refunded is struck through and grey. */
export function EntryAmount({ entry }: { entry: Billing }) {
  const { amount, status, Owner } = entry;
  const isTaken = amount < 0 && status !== 'refunded';
  return (
    <Text span inherit c={isTaken ? 'var(--mantine-color-error)' : undefined}>
      <Charge
        amount={amount}
        of={entry.package}
        currency={Owner?.currency}
        isRefunded={status === 'refunded'}
      />
    </Text>
  );
}
