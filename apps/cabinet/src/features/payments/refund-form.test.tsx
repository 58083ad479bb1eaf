import type { PaymentDetails } from '@heliograph/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { RefundForm } from './refund-form.tsx';

const row = {
  id: 'payment',
  amount: 1500,
  refunded: 250.5,
  currency: 'EUR',
  Owner: { username: 'tea-house' },
} as PaymentDetails;

test.each([
  ['1249.51', 'amount.max', { max: '€1,249.50' }],
  ['0', 'amount.min', { min: '€0.01' }],
])('a refund of %s names the limit in the currency of the payment', async (typed, key, values) => {
  const bodies = accept('post', '/payments/payment/refund');
  const { user } = await draw(<RefundForm row={row} />, { namespaces: ['payments'] });
  const field = screen.getByLabelText(i18n.t('payments:refundAmount'));
  await user.clear(field);
  await user.type(field, typed);
  await user.click(screen.getByRole('button', { name: i18n.t('payments:refund') }));
  expect(await screen.findByText(i18n.t(key, values))).toBeTruthy();
  expect(bodies).toEqual([]);
});

test('a refund is asked about, with its amount and its account, before the money leaves', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bodies = accept('post', '/payments/payment/refund', {}, promise);
  const { user } = await draw(<RefundForm row={row} />, { namespaces: ['payments'] });
  const refund = { name: i18n.t('payments:refund') };
  const ask = async () => {
    await user.click(screen.getByRole('button', refund));
    const name = i18n.t('payments:refundQuestion', { amount: '€1,249.50', name: 'tea-house' });
    return screen.findByRole('dialog', { name });
  };
  const cancelled = await ask();
  await user.click(within(cancelled).getByRole('button', { name: i18n.t('cancel') }));
  expect(bodies).toEqual([]);
  const asked = await ask();
  await user.dblClick(within(asked).getByRole('button', refund));
  resolve();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ amount: 1249.5, refunded: 250.5 }]);
});
