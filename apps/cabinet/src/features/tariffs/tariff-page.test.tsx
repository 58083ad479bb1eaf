import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { CreateTariffPage, EditTariffPage } from './tariff-page.tsx';

/** Of all pages of a tariff. */
const PATH = '/tariffCatalogue/*';
const NAMESPACES = ['tariffCatalogue', 'tariffs'];
const settings = {
  permissions: {
    'tariffs.create': 'manager',
    'tariffs.update': 'manager',
    'tariffs.get': 'manager',
  },
};
const ID = '01930000-0000-7000-8000-0000000000a1';
const RULE = {
  action: 'increase',
  price: 2,
  conditions: [{ tag: 'type', value: 'sms' }],
  priority: 0,
};
const CALL = {
  id: '8',
  action: 'increase',
  price: [1, 0.5],
  conditions: [{ tag: 'type', value: 'voice' }],
  priority: 0,
  byLength: { first: 60, interval: 1 },
};
const TARIFF = {
  id: ID,
  title: 'Gold',
  source: 'standard',
  isDefault: false,
  accounts: 1,
  version: 2,
  rules: [{ id: '7', ...RULE }],
  volumeSteps: [{ from: 10_000, percent: 5 }],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const version = (number: number, price: number, isInForce: boolean) => ({
  number,
  startsAt: '2026-01-01T00:00:00.000Z',
  isInForce,
  rules: [{ id: String(number), ...RULE, price }],
  volumeSteps: number > 1 ? TARIFF.volumeSteps : [{ from: 500, percent: 12.5 }],
  Author: { id: ID, username: 'olga' },
  createdAt: '2026-01-01T00:00:00.000Z',
});

function serve() {
  const bodies: unknown[] = [];
  const probes: { volume?: number; draft?: { rules: unknown[] } }[] = [];
  const save = async ({ request }: { request: Request }) => {
    bodies.push(await request.json());
    return HttpResponse.json(TARIFF, { status: request.method === 'POST' ? 201 : 200 });
  };
  server.use(
    http.get(/\/api\/tariffCatalogue\/$/, () => HttpResponse.json(TARIFF)),
    http.get('*/api/tariffCatalogue/:id/versions', () =>
      HttpResponse.json({
        data: [version(2, 2, true), version(1, 5, false)],
        total: 2,
        limit: 20,
        offset: 0,
      }),
    ),
    http.post('*/api/tariffs', save),
    http.put('*/api/tariffs/:id', save),
    http.post('*/api/tariffs/probe', async ({ request }) => {
      probes.push((await request.json()) as never);
      return HttpResponse.json({
        price: [2],
        multiplier: 1,
        amount: 2,
        currency: 'RUB',
        mccmnc: '25001',
        operator: 'MTS',
        group: 'advertising',
        volume: { units: 10_000, step: { from: 10_000, percent: 5 }, next: null },
        rules: [{ id: '1', ...RULE, TariffId: null, tariff: '', version: 0 }],
      });
    }),
  );
  return { bodies, probes };
}
const button = (key: string) => screen.getByRole('button', { name: i18n.t(key) });

test('a tariff is made of rules that are said in sentences', async () => {
  const { bodies } = serve();
  const { user } = await draw(<CreateTariffPage />, {
    namespaces: NAMESPACES,
    settings,
    path: PATH,
  });
  await user.type(
    screen.getByRole('textbox', { name: new RegExp(`^${i18n.t('tariffs:name')}`) }),
    'Gold',
  );
  await user.click(button('tariffCatalogue:addRule'));
  const dialog = within(await screen.findByRole('dialog'));
  const take = dialog.getByRole('button', { name: i18n.t('tariffCatalogue:takeRule') });
  // Without a price it is marked where the price is.
  await user.click(take);
  const price = dialog.getByRole('spinbutton', {
    name: (text) => text.startsWith(i18n.t('tariffCatalogue:perCall')),
  });
  await waitFor(() => expect(price.getAttribute('aria-invalid')).toBe('true'));
  await user.type(price, '1.25');
  await user.click(dialog.getByRole('button', { name: i18n.t('tariffCatalogue:addCondition') }));
  await user.selectOptions(dialog.getByLabelText(i18n.t('tariffCatalogue:tag')), 'mccmnc');
  await user.type(
    dialog.getByLabelText(i18n.t('tariffCatalogue:values'), {
      selector: 'input:not([type=hidden])',
    }),
    '401*{Enter}',
  );
  await user.click(take);
  expect(await screen.findByText(/1[.,]25/)).toBeTruthy();
  await user.click(button('tariffCatalogue:create'));
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toEqual({
    title: 'Gold',
    source: 'any',
    isDefault: false,
    rules: [
      {
        action: 'increase',
        price: 1.25,
        priority: 0,
        conditions: [{ tag: 'mccmnc', value: '401*' }],
      },
    ],
    volumeSteps: [],
  });
});

test('volume steps are said in sentences, tried at a volume, and marked where they do not rise', async () => {
  const { bodies, probes } = serve();
  const { user } = await draw(<EditTariffPage />, { namespaces: NAMESPACES, settings, path: PATH });
  const sentence = (from: string, percent: string) =>
    i18n.t('tariffs:steps.sentence', { from, percent });
  // Of the version in force, and of the former one.
  expect(await screen.findByText(sentence('10,000', '5'))).toBeTruthy();
  expect(screen.getByText(sentence('500', '12.5'))).toBeTruthy();
  await user.type(await screen.findByLabelText(i18n.t('tariffCatalogue:probe.volume')), '10000');
  await user.type(
    screen.getByLabelText(new RegExp(i18n.t('tariffs:calculator.phone'))),
    '+79161234567',
  );
  expect(await screen.findByText(i18n.t('tariffCatalogue:probe.step'))).toBeTruthy();
  expect(probes.at(-1)).toMatchObject({
    volume: 10_000,
    draft: { volumeSteps: TARIFF.volumeSteps },
  });
  await user.click(
    await screen.findByRole('button', { name: i18n.t('tariffCatalogue:steps.add') }),
  );
  const fields = (key: string) =>
    screen.getAllByRole('spinbutton', { name: (text) => text.startsWith(i18n.t(key as never)) });
  await user.type(fields('tariffCatalogue:steps.from')[1]!, '100000');
  const percent = fields('tariffCatalogue:steps.percent')[1]!;
  await user.type(percent, '5');
  await user.click(button('tariffCatalogue:save'));
  await waitFor(() => expect(percent.getAttribute('aria-invalid')).toBe('true'));
  expect(bodies).toHaveLength(0);
  await user.clear(percent);
  await user.type(percent, '12.5');
  await user.click(button('tariffCatalogue:save'));
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({
    volumeSteps: [
      { from: 10_000, percent: 5 },
      { from: 100_000, percent: 12.5 },
    ],
  });
});

test('rules are tried before they are saved, and those of a former version are taken again', async () => {
  const { bodies, probes } = serve();
  const { user } = await draw(<EditTariffPage />, { namespaces: NAMESPACES, settings, path: PATH });
  await user.type(
    await screen.findByLabelText(new RegExp(i18n.t('tariffs:calculator.phone'))),
    '+79161234567',
  );
  expect(await screen.findByText(/MTS/)).toBeTruthy();
  expect(probes.at(-1)).toMatchObject({
    recipient: '+79161234567',
    draft: { source: 'standard', rules: [RULE] },
  });
  const title = i18n.t('tariffCatalogue:versionNumber', { number: '1' });
  await user.click(
    await screen.findByRole('button', {
      name: i18n.t('tariffCatalogue:versions.takeOf', { title }),
    }),
  );
  await user.click(button('tariffCatalogue:save'));
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({
    source: 'standard',
    rules: [{ price: 5 }],
    volumeSteps: [{ from: 500, percent: 12.5 }],
  });
  expect(bodies[0]).not.toHaveProperty('startsAt');
});

test('prices of calls by their length stay so when a tariff is saved, and come back with a former version', async () => {
  const { bodies } = serve();
  const { id: _, ...call } = CALL;
  server.use(
    http.get(/\/api\/tariffCatalogue\/$/, () => HttpResponse.json({ ...TARIFF, rules: [CALL] })),
    http.get('*/api/tariffCatalogue/:id/versions', () => {
      const former = { first: 6, interval: 6 };
      const data = [
        { ...version(2, 2, true), rules: [CALL] },
        { ...version(1, 5, false), rules: [{ ...CALL, id: '1', byLength: former }] },
      ];
      return HttpResponse.json({ data, total: 2, limit: 20, offset: 0 });
    }),
  );
  const { user } = await draw(<EditTariffPage />, { namespaces: NAMESPACES, settings, path: PATH });
  const name = await screen.findByRole('textbox', {
    name: new RegExp(`^${i18n.t('tariffs:name')}`),
  });
  await user.type(name, ' calls');
  await user.click(button('tariffCatalogue:save'));
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ title: 'Gold calls' });
  expect(bodies[0]).toHaveProperty('rules', [call]);
  const title = i18n.t('tariffCatalogue:versionNumber', { number: '1' });
  await user.click(
    await screen.findByRole('button', {
      name: i18n.t('tariffCatalogue:versions.takeOf', { title }),
    }),
  );
  await user.click(button('tariffCatalogue:save'));
  await waitFor(() => expect(bodies).toHaveLength(2));
  expect(bodies[1]).toHaveProperty('rules', [{ ...call, byLength: { first: 6, interval: 6 } }]);
});

