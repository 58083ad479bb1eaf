import { permissionsOf, rolePermissionsOf, type Member, type Role } from '@heliograph/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { TeamPage } from './team-page.tsx';

const member = (over: Partial<Member>): Member => ({
  id: 'member',
  username: 'anna@tea.example',
  email: 'anna@tea.example',
  firstName: null,
  lastName: null,
  role: 'sender',
  isHolder: false,
  isActive: true,
  invitedAt: null,
  hasSecondFactor: false,
  lastUsedAt: null,
  createdAt: '2026-11-22T09:15:00.000Z',
  ...over,
});
const HOLDER = member({ id: 'owner', username: 'mirtea', role: 'owner', isHolder: true });
const ANNA = member({ id: 'anna', firstName: 'Anna', lastName: 'Petrova' });
const BORIS = member({
  id: 'boris',
  username: 'boris@tea.example',
  role: 'analyst',
  invitedAt: '2026-11-22T09:15:00.000Z',
});
const LINK = 'https://cabinet.example/recover/k';
const INVITATION = { email: null, url: LINK, expiresAt: '2030-01-01T00:00:00.000Z' };

let team: Member[];
let calls: [string, string, unknown][];

beforeEach(() => {
  team = [HOLDER, ANNA, BORIS];
  calls = [];
  const note = async (request: Request) => {
    const body = await request.text();
    calls.push([request.method, new URL(request.url).pathname, body && JSON.parse(body)]);
  };
  server.use(
    http.get('*/api/members', () => HttpResponse.json({ data: team })),
    http.post('*/api/members', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ member: BORIS, invitation: INVITATION }, { status: 201 });
    }),
    http.post('*/api/members/:id/invite', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ ...INVITATION, email: 'boris@tea.example', url: null });
    }),
    http.put('*/api/members/:id', async ({ request, params }) => {
      await note(request);
      const row = team.find(({ id }) => id === params.id)!;
      return HttpResponse.json({ ...row, role: 'developer' });
    }),
    http.delete('*/api/members/:id', async ({ request, params }) => {
      await note(request);
      return HttpResponse.json({ id: params.id });
    }),
  );
});

/** The page as a user of the account sees it, with the permissions that the role has. */
const open = (UserId = 'owner', role: Role | null = null) =>
  draw(<TeamPage />, {
    namespaces: ['team'],
    settings: {
      session: { UserId, OwnerId: 'owner', level: 'me' },
      permissions: rolePermissionsOf(permissionsOf('me'), role),
    },
  });
const rowOf = async (name: string) =>
  within((await screen.findByText(name)).closest('li') as HTMLElement);

test('the holder sees who works in the account, changes roles and removes', async () => {
  const { user } = await open();
  const holder = await rowOf('mirtea');
  expect(holder.getByText(i18n.t('team:holder'))).toBeTruthy();
  expect(holder.queryByRole('combobox')).toBeNull();
  expect(holder.queryByRole('button')).toBeNull();
  const anna = await rowOf('Anna Petrova');
  const label = i18n.t('team:roleOf', { name: 'Anna Petrova' });
  await user.selectOptions(anna.getByLabelText(label), 'developer');
  await waitFor(() => expect(calls).toEqual([['PUT', '/api/members/anna', { role: 'developer' }]]));
  const remove = i18n.t('team:removeOf', { name: 'Anna Petrova' });
  await user.click(anna.getByRole('button', { name: remove }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(i18n.t('team:removeText'))).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: remove }));
  await waitFor(() => expect(calls.at(-1)).toEqual(['DELETE', '/api/members/anna', '']));
});

test('who has chosen no password is invited again; others are not', async () => {
  const { user } = await open();
  const again = (name: string) => i18n.t('team:againOf', { name });
  const boris = await rowOf('boris@tea.example');
  await user.click(boris.getByRole('button', { name: again('boris@tea.example') }));
  await waitFor(() => expect(calls).toEqual([['POST', '/api/members/boris/invite', {}]]));
  expect(screen.queryByRole('button', { name: again('Anna Petrova') })).toBeNull();
});

test('a person is invited with a role; a link that was not sent is shown once', async () => {
  team = [HOLDER];
  const { user } = await open();
  expect(await screen.findByText(i18n.t('team:empty.title'))).toBeTruthy();
  await user.click(screen.getAllByRole('button', { name: i18n.t('team:invite') })[0]!);
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText(/E-mail/), 'boris@tea.example');
  await user.selectOptions(dialog.getByLabelText(i18n.t('team:role')), 'accountant');
  expect(dialog.getByText(i18n.t('team:roleTexts.accountant'))).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: i18n.t('team:invite') }));
  expect(await dialog.findByText(i18n.t('team:warning'))).toBeTruthy();
  const body = { email: 'boris@tea.example', role: 'accountant', firstName: null, lastName: null };
  expect(calls).toEqual([['POST', '/api/members', body]]);
});

test('an owner of the team changes others, not itself; who only reads changes nobody', async () => {
  team = [HOLDER, ANNA, { ...BORIS, role: 'owner', invitedAt: null }];
  await open('boris', 'owner');
  const own = await rowOf('boris@tea.example');
  expect(own.getByText(i18n.t('team:you'))).toBeTruthy();
  expect(own.queryByRole('combobox')).toBeNull();
  expect(own.queryByRole('button')).toBeNull();
  expect((await rowOf('Anna Petrova')).getByRole('combobox')).toBeTruthy();
});

test('who only reads sees the team and no control of it', async () => {
  await open('anna', 'readOnly');
  await rowOf('Anna Petrova');
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});
