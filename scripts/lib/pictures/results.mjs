import { dialog, open, row } from './parts.mjs';

const user = 'customer';

export const RESULT_PICTURES = [
  { name: 'outgoing', path: '/messages/outgoing?f.recipient=%2B7999', user, height: 620 },
  {
    name: 'message',
    path: '/messages/outgoing?f.recipient=%2B79990000008',
    user,
    async act(page, t) {
      await open(page, t('common:type.viber'));
      await page.getByRole('tab', { name: t('sendings:tab.timeline') }).click();
    },
    parts: dialog,
  },
  { name: 'tasks', path: '/messages/tasks', user, height: 560 },
  {
    name: 'task',
    path: '/messages/tasks',
    user,
    height: 1000,
    act: (page) => open(page, 'Новый урожай'),
    parts: dialog,
  },
  { name: 'incoming', path: '/messages/incoming', user, height: 460 },
  { name: 'inbound-rules', path: '/messages/incoming/rules', user, height: 560 },
  {
    name: 'conversation',
    path: '/messages/conversations',
    user,
    height: 860,
    async act(page) {
      await row(page, 'Анастасия Смирнова').getByRole('link').click();
      await page.getByRole('log').getByRole('listitem').first().waitFor();
    },
  },
  { name: 'filters', path: '/messages/outgoing?f.outcome=failed&period=today', user, height: 620 },
  {
    name: 'views',
    path: '/messages/outgoing?f.outcome=failed&period=today',
    user,
    async act(page, t) {
      await page.getByRole('button', { name: t('list:views.title'), exact: true }).click();
      await page.getByLabel(t('list:views.name')).fill('VIP');
    },
    parts: dialog,
  },
  {
    name: 'columns',
    path: '/messages/outgoing',
    user,
    async act(page, t) {
      await page.getByRole('button', { name: t('list:viewSettings.title'), exact: true }).click();
      await page.getByText(t('list:viewSettings.density')).waitFor();
    },
    parts: dialog,
  },
  {
    name: 'tariffs',
    path: '/tariffs',
    user,
    height: 620,
    async act(page, t) {
      const sender = page.getByRole('combobox', { name: t('sendernames:select.label') });
      await sender.fill('MIRTEA');
      await page.getByRole('option', { name: 'MIRTEA', exact: true }).first().click();
      await page.getByText(t('tariffs:calculator.segments')).waitFor();
    },
  },
  {
    name: 'tariff-rules',
    path: '/tariffs',
    user,
    async act(page) {
      await page.locator('[data-row]').first().click();
      await page.getByRole('dialog').waitFor();
    },
    parts: dialog,
  },
];
