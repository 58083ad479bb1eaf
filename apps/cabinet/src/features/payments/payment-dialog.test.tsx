import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { follow } from '../../core/realtime/follow.ts';
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

test('refunds of an open payment stay true while events of it and of others arrive', async () => {
  const at = (minute: number) => `2026-11-25T10:0${minute}:00.000Z`;
  const refund = (id: string, amount: number, state: string) => ({
    id,
    amount,
    status: state,
    isExternal: false,
    createdAt: at(1),
  });
  const shown = { ...payment('completed'), OwnerId: 'owner', updatedAt: at(0) };
  let answer: object = shown;
  let asked = 0;
  server.use(
    http.get('*/api/payments/payment', () => {
      asked++;
      return HttpResponse.json(answer);
    }),
  );
  const { router, user } = await draw(<PaymentDialog />, {
    namespaces: ['payments'],
    settings: { permissions: { 'payments.refund': 'manager' } },
  });
  queryClient.removeQueries({ queryKey: ['payments'] });
  const { receive } = follow(queryClient);
  /** As the socket brings it: the fields of a list, without refunds. */
  const event = ({ refunds: _, ...row }: typeof shown) =>
    void receive('payments.updated', { items: [row] } as never);
  await router.navigate('/here?id=payment');
  const field = await screen.findByLabelText(i18n.t('payments:refundAmount'));
  await user.clear(field);
  await user.type(field, '120');

  // Of another payment: nothing is asked for, and what was typed stays.
  event({ ...shown, id: 'other', status: 'refunded', refunded: 500, updatedAt: at(2) });
  // Of another refund of this payment, that somebody else has asked for.
  const partial = { ...shown, status: 'partialRefunded', refunded: 200, updatedAt: at(2) };
  answer = { ...partial, refunds: [refund('one', 200, 'completed')] };
  expect(asked).toBe(1);
  event(partial);
  const refunds = await screen.findByRole('region', { name: i18n.t('payments:refunds') });
  expect(refunds.textContent).toContain('₽200.00');
  expect(asked).toBe(2);
  // The form offers what is left now, and no question about another amount is open.
  expect(screen.getByLabelText(i18n.t('payments:refundAmount'))).toHaveProperty('value', '300');

  // The event of an older state, which comes late, undoes nothing.
  event({ ...shown, updatedAt: at(1) });
  expect(screen.getByRole('region', { name: i18n.t('payments:refunds') })).toBeTruthy();
  expect(queryClient.getQueryData(['payments', 'get', 'payment'])).toMatchObject({ refunded: 200 });
});
