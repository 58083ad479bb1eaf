import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import { WalletForm } from './wallet-form.tsx';

test('the sum and the button are shown once the payer has acknowledged', async () => {
  const wallet = { url: 'https://wallet.example/', receiver: '4100', commission: 3 };
  const { user } = await draw(<WalletForm wallet={wallet} />, {
    namespaces: ['payments'],
    settings: {
      payments: {
        defaults: { individual: 3000, legal: 1000 },
        minAmount: 10,
        maxAmount: 300_000,
        wallet,
      },
    },
  });
  const pay = () => screen.queryByRole('button', { name: i18n.t('payments:pay') });
  expect(pay()).toBeNull();
  await user.click(screen.getByRole('checkbox'));
  expect(pay()).toHaveProperty('disabled', false);
  screen.getByLabelText(new RegExp(`^${i18n.t('payments:amount')}`));
  await user.click(screen.getByRole('checkbox'));
  expect(pay()).toBeNull();
});
