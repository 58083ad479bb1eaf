import type { Channel, ChannelDriver } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ChannelForm } from './channel-form.tsx';

const driver = (name: string, types: ChannelDriver['types']): ChannelDriver => ({
  name,
  types,
  options: [],
  presets: [],
  canRehearse: false,
});
const drivers = [driver('http', ['sms', 'email', 'viber']), driver('smtp', ['email'])];

test('a channel is offered the types that its driver carries, and keeps those it had', async () => {
  const { user } = await draw(<ChannelForm row={null} drivers={drivers} onClose={() => {}} />, {
    namespaces: ['channels', 'common'],
  });
  const box = (type: string) =>
    screen.queryByRole<HTMLInputElement>('checkbox', { name: i18n.t(`common:type.${type}`) });
  await user.click(box('sms')!);
  await user.click(box('email')!);
  await user.selectOptions(screen.getByLabelText(i18n.t('channels:driver')), 'smtp');
  expect(box('sms')).toBeNull();
  expect(box('email')!.checked).toBe(true);
  await user.selectOptions(screen.getByLabelText(i18n.t('channels:driver')), 'http');
  expect(box('sms')!.checked).toBe(false);
  expect(box('email')!.checked).toBe(true);
});

test('limits of sender names and destinations are added, changed and removed', async () => {
  const bodies: { limits: unknown }[] = [];
  server.use(
    http.put('*/api/channels/smsc', async ({ request }) => {
      bodies.push((await request.json()) as { limits: unknown });
      return HttpResponse.json(row);
    }),
  );
  const none = { sender: null, country: null, mccmnc: null, rate: null, burst: null, perDay: null };
  const row = {
    id: 'smsc',
    name: 'smsc',
    driver: 'http',
    types: ['sms'],
    isActive: true,
    priority: 10,
    needsRegistration: false,
    rate: null,
    burst: null,
    perDay: null,
    warmUp: null,
    limits: [
      { ...none, sender: 'MIRTEA', rate: 1.5 },
      { ...none, mccmnc: '401*', perDay: 100 },
    ],
    options: {},
    secrets: [],
  } as unknown as Channel;
  const close = vi.fn<() => void>();
  const { user } = await draw(<ChannelForm row={row} drivers={drivers} onClose={close} />, {
    namespaces: ['channels', 'common', 'errors'],
  });
  await user.click(
    screen.getByRole('button', { name: i18n.t('channels:removeLimit', { number: 2 }) }),
  );
  await user.click(screen.getByRole('button', { name: i18n.t('channels:addLimit') }));
  await user.click(screen.getByRole('button', { name: i18n.t('channels:save') }));
  // An empty one is refused by what it lacks; no single field of it has to be filled in.
  expect(screen.getAllByText(i18n.t('errors:rule.one_condition')).length).toBeGreaterThan(0);
  expect(screen.getAllByText(i18n.t('errors:rule.one_limit')).length).toBeGreaterThan(0);
  expect(screen.queryByText(i18n.t('errors:rule.required'))).toBeNull();
  const [, country] = screen.getAllByLabelText(i18n.t('channels:limitOf.country'));
  await user.type(country!, 'kz');
  const [, , perDay] = screen.getAllByLabelText(i18n.t('channels:limit.perDay'));
  await user.type(perDay!, '200');
  await user.click(screen.getByRole('button', { name: i18n.t('channels:save') }));
  await vi.waitFor(() => expect(close).toHaveBeenCalled());
  expect(bodies).toMatchObject([
    {
      limits: [
        { ...none, sender: 'MIRTEA', rate: 1.5 },
        { ...none, country: 'KZ', perDay: 200 },
      ],
    },
  ]);
});
