import { dialog, press } from './parts.mjs';

const user = 'customer';

export const ACCOUNT_PICTURES = [
  { name: 'profile', path: '/account/profile', user, height: 860 },
  { name: 'password', path: '/account/password', user, height: 780 },
  { name: 'visits', path: '/account/telemetry', user, height: 1000 },
  { name: 'tokens', path: '/account/tokens', user, height: 560 },
  {
    name: 'token-form',
    path: '/account/tokens',
    user,
    height: 900,
    async act(page, t) {
      await press(page, t('tokens:create'));
      await page.getByLabel(t('tokens:description')).last().fill('CRM');
    },
    parts: dialog,
  },
  { name: 'settings', path: '/settings/settingsUser', user, height: 760 },
  { name: 'notifications', path: '/notifications', user, height: 520 },
];
