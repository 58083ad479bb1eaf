import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, refuse } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { setPersonal } from '../../core/personal/mirror.ts';
import { dayAfter } from '../../ui/dates.ts';
import { CreateTokenDialog } from './token-dialog.tsx';

const t = (key: string, values = {}) => i18n.t(`tokens:${key}`, values);
const CREATED = {
  id: '01930000-0000-7000-8000-0000000000a1',
  description: 'Shop',
  prefix: 'hg_k7m2qx9w4ctr',
  token: 'hg_k7m2qx9w4ctr_secret',
  previous: null,
  ipWhitelist: [],
  permissions: null,
  isTest: false,
  expiredAt: null,
  lastUsedAt: null,
  lastUsedIp: null,
  rotatedAt: null,
  UserId: '01930000-0000-7000-8000-0000000000a2',
  OwnerId: '01930000-0000-7000-8000-0000000000a2',
  createdAt: '2026-11-22T09:15:00.000Z',
  updatedAt: '2026-11-22T09:15:00.000Z',
};

async function open() {
  const permissions = Object.fromEntries(
    ['tokens.create', 'contacts.get', 'contacts.create', 'users.get', 'secret.loginAs'].map(
      (name) => [name, 'me'],
    ),
  );
  const drawn = await draw(<CreateTokenDialog />, {
    namespaces: ['tokens'],
    settings: { permissions },
  });
  await drawn.router.navigate('/here?create=true');
  await screen.findByRole('dialog', { name: t('createTitle') });
  return drawn;
}
const field = (key: string) =>
  screen.getByLabelText<HTMLInputElement>(new RegExp(`^${t(key)}( \\*)?$`), { selector: 'input' });
const button = (key: string) => screen.getByRole('button', { name: t(key) });

test('a token is created with what was chosen, shown once, and gone when the dialog closes', async () => {
  setPersonal('timeZone', 'Asia/Tokyo');
  const bodies = accept('post', '/tokens', CREATED);
  const { user } = await open();
  await user.type(field('description'), ' Shop ');
  await user.type(field('expires'), dayAfter(30));
  await user.type(field('addresses'), '192.0.2.0/24{Enter}2001:db8::1{Enter}');
  await user.click(screen.getByLabelText(t('chosenPermissions')));
  const contacts = screen.getByRole('group', { name: t('noun.contacts') });
  await user.click(within(contacts).getByLabelText(new RegExp(t('action.get'))));
  await user.click(button('createSubmit'));
  const dialog = await screen.findByRole('dialog', { name: t('copyTitle') });
  expect(bodies).toEqual([
    {
      description: 'Shop',
      ipWhitelist: ['192.0.2.0/24', '2001:db8::1'],
      expiredAt: `${dayAfter(30)}T14:59:59.000Z`,
      permissions: ['contacts.get'],
      isTest: false,
    },
  ]);
  expect(dialog.innerHTML).not.toContain('secret');
  await user.click(screen.getByRole('button', { name: i18n.t('common:secret.show') }));
  expect(screen.getByLabelText<HTMLInputElement>(t('token')).value).toBe(CREATED.token);
  await user.click(within(dialog).getAllByRole('button', { name: i18n.t('common:close') })[0]!);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(document.body.innerHTML).not.toContain('secret');
});

test('only permissions that the user has and a token can have are offered, all or none at once', async () => {
  const { user } = await open();
  await user.type(field('description'), 'Shop');
  await user.click(screen.getByLabelText(t('chosenPermissions')));
  const groups = () =>
    screen.getAllByRole('group').flatMap((group) => group.getAttribute('aria-label') ?? []);
  expect(groups()).toEqual([t('noun.users'), t('noun.contacts')]);
  expect(screen.getByText(t('choosePermission'))).toBeTruthy();
  const checked = () =>
    screen.getAllByRole<HTMLInputElement>('checkbox').filter((one) => one.checked);
  await user.click(button('selectAll'));
  expect(checked()).toHaveLength(4);
  expect(screen.queryByText(t('choosePermission'))).toBeNull();
  await user.click(button('selectNone'));
  expect(checked()).toHaveLength(0);
});

test('a wrong address and a day out of the limits are refused on their fields', async () => {
  const bodies = accept('post', '/tokens', CREATED);
  const { user } = await open();
  await user.type(field('description'), 'Shop');
  await user.type(field('expires'), dayAfter(500));
  await user.type(field('addresses'), 'localhost{Enter}');
  await user.click(button('createSubmit'));
  expect(await screen.findByText(i18n.t('errors:rule.ip_range'))).toBeTruthy();
  expect(screen.getByText(i18n.t('errors:rule.far'))).toBeTruthy();
  await user.clear(field('expires'));
  await user.click(button('createSubmit'));
  expect(document.activeElement).toBe(field('addresses'));
  expect(bodies).toEqual([]);
});

test('a refusal of the server is shown on its field', async () => {
  refuse('post', '/tokens', {
    errors: [{ property: 'description', constraints: { too_big: 'Too long.' } }],
  });
  const { user } = await open();
  await user.type(field('description'), 'Shop');
  await user.click(button('createSubmit'));
  await expect.poll(() => field('description').getAttribute('aria-invalid')).toBe('true');
});

test('a token cannot be created without a description', async () => {
  const { user } = await open();
  const create = button('createSubmit');
  expect(create.getAttribute('aria-disabled')).toBe('true');
  screen.getByText(t('descriptionNeeded'));
  await user.type(field('description'), 'Shop');
  expect(create.getAttribute('aria-disabled')).not.toBe('true');
});

test('a test token is offered the permissions to read and to send, and keeps none that it cannot have', async () => {
  const bodies = accept('post', '/tokens', { ...CREATED, isTest: true });
  const { user } = await open();
  await user.type(field('description'), 'Tests');
  await user.click(screen.getByLabelText(t('chosenPermissions')));
  await user.click(button('selectAll'));
  await user.click(screen.getByRole('switch', { name: new RegExp(`^${t('isTest')}`) }));
  expect(screen.queryByRole('group', { name: t('noun.tokens') })).toBeNull();
  await user.click(button('createSubmit'));
  await screen.findByRole('dialog', { name: t('copyTitle') });
  expect(bodies).toEqual([
    expect.objectContaining({ isTest: true, permissions: ['users.get', 'contacts.get'] }),
  ]);
});
