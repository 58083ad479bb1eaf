import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { PaymentDialog } from './payment-dialog.tsx';

const payment = (status: string) => ({
  id: 'payment',
  method: 'sandbox',
  amount: 500,
  currency: 'RUB',
  commission: 0,
  refunded: status === 'completed' ? 0 : 500,
  status,
  reason: null,
  meta: {},
  refunds: [],
  createdAt: '2026-11-25T10:00:00.000Z',
  completedAt: null,
});

test.each([
  ['refunded', 'S'],
  ['completed', 'SPAN'],
])('the amount of a payment that is %s stands in %s', async (status, element) => {
  server.use(http.get('*/api/payments/payment', () => HttpResponse.json(payment(status))));
  const { router } = await draw(<PaymentDialog />, {
    namespaces: ['payments'],
    settings: { permissions: {} },
  });
  await router.navigate('/here?id=payment');
  const [amount] = await screen.findAllByText('₽500.00');
  expect(amount!.tagName).toBe(element);
});

test('a payment of another account says whose it is', async () => {
  const other = { ...payment('completed'), Owner: { id: 'other', username: 'tea-house' } };
  server.use(http.get('*/api/payments/payment', () => HttpResponse.json(other)));
  const { router } = await draw(<PaymentDialog />, {
    namespaces: ['payments'],
    settings: { permissions: {} },
  });
  await router.navigate('/here?id=payment');
  expect(await screen.findByText('tea-house')).toBeTruthy();
});