test('only of a call it is said what it costs at most', async () => {
  serve();
  const rule = { ...CALL, conditions: [], TariffId: null, tariff: '', version: 0 };
  const call = Promise.withResolvers<void>();
  const asked: string[] = [];
  server.use(
    http.post('*/api/tariffs/probe', async ({ request }) => {
      asked.push(((await request.json()) as { type: string }).type);
      if (asked.at(-1) === 'voice') await call.promise;
      return HttpResponse.json({
        price: [7.25],
        multiplier: 1,
        amount: 7.25,
        currency: 'RUB',
        mccmnc: '25001',
        operator: 'MTS',
        group: 'advertising',
        rules: [rule],
      });
    }),
  );
  const { user } = await draw(<EditTariffPage />, { namespaces: NAMESPACES, settings, path: PATH });
  await user.type(
    await screen.findByLabelText(new RegExp(i18n.t('tariffs:calculator.phone'))),
    '+79161234567',
  );
  const upTo = new RegExp(i18n.t('common:upTo', { amount: '.*7[.,]25' }));
  expect((await screen.findByText(/7[.,]25/)).textContent).not.toMatch(upTo);
  const probe = screen.getByRole('region', { name: i18n.t('tariffCatalogue:probe.title') });
  const type = within(probe).getByRole('combobox', { name: i18n.t('tariffs:calculator.type') });
  await user.selectOptions(type, 'voice');
  // Until its answer comes, the one of the text message is shown as what it is.
  await waitFor(() => expect(asked.at(-1)).toBe('voice'));
  expect(screen.getByText(/7[.,]25/).textContent).not.toMatch(upTo);
  call.resolve();
  expect(await screen.findByText(upTo)).toBeTruthy();
});

