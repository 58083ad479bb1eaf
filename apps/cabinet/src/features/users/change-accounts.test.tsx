import { PERMISSIONS } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ChangeAccounts } from './change-accounts.tsx';
import type { Changing } from './users.api.ts';

const permissions = Object.fromEntries(Object.keys(PERMISSIONS).map((name) => [name, 'manager']));
const t = (key: string, values = {}) => String(i18n.t(`users:${key}`, values));
const account = (n: number) => ({
  id: `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  username: `user-${n}`,
});

type Body = { changes: { id: string }[] };
/** Refuses the second account of each call. */
function answer(): Body[] {
  const bodies: Body[] = [];
  const error = { code: 'conflict', message: 'No.', field: null, rule: null };
  server.use(
    http.post<never, Body>('*/api/users/changes', async ({ request }) => {
      const body = await request.json();
      bodies.push(body);
      const data = body.changes.map(({ id }, i) => ({ id, error: i === 1 ? error : null }));
      return HttpResponse.json({ data });
    }),
  );
  return bodies;
}
const drawn = (of: Changing) =>
  draw(<ChangeAccounts of={of} count="3" onClose={() => {}} />, {
    namespaces: ['users'],
    settings: { permissions },
  });
const choose = async (user: Awaited<ReturnType<typeof draw>>['user'], kind: string) =>
  user.selectOptions(await screen.findByLabelText(t('many.what')), t(`many.kind.${kind}`));
const submit = () => screen.getByRole('button', { name: t('many.submit') });

test('selected accounts are suspended with a reason, and those that refuse are named', async () => {
  const bodies = answer();
  const { user } = await drawn([account(1), account(2), account(3)]);
  await choose(user, 'suspend');
  await user.click(submit());
  await screen.findByText(i18n.t('errors:rule.required'));
  expect(bodies).toEqual([]);
  await user.type(screen.getByLabelText(new RegExp(t('suspension.reason'))), 'No payment');
  await user.click(submit());
  await screen.findByText(t('many.changed', { count: 2, number: '2' }));
  await screen.findByText(new RegExp('user-2'));
  const suspend = { reason: 'No payment' };
  expect(bodies).toEqual([{ changes: [1, 2, 3].map((n) => ({ id: account(n).id, suspend })) }]);
});

test('all that the filters find are changed, a hundred at a time', async () => {
  const bodies = answer();
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/users', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      const data = Array.from({ length: 120 }, (_, n) => account(n));
      return HttpResponse.json({ data, total: 120, limit: 500, offset: 0 });
    }),
  );
  const filter = { isActive: 'true', isHolder: true };
  const { user } = await drawn({ limit: 20, order: [], search: 'tea', filter });
  await choose(user, 'types');
  await user.click(submit());
  await screen.findByText(t('many.changed', { count: 118, number: '118' }));
  expect(asked.map((one) => [one.get('$search'), one.get('isActive'), one.get('$limit')])).toEqual([
    ['tea', 'true', '500'],
  ]);
  expect(bodies.map(({ changes }) => changes.length)).toEqual([100, 20]);
  expect(bodies[0]!.changes[0]).toEqual({ id: account(0).id, settings: { types: null } });
});

test('what the user may not do for one account is not offered for many', async () => {
  const { 'users.suspend': _, 'users.all': __, 'tariffs.update': ___, ...few } = permissions;
  await draw(<ChangeAccounts of={[account(1)]} count="1" onClose={() => {}} />, {
    namespaces: ['users'],
    settings: { permissions: few },
  });
  const offered = await screen.findByLabelText<HTMLSelectElement>(t('many.what'));
  await waitFor(() =>
    expect([...offered.options].map(({ value }) => value)).toEqual([
      'overdraft',
      'types',
      'test',
      'caps',
    ]),
  );
});
