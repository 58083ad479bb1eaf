import type { Settings } from '@heliograph/contract';
import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseDecimal } from '../../core/decimal-text.ts';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { MoneyInput } from '../../ui/money-input.tsx';
import { rememberReturn } from '../../core/return-to.ts';

interface WalletFormProps {
  wallet: NonNullable<Settings['payments']['wallet']>;
  /** The sum that is offered. */
  amount: number | undefined;
  /** Where the payer comes from. */
  returnTo: string | undefined;
}

/** A form of the browser to the wallet provider. The sum and the button are shown once the payer has acknowledged that an e-mail must be sent. */
export function WalletForm({ wallet, amount: missing, returnTo }: WalletFormProps) {
  const { t } = useTranslation();
  const { session, payments } = useSettings();
  const formats = useFormats();
  const [isAcknowledged, setAcknowledged] = useState(false);
  const [amount, setAmount] = useState(
    String(
      missing === undefined ? payments.defaults.individual : Math.max(payments.minAmount, missing),
    ),
  );
  const amountRule = useAmountRule();
  const sum = parseDecimal(amount, 2) ?? 0;
  const error = amountRule(amount, { min: payments.minAmount, max: payments.maxAmount });
  const isReady = sum > 0 && !error;
  const hidden = {
    receiver: wallet.receiver,
    'quickpay-form': 'shop',
    paymentType: 'AC',
    sum: sum.toFixed(2),
    successURL: `${location.origin}/balance/payments?paid=success`,
    comment: t('payments:walletComment', { username: session.username }),
    label: session.OwnerId,
    'need-email': 'true',
    'need-phone': 'false',
  };
  return (
    <form method="post" action={wallet.url} onSubmit={() => rememberReturn(returnTo)}>
      <Stack>
        <Checkbox
          checked={isAcknowledged}
          onChange={(event) => setAcknowledged(event.currentTarget.checked)}
          label={t('payments:walletAcknowledge')}
        />
        {isAcknowledged && (
          <>
            <MoneyInput
              label={t('payments:amount')}
              required
              value={amount}
              onChange={setAmount}
              error={error}
            />
            <Text size="sm">
              {t('payments:walletCommission', { percent: formats.number(wallet.commission) })}
            </Text>
            <Button type="submit" disabled={!isReady} style={{ alignSelf: 'flex-end' }}>
              {t('payments:pay')}
            </Button>
          </>
        )}
      </Stack>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </form>
  );
}
