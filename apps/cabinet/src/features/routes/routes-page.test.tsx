import type { Route } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { createFormats } from '../../core/formats.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { RoutesPage } from './routes-page.tsx';

const ROUTE: Route = {
  id: '01930000-0000-7000-8000-0000000000a1',
  title: 'Codes',
  isActive: false,
  priority: 7,
  types: ['sms'],
  kinds: ['code'],
  countries: ['RU'],
  operators: [],
  senders: [],
  OwnerIds: [],
  GroupIds: [],
  channels: [
    { ChannelId: 'direct', weight: 1 },
    { ChannelId: 'aggregator', weight: 1 },
  ],
  isWeighted: false,
  failoverAfter: 60,
  shiftsShares: false,
  lateAfter: 300,
  shares: [],
  Owners: [],
  Groups: [],
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
};
const t = (key: string, values = {}) => i18n.t(key as 'routes:title', values);

beforeEach(() => {
  answer(ROUTE);
});
const answer = (route: Route) =>
  server.use(http.get('*/api/routes', () => HttpResponse.json({ data: [route], total: 1 })));
const drawn = (permissions: object) =>
  draw(<RoutesPage />, {
    namespaces: ['routes'],
    settings: { permissions, frontend: { brand: 'main' } },
  });

test('shows for which messages a route is, and its channels; who only reads changes nothing', async () => {
  await drawn({ 'routes.get': 'manager' });
  await screen.findByText('Codes');
  const conditions = [t('common:type.sms'), t('routes:kind.code'), 'RU'].join(' · ');
  expect(screen.queryByText(conditions)).not.toBeNull();
  expect(screen.queryByText('direct → aggregator')).not.toBeNull();
  expect(screen.queryByText(t('routes:off'))).not.toBeNull();
  expect(screen.queryByRole('button', { name: t('routes:create') })).toBeNull();
  expect(screen.queryByRole('button', { name: t('routes:remove', { title: 'Codes' }) })).toBeNull();
});

test('shows what the channels of a route that shifts shares get now', async () => {
  const shares = [
    { ChannelId: 'direct', share: 400 },
    { ChannelId: 'aggregator', share: 600 },
  ];
  answer({ ...ROUTE, isWeighted: true, shiftsShares: true, shares });
  await drawn({ 'routes.get': 'manager' });
  const { percent } = createFormats(i18n.language, 'EUR');
  const text = `direct 1 (${percent(0.4)}) : aggregator 1 (${percent(0.6)})`;
  expect(await screen.findByText(text.replaceAll(/\s/g, ' '))).not.toBeNull();
});
