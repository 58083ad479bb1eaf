import { fireEvent, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { MarginsPage } from './margins-page.tsx';

const OWNER = '01930000-0000-7000-8000-0000000000a1';
const row = (key: string | null, more: object = {}) => ({
  key,
  name: null,
  messages: 100,
  units: 120,
  currency: 'RUB',
  amount: 300,
  refunded: 50,
  costCurrency: 'RUB',
  cost: 200,
  margin: 50,
  ...more,
});
const UNPRICED = { messages: 7, costCurrency: null, cost: null, margin: null };

/** What the page asks for. */
function answered(data: object[], totals: object[] = data): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/margins', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ data, totals });
    }),
    http.get('*/api/users/*', () => HttpResponse.json({ id: OWNER, username: 'mirtea' })),
  );
  return asked;
}
const page = (at = '/margins', permissions: object = {}) =>
  draw(<MarginsPage />, {
    namespaces: ['margins', 'list'],
    settings: {
      permissions: { 'margins.get': 'manager', 'users.get': 'manager', ...permissions },
    },
    path: '/margins',
    at,
  });
const cells = (name: string | RegExp) =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

test('sums of the last thirty days by account lead to the channels of the account', async () => {
  const asked = answered(
    [row(OWNER, { name: 'mirtea' }), row(OWNER, { name: 'mirtea', ...UNPRICED })],
    [row(null), row(null, UNPRICED)],
  );
  const { user, router } = await page();
  const [link] = await screen.findAllByRole('link', { name: 'mirtea' });
  expect(asked[0]!.get('by')).toBe('account');
  const [from, to] = ['from', 'to'].map((name) => Date.parse(asked[0]!.get(name)!));
  expect((to! - from!) / 86_400_000).toBe(29);
  const [, , priced, unpriced] = screen
    .getAllByRole('row')
    .slice(1)
    .map((one) =>
      within(one)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
  expect(priced).toEqual(['100', '₽300.00', '₽50.00', '₽200.00', '₽50.00', '20%']);
  const none = i18n.t('margins:noPrice');
  expect(unpriced).toEqual(['7', '₽300.00', '₽50.00', none, '–', '–']);
  const note = i18n.t('margins:unpriced', { number: '7', total: '107' });
  expect(screen.getByText(note, { exact: false })).toBeTruthy();

  await user.click(link!);
  await expect.poll(() => asked.at(-1)!.get('OwnerId')).toBe(OWNER);
  expect(asked.at(-1)!.get('by')).toBe('channel');
  const label = i18n.t('margins:filter.OwnerId');
  const text = i18n.t('common:labelled', { label, value: 'mirtea' });
  const remove = i18n.t('list:removeFilter', { filter: text });
  await user.click(await screen.findByRole('button', { name: remove }));
  await expect.poll(() => router.state.location.search).toBe('?by=channel');
});

test('a cost in another currency has no margin, and a channel without prices leads to them', async () => {
  answered([
    row('carrier', { costCurrency: 'EUR', cost: 2.5, margin: null }),
    row('smpp', UNPRICED),
  ]);
  await page('/margins?by=channel&period=lastMonth', {
    'purchasePrices.get': 'manager',
    'purchasePrices.update': 'manager',
  });
  await screen.findByRole('row', { name: /^carrier/ });
  expect(cells(/^carrier/)).toEqual(['100', '₽300.00', '₽50.00', '€2.50', '–', '–']);
  expect(screen.getByText(i18n.t('margins:foreign'))).toBeTruthy();
  const add = screen.getByRole('link', { name: i18n.t('margins:noPrice') });
  expect(add.getAttribute('href')).toBe('/channels?id=smpp');
  expect(screen.getByRole('link', { name: 'smpp' }).getAttribute('href')).toBe(
    '/margins?by=country&period=lastMonth&ChannelId=smpp',
  );
});

test('losses stand first if that is asked for, and days that cannot be asked for are marked', async () => {
  const asked = answered([
    row('KZ', { amount: 900, margin: 600 }),
    row('RU', { margin: -40 }),
    row('DE', { margin: 5 }),
  ]);
  const { user } = await page('/margins?by=country&period=2026-11-01..2026-11-30');
  await screen.findByRole('row', { name: /^Kazakhstan/ });
  const names = () =>
    screen
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
      .slice(3);
  expect(names()).toEqual(['Kazakhstan', 'Russia', 'Germany']);
  await user.selectOptions(screen.getByLabelText(i18n.t('margins:order.label')), 'margin');
  expect(names()).toEqual(['Russia', 'Germany', 'Kazakhstan']);
  const to = screen.getByLabelText(i18n.t('list:period.to'));
  fireEvent.change(to, { target: { value: '2026-10-31' } });
  expect(await screen.findByText(i18n.t('list:period.reversed'))).toBeTruthy();
  expect(asked.every((query) => query.get('to') === '2026-11-30')).toBe(true);
});
