import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { PriceLists } from './price-lists-section.tsx';

const AT = '2026-11-22T09:15:00.000Z';
const ID = '01930000-0000-7000-8000-0000000000a1';
const FILE = '01930000-0000-7000-8000-0000000000b2';
const CHANNEL = { name: 'smsc', types: ['sms', 'voice'] as ('sms' | 'voice')[] };
const list = {
  id: ID,
  ChannelId: 'smsc',
  currency: 'EUR',
  validFrom: AT,
  isInForce: true,
  count: 3,
  createdAt: AT,
};
const PRICES = [
  { type: 'sms', destination: '25001', price: 0.0485 },
  { type: 'sms', destination: 'KZ', price: 0.12 },
  { type: 'voice', destination: '*', price: 0.6, byLength: { first: 60, interval: 1 } },
];
const PREVIEW = {
  prices: PRICES,
  problems: [{ n: 17, reason: 'ambiguous_price' }],
  refused: 1,
  changes: { added: 1, removed: 0, raised: 1, lowered: 0, intervals: 0, unchanged: 1 },
  differences: [
    {
      kind: 'raised',
      type: 'sms',
      destination: 'KZ',
      before: { price: 0.1 },
      after: { price: 0.12 },
    },
    {
      kind: 'added',
      type: 'voice',
      destination: '*',
      before: null,
      after: { price: 0.6, byLength: { first: 60, interval: 1 } },
    },
  ],
  sheets: [],
  sheet: null,
};
const pageOf = (data: object[]) => ({ data, total: data.length, limit: 10, offset: 0 });
const MANAGER = {
  'purchasePrices.get': 'manager',
  'purchasePrices.update': 'manager',
  'margins.get': 'manager',
  'storage.get': 'manager',
};

function serve(lists: object[] = [list], refusal?: object) {
  const calls: [string, unknown][] = [];
  server.use(
    http.get('*/api/channels/smsc/prices', () => HttpResponse.json(pageOf(lists))),
    http.get('*/api/channels/smsc/prices/:id', () =>
      HttpResponse.json({ ...list, prices: PRICES }),
    ),
    http.get('*/api/operators', () =>
      HttpResponse.json({ data: [{ mccmnc: '25001', country: 'RU', name: 'MTS' }] }),
    ),
    http.get('*/api/storage', () =>
      HttpResponse.json(
        pageOf([{ id: FILE, key: FILE, title: 'rates.csv', size: 1200, createdAt: AT }]),
      ),
    ),
    http.post('*/api/channels/smsc/prices/preview', async ({ request }) => {
      calls.push(['preview', await request.json()]);
      return HttpResponse.json(PREVIEW);
    }),
    http.post('*/api/channels/smsc/prices', async ({ request }) => {
      calls.push(['create', await request.json()]);
      if (refusal) return HttpResponse.json(refusal, { status: 422 });
      return HttpResponse.json(list, { status: 201 });
    }),
    http.delete('*/api/channels/smsc/prices/:id', ({ params }) => {
      calls.push(['remove', params.id]);
      return HttpResponse.json({ id: params.id });
    }),
  );
  return calls;
}
const section = (permissions: object = MANAGER) =>
  draw(<PriceLists channel={CHANNEL} />, {
    namespaces: ['purchasePrices', 'storage'],
    settings: { permissions, storage: { maxSize: 1e6 } },
  });
const button = (key: string) => screen.findByRole('button', { name: i18n.t(key) });
const shown = () => screen.findByRole('button', { name: /^Show the prices/ });

test('the prices of a list are shown with names, searched and downloaded', async () => {
  serve();
  const { user } = await section();
  expect(await screen.findByText(i18n.t('purchasePrices:state.inForce'))).toBeTruthy();
  const margins = screen.getByRole('link', { name: i18n.t('purchasePrices:margins') });
  expect(margins.getAttribute('href')).toBe('/margins?by=country&ChannelId=smsc');
  await user.click(await shown());
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByRole('cell', { name: /MTS.*\(25001\)/ })).toBeTruthy();
  expect(dialog.getByRole('cell', { name: '€0.0485 per part' })).toBeTruthy();
  expect(dialog.getByRole('cell', { name: '€0.60 per minute (60/1)' })).toBeTruthy();
  await user.type(dialog.getByLabelText(i18n.t('purchasePrices:search')), 'kazakh');
  expect(dialog.getByRole('cell', { name: 'Kazakhstan (KZ)' })).toBeTruthy();
  expect(dialog.queryByRole('cell', { name: /25001/ })).toBeNull();
  expect(dialog.getByRole('button', { name: i18n.t('purchasePrices:download') })).toBeTruthy();
});

