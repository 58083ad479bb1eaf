import { dialog } from './parts.mjs';

export const START_PICTURES = [
  { name: 'login', path: '/login', height: 620 },
  {
    name: 'registration',
    path: '/registration',
    height: 960,
    async act(page, t) {
      const fill = (label, value) => page.getByLabel(t(`auth:registration.${label}`)).fill(value);
      await page.getByLabel(t('auth:registration.username')).first().fill('mirtea');
      await fill('firstName', 'Анна');
      await fill('email', 'anna@mirtea.example');
    },
    parts: (page) => [page.locator('form'), page.getByRole('heading', { level: 1 })],
  },
  { name: 'home', path: '/', user: 'customer', height: 860 },
  {
    name: 'palette',
    path: '/',
    user: 'customer',
    async act(page, t) {
      await page.getByRole('button', { name: t('shell:palette.open') }).click();
      await page.getByPlaceholder(t('shell:palette.placeholder')).fill('+7 999 000 00 10');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
    parts: dialog,
  },
  {
    name: 'account-menu',
    path: '/',
    user: 'customer',
    async act(page, t) {
      await page
        .getByRole('button', { name: t('shell:account.open', { name: 'Анна Мирская' }) })
        .click();
      await page.getByRole('menu').waitFor();
    },
    parts: (page, t) => [
      page.getByRole('menu'),
      page.getByRole('button', { name: t('common:blur.on') }),
    ],
  },
];
