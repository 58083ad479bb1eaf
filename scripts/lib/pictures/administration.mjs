import { dialog, open, press, row } from './parts.mjs';

export const ADMINISTRATION_PICTURES = [
  { name: 'users', path: '/users', user: 'manager', height: 480 },
  {
    name: 'user',
    path: '/users',
    user: 'manager',
    height: 1000,
    act: (page) => open(page, 'Мирская'),
    parts: dialog,
  },
  {
    name: 'balance-form',
    path: '/users',
    user: 'reseller',
    async act(page, t) {
      const name = t('users:changeBalance', { username: 'customer2' });
      await row(page, 'customer2').getByRole('button', { name }).click();
      await page.getByLabel(t('users:sum')).last().fill('500');
      await page.getByText(t('users:after')).first().waitFor();
    },
    parts: dialog,
  },
  { name: 'companies', path: '/companies', user: 'manager', height: 420 },
  {
    name: 'document-template',
    path: '/documentTemplates',
    user: 'manager',
    height: 900,
    async act(page, t) {
      await page.locator('[data-row]').first().click();
      await page.getByRole('button', { name: t('documentTemplates:addBlock') }).waitFor();
    },
  },
  { name: 'queue', path: '/settings/sendernames/queue', user: 'reseller', height: 760 },
  { name: 'audit', path: '/audit', user: 'manager', height: 620 },
  { name: 'channels', path: '/channels', user: 'manager', height: 420 },
  {
    name: 'channel-form',
    path: '/channels',
    user: 'manager',
    height: 1000,
    act: (page, t) => press(page, t('channels:create')),
    parts: dialog,
  },
  {
    name: 'routing-group',
    path: '/routingGroups',
    user: 'manager',
    height: 460,
    act: (page) => open(page, 'Direct routes'),
    parts: dialog,
  },
];