test('a file is checked, its changes and refused rows are shown, and it is stored from a day on', async () => {
  const calls = serve();
  const { user } = await section();
  await user.click(await button('purchasePrices:upload'));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByLabelText(i18n.t('purchasePrices:isPartial')));
  await user.click(await dialog.findByRole('button', { name: /rates\.csv/ }));
  const kazakhstan = await dialog.findByRole('row', { name: /Kazakhstan/ });
  expect(kazakhstan.textContent).toContain('€0.10 per part');
  expect(kazakhstan.textContent).toContain('€0.12 per part');
  expect(dialog.getByText(/raised: 1 · new: 1 · unchanged: 1/)).toBeTruthy();
  const reason = i18n.t('purchasePrices:reasons.ambiguous_price');
  expect(dialog.getByText(i18n.t('purchasePrices:row', { number: '17', reason }))).toBeTruthy();
  await user.type(dialog.getByLabelText(i18n.t('purchasePrices:validFrom')), '2027-01-01T00:00');
  await user.click(dialog.getByRole('button', { name: i18n.t('purchasePrices:save') }));
  await expect.poll(() => calls).toHaveLength(2);
  expect(calls).toEqual([
    ['preview', { from: { key: FILE }, currency: 'EUR', type: 'sms', isPartial: true }],
    ['create', { currency: 'EUR', prices: PRICES, validFrom: expect.stringMatching(/^202[67]/) }],
  ]);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('single prices are entered by hand, with errors at their fields', async () => {
  const calls = serve([], {
    error: 422,
    code: 'validation_failed',
    name: 'ValidationFailed',
    message: 'Another list of this channel begins then.',
    data: [{ field: 'validFrom', message: 'Another list begins then.', type: 'unique' }],
    errors: [],
    requestId: 'r',
  });
  const { user } = await section();
  expect(await screen.findByText(i18n.t('purchasePrices:none'), { exact: false })).toBeTruthy();
  await user.click(await button('purchasePrices:enter'));
  const dialog = within(await screen.findByRole('dialog'));
  const destination = await dialog.findByRole('textbox', {
    name: (text) => text.startsWith(i18n.t('purchasePrices:destination')),
  });
  const save = dialog.getByRole('button', { name: i18n.t('purchasePrices:save') });
  await user.type(destination, 'nowhere');
  await user.type(dialog.getByRole('spinbutton'), '0.0485');
  await user.click(save);
  expect(await dialog.findByText(i18n.t('errors:rule.destination'))).toBeTruthy();
  await user.clear(destination);
  await user.type(destination, '250-01');
  await user.selectOptions(dialog.getByLabelText(i18n.t('purchasePrices:type')), 'voice');
  await user.click(dialog.getByLabelText(i18n.t('purchasePrices:byLength')));
  await user.click(save);
  await expect
    .poll(() => calls)
    .toEqual([
      [
        'create',
        {
          currency: 'RUB',
          isPartial: true,
          prices: [
            {
              type: 'voice',
              destination: '25001',
              price: 0.0485,
              byLength: { first: 60, interval: 1 },
            },
          ],
        },
      ],
    ]);
  expect(await dialog.findByText(i18n.t('purchasePrices:begun'))).toBeTruthy();
});

test('a list is removed after a question', async () => {
  const calls = serve();
  const { user } = await section();
  await user.click(await screen.findByRole('button', { name: /^Delete the price list/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: /^Delete the price list/ }));
  await expect.poll(() => calls).toEqual([['remove', ID]]);
});

test('who may only read prices sees no way to change them', async () => {
  serve();
  await section({ 'purchasePrices.get': 'manager' });
  expect(await shown()).toBeTruthy();
  const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect(buttons).not.toContain(i18n.t('purchasePrices:upload'));
  expect(screen.queryByRole('link')).toBeNull();
});
