import { act, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { CreateRecurrent } from './create-recurrent.tsx';

test('an amount that cannot be paid in names the limit, and an empty threshold is to be filled in', async () => {
  server.use(
    http.get('*/api/payments/methods', () =>
      HttpResponse.json([{ method: 'sandbox', commission: 0, isRecurrent: true }]),
    ),
  );
  const { user, router } = await draw(<CreateRecurrent />, {
    namespaces: ['payments', 'recurrentPayments'],
    settings: {
      permissions: { 'recurrentPayments.create': 'me', 'payments.get': 'me' },
      payments: { defaults: { individual: 3 }, minAmount: 10, maxAmount: 300_000 },
    },
  });
  await router.navigate('/here?create=true');
  const submit = await screen.findByRole('button', { name: i18n.t('recurrentPayments:submit') });
  await user.click(submit);
  expect(await screen.findByText(i18n.t('amount.min', { min: '₽10.00' }))).toBeTruthy();
  expect(screen.getByText(i18n.t('errors:rule.required'))).toBeTruthy();
});

test('methods that cannot be read are said and asked for again', async () => {
  server.use(http.get('*/api/payments/methods', () => HttpResponse.json({}, { status: 403 })));
  const { router, user } = await draw(<CreateRecurrent />, {
    namespaces: ['recurrentPayments', 'payments'],
    settings: {
      permissions: { 'recurrentPayments.create': 'manager', 'payments.get': 'manager' },
      payments: { defaults: { individual: 500 } },
    },
  });
  await act(() => router.navigate('/here?create=true'));
  const retry = await screen.findByRole('button', { name: i18n.t('retry') });
  server.use(http.get('*/api/payments/methods', () => HttpResponse.json([])));
  await user.click(retry);
  expect(await screen.findByText(i18n.t('recurrentPayments:noMethods'))).toBeTruthy();
});

test('who may not read payments is told that no method is connected, and none is asked for', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/payments/methods', ({ request }) => {
      asked.push(request.url);
      return HttpResponse.json([{ method: 'sandbox', commission: 0, isRecurrent: true }]);
    }),
  );
  const { router } = await draw(<CreateRecurrent />, {
    namespaces: ['recurrentPayments', 'payments'],
    settings: { permissions: { 'recurrentPayments.create': 'manager' } },
  });
  await act(() => router.navigate('/here?create=true'));
  await screen.findByText(i18n.t('recurrentPayments:noMethods'));
  expect(asked).toEqual([]);
});
