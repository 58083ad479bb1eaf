import type { InstallationStart } from '@heliograph/contract';
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { browserStorage } from '../../core/browser-storage.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { GettingStarted } from './getting-started.tsx';

const text = (key: string, values = {}) => i18n.t(`home:start.${key}`, values);
const KEY = 'heliograph.gettingStarted.user';

beforeEach(() => {
  queryClient.clear();
  browserStorage.set(KEY, null);
});

async function drawWith(changes: Partial<InstallationStart>, settings = {}) {
  let asked = 0;
  const start: InstallationStart = {
    publicUrl: location.origin,
    mail: 'tested',
    channel: 'working',
    hasPrices: true,
    hasCustomer: true,
    ...changes,
  };
  server.use(
    http.get('*/api/installation/start', () => {
      asked++;
      return HttpResponse.json(start);
    }),
  );
  const { user } = await draw(<GettingStarted />, {
    namespaces: ['home'],
    settings: { permissions: { 'installation.update': 'manager' }, ...settings },
  });
  return { user, asked: () => asked };
}

test('each step is as the installation is, says what is missing and leads to its page', async () => {
  await drawWith({ publicUrl: 'https://app.example', channel: 'untested', hasPrices: false });
  const panel = within(await screen.findByRole('region', { name: text('title') }));
  panel.getByText(text('otherAddress', { origin: location.origin }));
  panel.getByText(text('channelUntested'));
  const links = panel.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual(['/channels', '/tariffCatalogue']);
  const done = panel.getAllByText(i18n.t('home:steps.done'), { exact: false });
  expect(done.map((one) => one.parentElement!.textContent)).toEqual([
    expect.stringContaining(text('mail')),
    expect.stringContaining(text('customer')),
  ]);
});

test('it is hidden when all is there, and when it is dismissed', async () => {
  const { user } = await drawWith({ mail: 'off' });
  await user.click(await screen.findByRole('button', { name: i18n.t('home:steps.hide') }));
  expect(screen.queryByRole('region')).toBeNull();
  expect(browserStorage.get(KEY)).toBe('gone');
});

test.each([
  ['a demonstration', { tools: { simulator: true } }],
  ['a manager who is no administrator', { permissions: {} }],
  [
    'who has signed in as an administrator',
    {
      session: {
        UserId: 'user',
        OwnerId: 'owner',
        level: 'manager',
        impersonator: { id: 'other', username: 'other' },
      },
    },
  ],
])('%s is not asked', async (_, settings) => {
  const { asked } = await drawWith({ mail: 'off' }, settings);
  expect(screen.queryByRole('region')).toBeNull();
  expect(asked()).toBe(0);
});
