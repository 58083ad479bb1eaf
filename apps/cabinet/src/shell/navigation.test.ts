import { PERMISSIONS, type Permission, type Settings } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { accessOf, lackedFor, mayOpenWith, type PagePath } from '../core/access.ts';
import { accountTabs } from '../features/account/account-tabs.ts';
import { balanceTabs } from '../features/balance/balance-tabs.ts';
import { placesOf } from './keymap.ts';
import { menuOf, messageParts } from './navigation.ts';

it.each([
  [['sendings.get', 'sendingsIncoming.get', 'tasks.get', 'templates.get'], 6],
  [['sendingsIncoming.get', 'templates.get'], 3],
  [['sendings.get'], 1],
  [['sendingsIncoming.get'], 0],
  [[], 0],
])('who holds %j sees %i parts of the messages', (held, count) => {
  const mayOpen = (path: PagePath) => accessOf(path).can!.every((need) => held.includes(need));
  expect(messageParts(mayOpen)).toHaveLength(count);
});

const settings = (integrations: boolean, without?: Permission) => {
  const names = Object.keys(PERMISSIONS).filter((name) => name !== without);
  const permissions = Object.fromEntries(names.map((name) => [name, 'manager']));
  const known = {
    permissions,
    advanced: { isRestricted: false },
    features: { integrations, blog: null },
  };
  return known as unknown as Pick<Settings, 'permissions' | 'advanced' | 'features'>;
};

const entries = (known: ReturnType<typeof settings>): PagePath[] => {
  const mayOpen = mayOpenWith(known);
  const menu = menuOf(mayOpen);
  return [
    ...menu.flatMap(({ items }) => items),
    ...placesOf(menu, mayOpen),
    ...accountTabs(mayOpen),
    ...balanceTabs(mayOpen),
  ].map(({ to }) => to);
};

it.each(Object.keys(PERMISSIONS) as Permission[])(
  'without %s nothing leads to a page that is refused',
  (without) => {
    const known = settings(true, without);
    const refused = entries(known).filter((to) => lackedFor(accessOf(to), known.permissions));
    expect(refused).toEqual([]);
  },
);

it('a page that needs two permissions is not in the menu without either', () => {
  expect(entries(settings(true))).toContain('/contacts');
  expect(entries(settings(true, 'contacts.get'))).not.toContain('/contacts');
  expect(entries(settings(true, 'contactLists.get'))).not.toContain('/contacts');
});

it.each([true, false])('integrations are in the menu where they are offered: %s', (has) => {
  expect(entries(settings(has)).includes('/settings/integrations')).toBe(has);
});