test('a reseller makes tariffs for its customers, not for all new accounts', async () => {
  const { bodies } = serve();
  const { user } = await draw(<CreateTariffPage />, {
    namespaces: NAMESPACES,
    path: PATH,
    settings: {
      permissions: { 'tariffs.create': 'reseller', 'tariffs.update': 'reseller' },
      session: { UserId: 'user', OwnerId: 'owner', level: 'reseller' },
    },
  });
  expect(screen.queryByLabelText(i18n.t('tariffCatalogue:isDefault'))).toBeNull();
  expect(screen.getByText(i18n.t('tariffCatalogue:ofReseller'))).toBeTruthy();
  await user.type(
    screen.getByRole('textbox', { name: new RegExp(`^${i18n.t('tariffs:name')}`) }),
    'Silver',
  );
  await user.click(button('tariffCatalogue:create'));
  await waitFor(() => expect(bodies).toMatchObject([{ title: 'Silver', isDefault: false }]));
});

test('the rules on the page are compared with those in force, by account and by network', async () => {
  serve();
  const asked: { second: { draft?: { rules: unknown[] } } }[] = [];
  const sums = {
    currency: 'RUB',
    messages: 120,
    compared: 100,
    billed: 200,
    first: 200,
    second: 208.2,
    difference: 8.2,
    percent: 4.1,
    withoutFirst: 0,
    withoutSecond: 20,
    unknown: 0,
  };
  const row = { OwnerId: ID, username: 'mirtea', type: null, mccmnc: null, operator: null };
  const ofNetwork = { ...row, type: 'sms', mccmnc: '25001', operator: 'MTS', country: 'RU' };
  const answer = (state: string, data: object[] = []) => ({
    id: ID,
    state,
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-02-01T00:00:00.000Z',
    processed: state === 'completed' ? 120 : 0,
    total: 120,
    isCut: false,
    totals: data.length ? [sums] : [],
    data,
    hasMore: false,
  });
  server.use(
    http.post('*/api/tariffs/comparisons', async ({ request }) => {
      asked.push((await request.json()) as never);
      return HttpResponse.json(answer('pending'), { status: 201 });
    }),
    http.get('*/api/tariffs/comparisons/:id', ({ request }) => {
      const isOfAccount = new URL(request.url).searchParams.has('OwnerId');
      const data = isOfAccount ? ofNetwork : { ...row, country: null };
      return HttpResponse.json(answer('completed', [{ ...data, ...sums }]));
    }),
  );
  const { user } = await draw(<EditTariffPage />, { namespaces: NAMESPACES, settings, path: PATH });
  await user.click(
    await screen.findByRole('button', { name: i18n.t('tariffCatalogue:compare.open') }),
  );
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: i18n.t('tariffCatalogue:compare.start') }));
  const account = await dialog.findByRole('button', { name: 'mirtea' });
  expect(asked).toMatchObject([
    {
      first: { TariffId: ID, version: 2 },
      second: { draft: { source: 'standard', rules: [RULE] } },
    },
  ]);
  expect(dialog.getAllByText(/^\+4[.,]1\s?%$/)).toHaveLength(2);
  expect(
    dialog.getAllByText(i18n.t('tariffCatalogue:compare.withoutSecond', { number: '20' })),
  ).toHaveLength(2);
  await user.click(account);
  expect(await dialog.findByText(/MTS/)).toBeTruthy();
});
