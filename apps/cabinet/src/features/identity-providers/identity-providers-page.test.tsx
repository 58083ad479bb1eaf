import type { IdentityProvider } from '@heliograph/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { IdentityProvidersPage } from './identity-providers-page.tsx';

const PROVIDER: IdentityProvider = {
  id: '01930000-0000-7000-8000-0000000000a1',
  title: 'Tea House',
  issuer: 'https://login.tea.example/',
  clientId: 'cabinet',
  account: { id: '01930000-0000-7000-8000-0000000000a2', username: 'teahouse' },
  levels: ['me'],
  trustsSecondFactor: false,
  isActive: false,
  roles: [{ group: 'staff', role: 'sender' }],
  groupsClaim: 'groups',
  isRequired: true,
  redirectUri: 'https://cabinet.example/login/oidc/01930000-0000-7000-8000-0000000000a1',
  logoutUri: 'https://cabinet.example/api/login/oidc/01930000-0000-7000-8000-0000000000a1/logout',
  users: 3,
  updatedAt: '2026-07-01T12:00:00.000Z',
};
const OTHER = '01930000-0000-7000-8000-0000000000a3';
const MAY = ['get', 'create', 'update', 'remove'];
const t = (key: string, values = {}) => i18n.t(key as 'identityProviders:title', values);

const drawn = (verbs: string[], data: IdentityProvider[]) => {
  server.use(http.get('*/api/identity-providers', () => HttpResponse.json({ data })));
  return draw(<IdentityProvidersPage />, {
    namespaces: ['identityProviders', 'team', 'users', 'common', 'errors'],
    settings: {
      permissions: Object.fromEntries(
        verbs.map((verb) => [`identityProviders.${verb}`, 'manager']),
      ),
      frontend: { brand: 'main' },
    },
  });
};

/** The bodies of calls of this method. */
function bodies(method: 'post' | 'put') {
  const sent: unknown[] = [];
  server.use(
    http[method](/\/api\/identity-providers(\/[\w-]+)?$/, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(PROVIDER, { status: method === 'post' ? 201 : 200 });
    }),
  );
  return sent;
}

test('shows whom a provider signs in and the address to register there; who only reads changes nothing', async () => {
  await drawn(['get'], [PROVIDER]);
  const row = await screen.findByRole('listitem');
  const { title } = PROVIDER;
  for (const text of [
    title,
    t('identityProviders:off'),
    t('identityProviders:required'),
    t('identityProviders:ofAccount', { username: 'teahouse' }),
    t('identityProviders:notTrusted'),
    `staff: ${t('team:roles.sender')}`,
    PROVIDER.redirectUri,
    PROVIDER.logoutUri,
  ])
    expect(within(row).queryByText(text), text).not.toBeNull();
  for (const name of [
    t('identityProviders:create'),
    t('identityProviders:edit', { title }),
    t('identityProviders:remove', { title }),
  ])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('a provider is added with its secret', async () => {
  const user = userEvent.setup();
  const sent = bodies('post');
  await drawn(MAY, []);
  await user.click(await screen.findByRole('button', { name: t('identityProviders:create') }));
  const field = (name: string) => screen.findByLabelText(new RegExp(`^${t(name)}`));
  await user.type(await field('identityProviders:name'), 'Tea House');
  await user.type(await field('identityProviders:issuer'), PROVIDER.issuer);
  await user.type(await field('identityProviders:clientId'), 'cabinet');
  await user.type(await field('identityProviders:secret'), 'leaves');
  await user.click(screen.getByRole('button', { name: t('identityProviders:createSubmit') }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    title: 'Tea House',
    issuer: PROVIDER.issuer,
    clientId: 'cabinet',
    secret: 'leaves',
    levels: ['me'],
    AccountId: null,
    trustsSecondFactor: false,
    isActive: true,
  });
});

test('a change keeps the issuer, the account and, without a new one, the secret', async () => {
  const user = userEvent.setup();
  const sent = bodies('put');
  await drawn(MAY, [PROVIDER]);
  const { title } = PROVIDER;
  await user.click(
    await screen.findByRole('button', { name: t('identityProviders:edit', { title }) }),
  );
  await user.click(await screen.findByLabelText(t('identityProviders:isActive')));
  expect(screen.getByLabelText(t('identityProviders:issuer'))).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('button', { name: t('identityProviders:save') }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    title,
    clientId: 'cabinet',
    levels: ['me'],
    trustsSecondFactor: false,
    isActive: true,
    roles: PROVIDER.roles,
    groupsClaim: 'groups',
    isRequired: true,
  });
});

test('the provider of an account gives roles by groups, of others it has none', async () => {
  const user = userEvent.setup();
  const sent = bodies('put');
  await drawn(MAY, [PROVIDER, { ...PROVIDER, id: OTHER, title: 'All', account: null, roles: [] }]);
  const open = async (title: string) =>
    user.click(await screen.findByRole('button', { name: t('identityProviders:edit', { title }) }));
  const { title } = PROVIDER;
  await open(title);
  await user.click(await screen.findByRole('button', { name: t('identityProviders:addRole') }));
  const groups = screen.getAllByLabelText(t('identityProviders:group'));
  expect(groups).toHaveLength(2);
  await user.type(groups[1]!, ' admins ');
  await user.selectOptions(screen.getAllByLabelText(t('identityProviders:role'))[1]!, 'owner');
  await user.click(screen.getByRole('button', { name: t('identityProviders:addRole') }));
  await user.click(
    screen.getByRole('button', { name: t('identityProviders:removeRole', { number: 1 }) }),
  );
  const claim = screen.getByLabelText(new RegExp(`^${t('identityProviders:groupsClaim')}`));
  await user.clear(claim);
  await user.type(claim, 'teams');
  await user.click(screen.getByRole('button', { name: t('identityProviders:save') }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    roles: [
      { group: 'admins', role: 'owner' },
      { group: null, role: 'readOnly' },
    ],
    groupsClaim: 'teams',
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await open('All');
  await screen.findByLabelText(t('identityProviders:isActive'));
  expect(screen.queryByRole('button', { name: t('identityProviders:addRole') })).toBeNull();
});
