import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { AccountPage } from './account-page.tsx';

const label = (name: string) => i18n.t(`shell:balance.${name}`);
const drawAt = (path: string, permissions: object) =>
  draw(<AccountPage />, {
    path,
    namespaces: ['shell'],
    settings: { permissions, advanced: { isRestricted: false } },
  });

beforeEach(() => {
  const me = { id: 'user', OwnerId: 'owner', username: 'me', data: {} };
  server.use(
    http.get('*/api/users/me', () => HttpResponse.json(me)),
    http.get('*/api/billings/balance/owner', () =>
      HttpResponse.json({ result: 70, balance: 70, overdraft: 50 }),
    ),
  );
});

test('a tab begins with what can be spent, the balance and the overdraft', async () => {
  await drawAt('/account/password', { 'users.get': 'me', 'billings.find': 'me' });
  const cards = await screen.findByRole('region', { name: label('label') });
  await expect
    .poll(() => [...cards.children].map((card) => card.textContent))
    .toEqual([
      `${label('total')}₽120.00`,
      `${label('label')}₽70.00`,
      `${label('overdraft')}₽50.00`,
    ]);
});

test('an account whose ledger is closed to the user, and a form in a page of its own, have no cards', async () => {
  await drawAt('/account/password', { 'users.get': 'me' });
  expect(screen.queryByRole('region', { name: label('label') })).toBeNull();
  await drawAt('/account/requisites/create', { 'users.get': 'me', 'billings.find': 'me' });
  expect(screen.queryByRole('region', { name: label('label') })).toBeNull();
});
