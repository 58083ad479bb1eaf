import { PERMISSIONS, type AccountClosing, type User } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { UserClosing } from './user-closing.tsx';

const id = '01930000-0000-7000-8000-000000000103';
const USER = {
  id,
  OwnerId: id,
  username: 'anna',
  level: 'me',
  isActive: true,
  closedAt: null,
  balance: 100,
  currency: 'RUB',
} as User;
const CLOSED = {
  ...USER,
  isActive: false,
  suspension: { reason: 'The contract has ended', at: '2026-05-01T10:00:00.000Z' },
  closedAt: '2026-05-01T10:00:00.000Z',
};
const CLOSING: AccountClosing = {
  OwnerId: id,
  balance: 100,
  currency: 'RUB',
  bulks: 2,
  recurringSendings: 0,
  automations: 0,
  reportSchedules: 0,
  recurrentPayments: 1,
  wapi: 0,
  webhooks: 0,
  packages: 1,
  units: 120,
  unpaidFees: 0,
  customers: 0,
};
const permissions = Object.fromEntries(Object.keys(PERMISSIONS).map((name) => [name, 'manager']));
const session = { UserId: 'user', OwnerId: 'user', level: 'manager' };
const drawn = (user: User, settings: object = { permissions, session }) =>
  draw(<UserClosing user={user} />, { namespaces: ['users'], settings });
const t = (key: string, values = {}) => String(i18n.t(`users:${key}`, values));
const answer = (closing: Partial<AccountClosing> = {}) =>
  server.use(
    http.get('*/api/users/:id/closing', () => HttpResponse.json({ ...CLOSING, ...closing })),
  );
const button = (name: string) => screen.findByRole('button', { name });
/** The one in the dialog. */
const submit = async (name: string) => (await screen.findAllByRole('button', { name })).at(-1)!;

test('before an account is closed, what ends is shown, and a reason and a note are asked for', async () => {
  answer();
  const bodies = accept('post', `/users/${id}/close`, CLOSED);
  const { user } = await drawn(USER);
  await user.click(await button(t('closing.close')));
  await screen.findByText(t('closing.ends.bulks'));
  expect(screen.getByText(t('closing.ends.recurrentPayments'))).toBeTruthy();
  expect(screen.getByText(t('closing.units', { packages: 1, units: 120 }))).toBeTruthy();
  expect(screen.queryByText(t('closing.ends.automations'))).toBeNull();
  expect(screen.getByText(t('closing.entry', { amount: '₽100.00' }))).toBeTruthy();
  await user.type(screen.getByLabelText(new RegExp(t('suspension.reason'))), 'It ended');
  await user.click(await submit(t('closing.close')));
  await screen.findByText(i18n.t('errors:rule.required'));
  expect(bodies).toEqual([]);
  await user.type(screen.getByLabelText(new RegExp(t('closing.note'))), 'Paid out');
  await user.click(await submit(t('closing.close')));
  const settlement = { balance: 100, note: 'Paid out' };
  await waitFor(() => expect(bodies).toEqual([{ reason: 'It ended', settlement }]));
});

test('an account with open customers cannot be closed', async () => {
  answer({ customers: 3 });
  const { user } = await drawn(USER);
  await user.click(await button(t('closing.close')));
  await screen.findByText(t('closing.customers', { count: 3 }));
  expect(screen.queryByLabelText(new RegExp(t('suspension.reason')))).toBeNull();
});

test('a closed account says why, is settled again when something came, and is opened again', async () => {
  answer({ balance: 12.3, bulks: 0, recurrentPayments: 0, packages: 0, units: 0 });
  const settled = accept('post', `/users/${id}/close`, { ...CLOSED, balance: 0 });
  let isOpened = false;
  server.use(
    http.post('*/api/users/:id/reopen', () => {
      isOpened = true;
      return HttpResponse.json(USER);
    }),
  );
  const { user } = await drawn({ ...CLOSED, balance: 12.3 });
  await screen.findByText('The contract has ended');
  const settle = t('closing.settle', { amount: '₽12.30' });
  await user.click(await button(settle));
  await user.type(await screen.findByLabelText(new RegExp(t('closing.note'))), 'Paid out');
  await user.click(await submit(settle));
  const settlement = { balance: 12.3, note: 'Paid out' };
  await waitFor(() => expect(settled).toEqual([{ reason: 'The contract has ended', settlement }]));
  await user.click(await button(t('closing.reopen')));
  await waitFor(() => expect(isOpened).toBe(true));
});

test('without the permission nothing is offered', async () => {
  const { 'users.close': _, ...others } = permissions;
  await drawn(USER, { permissions: others, session });
  expect(screen.queryByRole('button')).toBeNull();
});
