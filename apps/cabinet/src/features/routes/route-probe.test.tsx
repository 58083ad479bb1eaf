import type { RouteProbe as Probed } from '@heliograph/contract';
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { RouteProbe } from './route-probe.tsx';

const PROBED: Probed = {
  recipient: '+79161234567',
  country: 'RU',
  mccmnc: '25001',
  operator: 'MTS',
  lookedUpAt: '2026-03-02T09:00:00.000Z',
  route: { id: '01930000-0000-7000-8000-0000000000a1', title: 'Codes' },
  channel: 'aggregator',
  channels: [
    { name: 'direct', weight: null, share: null, state: 'down' },
    { name: 'aggregator', weight: null, share: null, state: 'working' },
  ],
  passed: [{ id: '01930000-0000-7000-8000-0000000000a2', title: 'Germany', unmet: 'countries' }],
  amount: 3.5,
  currency: 'RUB',
};
const t = (key: string, values = {}) => i18n.t(key as 'routes:title', values);

test('tells which way a message takes, and why none of the routes before', async () => {
  let asked: unknown;
  server.use(
    http.post('*/api/routes/probe', async ({ request }) => {
      asked = await request.json();
      return HttpResponse.json(PROBED);
    }),
  );
  const { user } = await draw(<RouteProbe opened onClose={() => {}} />, {
    namespaces: ['routes'],
    settings: { permissions: { 'routes.get': 'manager' }, frontend: { brand: 'main' } },
  });
  const dialog = await screen.findByRole('dialog', { name: t('routes:probe.title') });
  const paste = async (label: string, text: string) => {
    await user.click(within(dialog).getByRole('textbox', { name: label }));
    await user.paste(text);
  };
  await paste(t('routes:probe.recipient'), '89161234567');
  await paste(t('routes:probe.sender'), 'MIRTEA');
  await user.click(within(dialog).getByRole('button', { name: t('routes:probe.submit') }));
  await within(dialog).findByText(t('routes:probe.by', { channel: 'aggregator', route: 'Codes' }));
  expect(asked).toMatchObject({ recipient: '89161234567', sender: 'MIRTEA', kind: 'single' });
  const lookedUp = t('routes:probe.lookedUp', { time: '' }).trim();
  expect(dialog.textContent).toContain(lookedUp);
  expect(dialog.textContent).not.toContain(t('routes:probe.byPrefix'));
  expect(dialog.textContent).toContain(`direct · ${t('routes:state.down')}`);
  expect(dialog.textContent).toContain(`Germany: ${t('routes:unmet.countries')}`);
});
