import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import { rememberReturn, returnPath } from '../../core/return-to.ts';
import { WalletForm } from './wallet-form.tsx';

test('the sum and the button are shown once the payer has acknowledged', async () => {
  const wallet = { url: 'https://wallet.example/', receiver: '4100', commission: 3 };
  const { user } = await draw(
    <WalletForm wallet={wallet} amount={undefined} returnTo={undefined} />,
    {
      namespaces: ['payments'],
      settings: {
        payments: {
          defaults: { individual: 3000, legal: 1000 },
          minAmount: 10,
          maxAmount: 300_000,
          wallet,
        },
      },
    },
  );
  const pay = () => screen.queryByRole('button', { name: i18n.t('payments:pay') });
  expect(pay()).toBeNull();
  await user.click(screen.getByRole('checkbox'));
  expect(pay()).toHaveProperty('disabled', false);
  screen.getByLabelText(new RegExp(`^${i18n.t('payments:amount')}`));
  await user.click(screen.getByRole('checkbox'));
  expect(pay()).toBeNull();
});

test('proposes what is missing, and leads back to where the payer comes from and to nowhere else', async () => {
  const wallet = { url: 'https://wallet.example/', receiver: '4100', commission: 3 };
  const { user } = await draw(<WalletForm wallet={wallet} amount={349} returnTo="/send" />, {
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
  rememberReturn('/elsewhere');
  await user.click(screen.getByRole('checkbox'));
  const amount = screen.getByLabelText(new RegExp(`^${i18n.t('payments:amount')}`));
  expect((amount as HTMLInputElement).value.replaceAll(/\D/g, '')).toMatch(/^349(?:00)?$/);
  document.querySelector('form')!.addEventListener('submit', (event) => event.preventDefault());
  await user.click(screen.getByRole('button', { name: i18n.t('payments:pay') }));
  expect(returnPath()).toBe('/send');
  rememberReturn(undefined);
});
