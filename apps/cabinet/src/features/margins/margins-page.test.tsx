import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { server } from '../../../test/server.ts';
import { changeLocale, i18n } from '../../core/i18n/i18n.ts';
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

afterEach(async () => {
  vi.useRealTimers();
  await changeLocale('en');
});

type Rows = object[] | ((query: URLSearchParams) => object[] | Promise<object[]>);

/** What the page asks for. */
function answered(rows: Rows, totals?: object[]): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/margins', async ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const data = typeof rows === 'function' ? await rows(query) : rows;
      return HttpResponse.json({ data, totals: totals ?? data });
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
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T23:30:00Z') });
  const { user, router } = await page();
  const [link] = await screen.findAllByRole('link', { name: 'mirtea' });
  expect(asked[0]!.get('by')).toBe('account');
  expect(['from', 'to'].map((name) => asked[0]!.get(name))).toEqual(['2026-11-01', '2026-11-30']);
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
    'channels.get': 'manager',
    'purchasePrices.get': 'manager',
    'purchasePrices.update': 'manager',
  });
  await screen.findByRole('row', { name: /^carrier/ });
  expect(cells(/^carrier/)).toEqual([
    '100',
    'RUB\u00a0300.00',
    'RUB\u00a050.00',
    'EUR\u00a02.50',
    '–',
    '–',
  ]);
  expect(screen.getByText(i18n.t('margins:foreign'))).toBeTruthy();
  const add = screen.getByRole('link', { name: i18n.t('margins:noPrice') });
  expect(add.getAttribute('href')).toBe('/channels?id=smpp');
  expect(screen.getByRole('link', { name: 'smpp' }).getAttribute('href')).toBe(
    '/margins?by=country&period=lastMonth&ChannelId=smpp',
  );
});

test('who may not open the channels is not led to their prices', async () => {
  answered([row('smpp', UNPRICED)]);
  await page('/margins?by=channel', { 'purchasePrices.get': 'manager' });
  await screen.findByRole('link', { name: 'smpp' });
  expect(cells(/^smpp/)).toContain(i18n.t('margins:noPrice'));
  expect(screen.queryByRole('link', { name: i18n.t('margins:noPrice') })).toBeNull();
});

const headers = () =>
  screen
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)
    .slice(3);
const COUNTRIES = [
  row('KZ', { amount: 900, margin: 600 }),
  row('RU', { margin: -40 }),
  row('DE', { margin: 5 }),
];

test('losses stand first if that is asked for', async () => {
  answered(COUNTRIES);
  const { user } = await page('/margins?by=country&period=2026-11-01..2026-11-30');
  await screen.findByRole('row', { name: /^Kazakhstan/ });
  expect(headers()).toEqual(['Kazakhstan', 'Russia', 'Germany']);
  await user.selectOptions(screen.getByLabelText(i18n.t('margins:order.label')), 'margin');
  expect(headers()).toEqual(['Russia', 'Germany', 'Kazakhstan']);
});

test('days that cannot be asked for are marked, and have no sums', async () => {
  const asked = answered(COUNTRIES);
  await page('/margins?by=country&period=2026-11-30..2026-11-01');
  expect(await screen.findByText(i18n.t('list:period.reversed'))).toBeTruthy();
  expect(document.querySelector('[aria-busy]')).toBeNull();
  const from = screen.getByLabelText(i18n.t('list:period.from'));
  const to = screen.getByLabelText(i18n.t('list:period.to'));
  fireEvent.change(to, { target: { value: '2026-12-05' } });
  await screen.findByRole('row', { name: /^Kazakhstan/ });
  fireEvent.change(from, { target: { value: '2024-11-30' } });
  const long = i18n.t('margins:tooLong', { number: 366 });
  expect(await screen.findByText(long)).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByRole('button', { name: 'CSV' })).toBeNull();
  fireEvent.change(from, { target: { value: '2026-12-01' } });
  await screen.findByRole('row', { name: /^Kazakhstan/ });
  await waitFor(() => expect(asked.at(-1)!.get('from')).toBe('2026-12-01'));
  expect(asked.map((query) => `${query.get('from')}..${query.get('to')}`)).toEqual([
    '2026-11-30..2026-12-05',
    '2026-12-01..2026-12-05',
  ]);
});

test('rows are named as what they were asked by', async () => {
  answered((query) =>
    query.get('by') === 'day' ? [row('2026-11-20')] : [row(OWNER, { name: 'mirtea' })],
  );
  const { user } = await page('/margins?period=2026-11-01..2026-11-30');
  await screen.findByRole('link', { name: 'mirtea' });
  await user.selectOptions(screen.getByLabelText(i18n.t('margins:by')), 'day');
  const link = await screen.findByRole('link', { name: 'Nov 20, 2026' });
  expect(link.getAttribute('href')).toBe('/margins?period=2026-11-20..2026-11-20&by=channel');
  await user.selectOptions(screen.getByLabelText(i18n.t('margins:by')), 'account');
  await screen.findByRole('link', { name: 'mirtea' });
});

test('until the sums of another period are there, those of the former are at rest', async () => {
  const { promise, resolve } = Promise.withResolvers<object[]>();
  answered((query) =>
    query.get('from') === '2026-10-01' ? promise : [row('smpp', { messages: 11 })],
  );
  await page('/margins?by=channel&period=2026-11-01..2026-11-30');
  const csv = { name: 'CSV' };
  const busy = () => screen.getByRole('table').closest('[aria-busy="true"]');
  await screen.findByRole('link', { name: 'smpp' });
  expect(busy()).toBeNull();
  const from = screen.getByLabelText(i18n.t('list:period.from'));
  fireEvent.change(from, { target: { value: '2026-10-01' } });
  await waitFor(() => expect(busy()).not.toBeNull());
  expect(busy()!.hasAttribute('inert')).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', csv).disabled).toBe(true);
  resolve([row('smpp', { messages: 22 })]);
  await waitFor(() => expect(cells(/^smpp/)[0]).toBe('22'));
  expect(busy()).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', csv).disabled).toBe(false);
});

test('sums of a file have the decimal mark of the language', async () => {
  const saved = savedFiles();
  answered([row('smpp', { amount: 1012.05, cost: 0.000125, margin: -2.5 })]);
  const { user } = await page('/margins?by=channel');
  await screen.findByRole('link', { name: 'smpp' });
  await changeLocale('de');
  await user.click(screen.getByRole('button', { name: 'CSV' }));
  const [, line] = (await saved[0]!.blob.text()).split('\r\n');
  expect(line).toBe('"smpp";100;"RUB";1012,05;50;"RUB";0,000125;-2,5');
});
