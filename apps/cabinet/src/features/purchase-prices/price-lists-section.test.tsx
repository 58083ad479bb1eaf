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
  fromFile: PRICES.slice(1),
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
const refusal = (field: string, type: string) => ({
  error: 422,
  code: 'validation_failed',
  name: 'ValidationFailed',
  message: 'Not so.',
  data: [{ field, message: 'Not so.', type }],
  errors: [],
  requestId: 'r',
});
const pageOf = (data: object[]) => ({ data, total: data.length, limit: 10, offset: 0 });
const MANAGER = {
  'purchasePrices.get': 'manager',
  'purchasePrices.update': 'manager',
  'margins.get': 'manager',
  'storage.get': 'manager',
};

type Lists = (typeof list)[];

/** The lists, the last one to begin first, as the query asks for them. */
function found(lists: Lists, url: string) {
  const query = new URL(url).searchParams;
  const after = query.get('validFrom[$gt]');
  const before = query.get('validFrom[$lt]');
  const all = lists.filter(
    ({ validFrom }) => (!after || validFrom > after) && (!before || validFrom < before),
  );
  if (after) all.reverse();
  const offset = Number(query.get('$offset') ?? 0);
  const limit = Number(query.get('$limit') ?? 20);
  return { data: all.slice(offset, offset + limit), total: all.length, limit, offset };
}

function serve(lists: Lists = [{ ...list }], refused?: object) {
  const calls: [string, unknown][] = [];
  server.use(
    http.get('*/api/channels/smsc/prices', ({ request }) =>
      HttpResponse.json(found(lists, request.url)),
    ),
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
      if (refused) return HttpResponse.json(refused, { status: 422 });
      return HttpResponse.json(list, { status: 201 });
    }),
    http.delete('*/api/channels/smsc/prices/:id', ({ params }) => {
      calls.push(['remove', params.id]);
      lists.splice(
        lists.findIndex(({ id }) => id === params.id),
        1,
      );
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
/** Enabled once it is known which list is in force. */
const button = async (key: string) => {
  const found = await screen.findByRole('button', { name: i18n.t(key) });
  await expect.poll(() => (found as HTMLButtonElement).disabled).toBe(false);
  return found;
};
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
  await user.type(
    await dialog.findByLabelText(i18n.t('purchasePrices:validFrom')),
    '2100-01-01T00:00',
  );
  await user.click(dialog.getByLabelText(i18n.t('purchasePrices:isPartial')));
  await user.click(await dialog.findByRole('button', { name: /rates\.csv/ }));
  const kazakhstan = await dialog.findByRole('row', { name: /Kazakhstan/ });
  expect(kazakhstan.textContent).toContain('€0.10 per part');
  expect(kazakhstan.textContent).toContain('€0.12 per part');
  expect(dialog.getByText(/raised: 1 · new: 1 · unchanged: 1/)).toBeTruthy();
  const reason = i18n.t('purchasePrices:reasons.ambiguous_price');
  expect(dialog.getByText(i18n.t('purchasePrices:row', { number: '17', reason }))).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: i18n.t('purchasePrices:save') }));
  await expect.poll(() => calls).toHaveLength(2);
  const same = {
    currency: 'EUR',
    isPartial: true,
    validFrom: expect.stringMatching(/^(2099-12-31|2100-01-01)T/),
  };
  expect(calls).toEqual([
    ['preview', { ...same, from: { key: FILE }, type: 'sms' }],
    ['create', { ...same, prices: PREVIEW.fromFile }],
  ]);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('single prices are entered by hand, with errors at their fields', async () => {
  const calls = serve([], refusal('validFrom', 'unique'));
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

const PLANNED = {
  ...list,
  id: '01930000-0000-7000-8000-0000000000a2',
  currency: 'USD',
  validFrom: '2100-05-01T12:00:00.000Z',
  isInForce: false,
};
const FORMER = {
  ...list,
  id: '01930000-0000-7000-8000-0000000000a3',
  validFrom: '2001-05-01T12:00:00.000Z',
  isInForce: false,
};
/** In force whatever the clock says: the tests do not run before it. */
const IN_FORCE = { ...list, validFrom: '2002-05-01T12:00:00.000Z' };

test('a file that cannot be checked is refused at the fields, which can be corrected', async () => {
  serve();
  server.use(
    http.post('*/api/channels/smsc/prices/preview', async ({ request }) => {
      const { validFrom } = (await request.json()) as { validFrom?: string };
      return validFrom
        ? HttpResponse.json(refusal('validFrom', 'unique'), { status: 422 })
        : HttpResponse.json(refusal('currency', 'unknown'), { status: 422 });
    }),
  );
  const { user } = await section();
  await user.click(await button('purchasePrices:upload'));
  const dialog = within(await screen.findByRole('dialog'));
  const pick = async () => user.click(await dialog.findByRole('button', { name: /rates\.csv/ }));
  await pick();
  const other = i18n.t('purchasePrices:otherCurrency');
  expect(await dialog.findByText(other)).toBeTruthy();
  const validFrom = dialog.getByLabelText(i18n.t('purchasePrices:validFrom'));
  await user.type(validFrom, '2100-01-01T00:00');
  expect(dialog.queryByText(other)).toBeNull();
  await pick();
  expect(await dialog.findByText(i18n.t('purchasePrices:begun'))).toBeTruthy();
});

test('another sheet can be chosen also after one that could not be read', async () => {
  serve();
  const sheets = ['Cover', 'Prices', 'Premium'];
  let read: (() => void) | undefined;
  server.use(
    http.post('*/api/channels/smsc/prices/preview', async ({ request }) => {
      const { sheet = 'Prices' } = (await request.json()) as { sheet?: string };
      if (sheet === 'Premium') await new Promise<void>((resolve) => (read = resolve));
      if (sheet !== 'Cover') return HttpResponse.json({ ...PREVIEW, sheets, sheet });
      const unreadable = { ...refusal('', ''), code: 'unreadable_file', data: [] };
      return HttpResponse.json(unreadable, { status: 422 });
    }),
  );
  const { user } = await section();
  await user.click(await button('purchasePrices:upload'));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: /rates\.csv/ }));
  const sheet = await dialog.findByLabelText<HTMLSelectElement>(i18n.t('purchasePrices:sheet'));
  const isShown = () => !!dialog.queryByRole('table');
  expect([sheet.value, isShown()]).toEqual(['Prices', true]);
  await user.selectOptions(sheet, 'Cover');
  await expect
    .poll(() => [sheet.value, sheet.disabled, isShown()])
    .toEqual(['Cover', false, false]);
  await user.selectOptions(sheet, 'Premium');
  await expect.poll(() => [!!read, sheet.disabled, isShown()]).toEqual([true, true, true]);
  read!();
  await expect
    .poll(() => [sheet.value, sheet.disabled, isShown()])
    .toEqual(['Premium', false, true]);
});

