import { dialog, press } from './parts.mjs';

const user = 'customer';

export const MONEY_PICTURES = [
  {
    name: 'top-up',
    path: '/balance/payments',
    user,
    async act(page, t) {
      await press(page, t('payments:topUp'));
      for (const choice of ['individual', 'cards'])
        await page.getByRole('button', { name: t(`payments:${choice}`), exact: true }).click();
      await page.getByText(t('payments:acceptOffer')).waitFor();
    },
    parts: dialog,
  },
  { name: 'payments', path: '/balance/payments', user, height: 560 },
  { name: 'recurring-payments', path: '/balance/recurrentPayments', user, height: 460 },
  { name: 'requisites', path: '/account/requisites', user, height: 440 },
  {
    name: 'requisite-form',
    path: '/account/requisites',
    user,
    height: 900,
    async act(page, t) {
      await page.locator('[data-row]').first().click();
      await page.getByRole('combobox', { name: t('requisites:bankSearch') }).waitFor();
    },
  },
  { name: 'ledger', path: '/balance/billings', user, height: 620 },
  {
    name: 'spend-caps',
    path: '/balance/billings',
    user,
    async act(page, t) {
      await press(page, t('spendCaps:title'));
      await page.getByLabel(t('spendCaps:day')).waitFor();
    },
    parts: dialog,
  },
  { name: 'referrals', path: '/balance/referrals', user, height: 620 },
];
