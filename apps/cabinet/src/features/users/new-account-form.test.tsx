import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { NewAccountForm } from './new-account-form.tsx';

const settings = (permissions: object) => ({
  billings: { currency: 'RUB' },
  session: { level: 'reseller' },
  permissions,
});
const NAMESPACES = ['users'];

function answer(invitation: object) {
  const bodies: unknown[] = [];
  server.use(
    http.post('*/api/users', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ user: { username: 'anna' }, invitation }, { status: 201 });
    }),
  );
  return bodies;
}

test('a reseller gives what it may, and sees a link that was not sent once', async () => {
  const expiresAt = '2030-01-01T00:00:00.000Z';
  const bodies = answer({ email: null, url: 'https://cabinet.example/recover/k', expiresAt });
  const { user } = await draw(<NewAccountForm onClose={() => {}} />, {
    namespaces: NAMESPACES,
    settings: settings({ 'users.create': 'reseller', 'users.configure': 'reseller' }),
  });
  expect(screen.queryByLabelText(i18n.t('users:level'))).toBeNull();
  expect(screen.queryByLabelText(i18n.t('users:account.currency'))).toBeNull();
  await user.type(screen.getByLabelText(i18n.t('users:username')), 'anna-tea');
  await user.click(screen.getByRole('button', { name: i18n.t('users:account.create') }));
  expect(await screen.findByText(i18n.t('users:invitation.warning'))).toBeTruthy();
  expect(bodies).toEqual([{ username: 'anna-tea', data: {}, isTest: false, overdraft: 0 }]);
});

test('an administrator chooses the level, and a reseller’s bounds with it', async () => {
  await draw(<NewAccountForm onClose={() => {}} />, {
    namespaces: NAMESPACES,
    settings: settings({ 'users.all': 'manager', 'users.configure': 'manager' }),
  }).then(({ user }) =>
    user.selectOptions(screen.getByLabelText(i18n.t('users:level')), 'reseller'),
  );
  expect(screen.getByLabelText(i18n.t('users:account.maxCustomers'))).toBeTruthy();
  expect(screen.getByRole('combobox', { name: i18n.t('users:account.currency') })).toBeTruthy();
});

test('look-ups before sending are offered with the days for which they count', async () => {
  const bodies = answer({ email: 'anna@example.com', url: null, expiresAt: null });
  const { user } = await draw(<NewAccountForm onClose={() => {}} />, {
    namespaces: NAMESPACES,
    settings: settings({ 'users.all': 'manager', 'users.configure': 'manager' }),
  });
  const box = () => screen.queryByRole('checkbox', { name: i18n.t('users:account.lookupFirst') });
  expect(box()).toBeNull();
  await user.type(screen.getByLabelText(i18n.t('users:account.lookupDays')), '7');
  await user.click(
    await screen.findByRole('checkbox', { name: i18n.t('users:account.lookupFirst') }),
  );
  await user.type(screen.getByLabelText(i18n.t('users:username')), 'anna-tea');
  await user.click(screen.getByRole('button', { name: i18n.t('users:account.create') }));
  await waitFor(() =>
    expect(bodies).toEqual([expect.objectContaining({ lookupDays: 7, lookupFirst: true })]),
  );
});