test('the dialogs know the list in force, and name the planned one that ends new prices', async () => {
  const calls = serve([
    // On the first page, all of them in another currency.
    ...Array.from({ length: 10 }, (_, i) => ({
      ...PLANNED,
      id: `${PLANNED.id.slice(0, -2)}${90 - i}`,
      validFrom: `21${30 - i}-05-01T12:00:00.000Z`,
    })),
    IN_FORCE,
  ]);
  const { user } = await section();
  await user.click(await button('purchasePrices:enter'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(i18n.t('purchasePrices:enterText'))).toBeTruthy();
  expect(await dialog.findByText(/^They apply until .*2121/)).toBeTruthy();
  await user.type(dialog.getByLabelText(i18n.t('purchasePrices:validFrom')), '2125-06-01T12:00');
  expect(await dialog.findByText(/^They apply until .*2126/)).toBeTruthy();
  await user.type(
    dialog.getByRole('textbox', {
      name: (text) => text.startsWith(i18n.t('purchasePrices:destination')),
    }),
    'KZ',
  );
  await user.type(dialog.getByRole('spinbutton'), '1');
  await user.click(dialog.getByRole('button', { name: i18n.t('purchasePrices:save') }));
  await expect.poll(() => calls).toMatchObject([['create', { currency: 'EUR' }]]);
});

test('the only list of the last page is removed, and the page before it is shown', async () => {
  const lists = Array.from({ length: 11 }, (_, i) => ({
    ...FORMER,
    id: `${FORMER.id.slice(0, -2)}${90 - i}`,
    validFrom: `20${20 - i}-05-01T12:00:00.000Z`,
  }));
  serve(lists);
  const { user } = await section();
  await user.click(await button('purchasePrices:nextPage'));
  const remove = { name: /^Delete the price list/ };
  await expect.poll(() => screen.queryAllByRole('button', remove)).toHaveLength(1);
  await user.click(screen.getByRole('button', remove));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', remove));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await expect.poll(() => screen.queryAllByRole('button', remove)).toHaveLength(10);
  expect(screen.queryByText(i18n.t('purchasePrices:none'), { exact: false })).toBeNull();
});

test.each([
  ['planned', PLANNED],
  ['inForce', IN_FORCE],
  ['former', FORMER],
])('it is said what becomes of prices when a list is removed that is %s', async (state, one) => {
  serve([one]);
  const { user } = await section();
  await user.click(await screen.findByRole('button', { name: /^Delete the price list/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(i18n.t(`purchasePrices:removeText.${state}`))).toBeTruthy();
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
