import type { MessagePackage, PackageOffer } from '@heliograph/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { createFormats } from '../../core/formats.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { PackagesDialog } from './packages-dialog.tsx';

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
  createdAt: '2026-07-01T12:00:00.000Z',
};
const OWN: MessagePackage = {
  id: '01930000-0000-7000-8000-0000000000c2',
  OwnerId: '01930000-0000-7000-8000-0000000000a1',
  OfferId: OFFER.id,
  title: 'A thousand',
  types: ['sms', 'viber'],
  mccmnc: [],
  units: 1000,
  unitsLeft: 640,
  price: 1500,
  currency: 'RUB',
  endsAt: '2026-08-01T12:00:00.000Z',
  createdAt: '2026-07-01T12:00:00.000Z',
};
const t = (key: string, values = {}) => i18n.t(key as 'packages:title', values);

const drawn = async (permissions: Record<string, string>, offers: PackageOffer[] = [OFFER]) => {
  const bought: unknown[] = [];
  const pageOf = (data: object[]) => ({ data, total: data.length, limit: 20, offset: 0 });
  server.use(
    http.get('*/api/packages', () => HttpResponse.json(pageOf([OWN]))),
    http.get('*/api/packageOffers', () =>
      HttpResponse.json(
        pageOf([...offers, { ...OFFER, id: OWN.id, title: 'Ended', isActive: false }]),
      ),
    ),
    http.post('*/api/packages', async ({ request }) => {
      bought.push(await request.json());
      return HttpResponse.json(OWN, { status: 201 });
    }),
  );
  const session = { UserId: OWN.OwnerId, OwnerId: OWN.OwnerId, level: 'me' };
  const { user } = await draw(<PackagesDialog OwnerId={OWN.OwnerId} onClose={() => {}} />, {
    namespaces: ['packages', 'common'],
    settings: { permissions, session },
  });
  const formats = createFormats(i18n.language, 'RUB');
  const left = { left: '640', units: formats.number(1000), date: formats.dateTime(OWN.endsAt) };
  await screen.findByText(t('packages:left', left));
  return { user, bought, price: formats.money(2500) };
};

test('shows what is left, and buys an offer for the price that is shown', async () => {
  const { user, bought, price } = await drawn({ 'packages.get': 'me', 'packages.create': 'me' });
  const offers = await screen.findByRole('region', { name: t('packages:offers') });
  expect(within(offers).queryByText('Ended')).toBeNull();
  await user.click(within(offers).getByRole('button', { name: t('packages:buy', { price }) }));
  await waitFor(() => expect(bought).toEqual([{ OfferId: OFFER.id, price: 2500 }]));
});

test('a member who may only read is offered nothing', async () => {
  await drawn({ 'packages.get': 'me' });
  expect(screen.queryByRole('region', { name: t('packages:offers') })).toBeNull();
  expect(screen.queryByText(t('packages:noOffers'))).toBeNull();
});

test('who is offered nothing is told why, and what to do', async () => {
  await drawn({ 'packages.get': 'me', 'packages.create': 'me' }, []);
  await screen.findByText(t('packages:noOffers'));
  expect(screen.queryByRole('region', { name: t('packages:offers') })).toBeNull();
});
