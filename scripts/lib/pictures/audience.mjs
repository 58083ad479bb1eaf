import { dialog, open, press } from './parts.mjs';

const user = 'customer';
export const AUDIENCE_PICTURES = [
  { name: 'contact-lists', path: '/contacts', user, height: 520 },
  {
    name: 'import',
    path: '/contacts',
    user,
    height: 1000,
    async act(page, t) {
      await page
        .getByRole('button', { name: t('contactLists:importInto', { title: 'VIP' }) })
        .click();
      await page.getByRole('dialog').getByText('Новые клиенты.csv').click();
      await page.getByText(t('contactLists:mapping.text')).waitFor();
    },
    parts: dialog,
  },
  {
    name: 'contacts',
    path: '/contacts',
    user,
    height: 620,
    async act(page) {
      await page.getByRole('link', { name: 'VIP' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'VIP' }).waitFor();
    },
  },
  { name: 'sendernames', path: '/settings/sendernames', user, height: 560 },
  {
    name: 'sendername-form',
    path: '/settings/sendernames',
    user,
    height: 900,
    async act(page, t) {
      await press(page, t('sendernames:create'));
      await page.getByLabel(t('sendernames:name'), { exact: false }).last().fill('MIRTEA24');
    },
    parts: dialog,
  },
  { name: 'templates', path: '/messages/templates', user, height: 560 },
  { name: 'patterns', path: '/patterns', user, height: 400 },
  { name: 'storage', path: '/storage', user, height: 680 },
  {
    name: 'file',
    path: '/storage',
    user,
    async act(page, t) {
      await open(page, 'Новые клиенты.csv');
      const preview = page.getByRole('region', { name: t('storage:preview.title'), exact: true });
      await preview.getByRole('table').waitFor();
    },
    parts: dialog,
  },
  {
    name: 'report-form',
    path: '/reports',
    user,
    act: (page, t) => press(page, t('reports:create')),
    parts: dialog,
  },
  {
    name: 'schedule-form',
    path: '/reports',
    user,
    act: (page, t) => press(page, t('reports:schedules.create')),
    parts: dialog,
  },
  { name: 'reports', path: '/reports', user, height: 480 },
];
