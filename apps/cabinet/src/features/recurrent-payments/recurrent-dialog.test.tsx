import type { RecurrentPayment } from '@heliograph/contract';
import { cleanup, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { RecurrentDialog } from './recurrent-dialog.tsx';

async function open(OwnerId: string, status: RecurrentPayment['status']): Promise<void> {
  const row = {
    id: 'rule',
    type: 'frequency',
    threshold: null,
    frequency: 'monthly',
    method: 'sandbox',
    amount: 500,
    currency: 'RUB',
    status,
    meta: { bankData: { cardNumber: '4242' } },
    nextAt: null,
    failures: 0,
    OwnerId,
    Owner: { id: OwnerId, username: 'tea-house' },
    createdAt: '2026-11-25T10:00:00.000Z',
  };
  server.use(http.get('*/api/recurrentPayments/rule', () => HttpResponse.json(row)));
  const { router } = await draw(<RecurrentDialog />, {
    namespaces: ['payments', 'recurrentPayments'],
    settings: { permissions: { 'recurrentPayments.update': 'manager' } },
  });
  await router.navigate('/here?id=rule');
  await screen.findByText('tea-house');
}

const confirm = () => screen.queryByRole('button', { name: i18n.t('recurrentPayments:confirm') });
const active = () => screen.queryByRole('switch', { name: i18n.t('recurrentPayments:active') });

test.each([
  ['owner', true],
  ['customer', false],
])('of %s, charges can be started: %s', async (OwnerId, isOwn) => {
  await open(OwnerId, 'pause');
  expect(active() !== null).toBe(isOwn);
  cleanup();
  queryClient.clear();
  await open(OwnerId, 'error');
  expect(confirm() !== null).toBe(isOwn);
});

test('charges of another account can be stopped', async () => {
  await open('customer', 'ready');
  expect(active()).toBeTruthy();
});

test.each(['init', 'error', 'block'] as const)(
  'in %s its owner reads what to do',
  async (status) => {
    await open('owner', status);
    expect(screen.getByText(i18n.t(`recurrentPayments:hint.${status}`))).toBeTruthy();
  },
);
