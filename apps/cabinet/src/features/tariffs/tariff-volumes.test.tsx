import type { TariffVolume } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { TariffVolumes } from './tariff-volumes.tsx';

const VALUE: TariffVolume = {
  TariffId: '01930000-0000-7000-8000-0000000000a1',
  tariff: 'Gold',
  startsAt: '2026-10-31T21:00:00.000Z',
  endsAt: '2026-11-30T21:00:00.000Z',
  units: 12_000,
  step: { from: 10_000, percent: 5 },
  next: { from: 100_000, percent: 12.5 },
  left: 88_000,
};
const words = (name: string, values = {}) => i18n.t(`tariffs:steps.${name}` as never, values);
const drawn = (data: TariffVolume[]) => {
  server.use(http.get('*/api/tariffVolumes', () => HttpResponse.json({ data })));
  return draw(<TariffVolumes />, { namespaces: ['tariffs'] });
};

test('the step in force, what was used this month and what is left to the next one', async () => {
  await drawn([VALUE]);
  const used = words('used', { title: 'Gold', units: '12,000' });
  expect(await screen.findByRole('progressbar', { name: used })).toBeTruthy();
  expect(screen.getByText(words('inForce', { percent: '5' }))).toBeTruthy();
  expect(screen.getByText(words('left', { percent: '12.5', left: '88,000' }))).toBeTruthy();
});

test('before the first step, and after the last one', async () => {
  await drawn([
    { ...VALUE, units: 1, step: null, next: VALUE.step, left: 9999 },
    { ...VALUE, TariffId: '01930000-0000-7000-8000-0000000000a2', next: null, left: null },
  ]);
  expect(await screen.findByText(words('before'))).toBeTruthy();
  expect(screen.getByText(words('last'))).toBeTruthy();
  expect(screen.getAllByRole('progressbar')).toHaveLength(1);
});
