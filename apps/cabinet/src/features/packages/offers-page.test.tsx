import type { PackageOffer } from '@heliograph/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, server } from '../../../test/server.ts';
import { createFormats } from '../../core/formats.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { OffersPage } from './offers-page.tsx';

const OFFER: PackageOffer = {
  id: '01930000-0000-7000-8000-0000000000c1',
  title: 'Two thousand',
  types: ['sms'],
  mccmnc: ['250*'],
  units: 2000,
  price: 2500,
  currency: 'RUB',
  days: 30,
  isActive: true,
  sales: { packages: 12, unitsLeft: 7400 },
  createdAt: '2026-07-01T12:00:00.000Z',
};
const t = (key: string, values = {}) => i18n.t(key as 'packageOffers:title', values);

async function drawn() {
  server.use(
    http.get('*/api/packageOffers', () =>
      HttpResponse.json({ data: [OFFER], total: 1, limit: 20, offset: 0 }),
    ),
    http.get(`*/api/packageOffers/${OFFER.id}`, () => HttpResponse.json(OFFER)),
    http.get('*/api/operators', () =>
      HttpResponse.json({
        data: [
          { mccmnc: '250*', name: null, country: 'RU' },
          { mccmnc: '25001', name: 'First', country: 'RU' },
        ],
      }),
    ),
  );
  const permissions = {
    'packages.get': 'manager',
    'packageOffers.create': 'manager',
    'packageOffers.update': 'manager',
  };
  const { user } = await draw(<OffersPage />, {
    namespaces: ['packageOffers', 'packages', 'common', 'list'],
    settings: { permissions },
  });
  const networks = t('common:anyOperator', {
    country: createFormats(i18n.language, 'RUB').region('RU'),
  });
  await screen.findByText(t('packages:coversNetworks', { types: t('common:type.sms'), networks }));
  return user;
}

test('lists offers with what was sold, and their networks by name', async () => {
  await drawn();
  const row = screen.getByRole('row', { name: /Two thousand/ });
  for (const text of ['12', '7,400', t('packageOffers:active')])
    expect(within(row).getByText(text)).toBeTruthy();
});

test('searches offers by title', async () => {
  const user = await drawn();
  const searches: (string | null)[] = [];
  server.use(
    http.get('*/api/packageOffers', ({ request }) => {
      searches.push(new URL(request.url).searchParams.get('$search'));
      return HttpResponse.json({ data: [], total: 0, limit: 20, offset: 0 });
    }),
  );
  await user.type(screen.getByLabelText(t('packageOffers:search')), 'thousand');
  await waitFor(() => expect(searches.at(-1)).toBe('thousand'));
});

test('offers a package, whose networks are named while they are typed', async () => {
  const user = await drawn();
  const bodies = accept('post', '/packageOffers', OFFER);
  await user.click(screen.getByRole('button', { name: t('packageOffers:create') }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText(t('packageOffers:name'), { exact: false }), 'Five hundred');
  await user.type(
    dialog.getByLabelText(t('packageOffers:networks'), { selector: 'input' }),
    '25001{Enter}',
  );
  expect(await dialog.findByText(/^25001: First/)).toBeTruthy();
  await user.type(dialog.getByRole('spinbutton', { name: /^Units/ }), '500');
  await user.type(dialog.getByRole('spinbutton', { name: /^Price/ }), '450.5');
  await user.click(dialog.getByRole('button', { name: t('packageOffers:createSubmit') }));
  await waitFor(() =>
    expect(bodies).toEqual([
      {
        title: 'Five hundred',
        types: ['sms'],
        mccmnc: ['25001'],
        units: 500,
        days: 30,
        price: 450.5,
        currency: 'RUB',
        isActive: true,
      },
    ]),
  );
});

test('ends an offer', async () => {
  const user = await drawn();
  const bodies = accept('put', `/packageOffers/${OFFER.id}`, { ...OFFER, isActive: false });
  await user.click(screen.getByText('Two thousand'));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('checkbox', { name: t('packageOffers:isActive') }));
  await user.click(dialog.getByRole('button', { name: t('packageOffers:save') }));
  const { id: _, createdAt: __, sales: ___, ...body } = OFFER;
  await waitFor(() => expect(bodies).toEqual([{ ...body, isActive: false }]));
});
