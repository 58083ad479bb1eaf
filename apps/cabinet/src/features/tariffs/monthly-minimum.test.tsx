import type { MonthlyMinimum } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { MonthlyMinimumForm } from './monthly-minimum-form.tsx';
import { MonthlyMinimumPanel } from './monthly-minimum-panel.tsx';

const OWNER = '01930000-0000-7000-8000-0000000000a1';
const VALUE: MonthlyMinimum = {
  OwnerId: OWNER,
  currency: 'RUB',
  minimum: 1000,
  spent: 340,
  fee: 660,
  startsAt: '2026-10-31T21:00:00.000Z',
  endsAt: '2026-11-30T21:00:00.000Z',
  next: 2000,
  unpaid: 0,
};
const words = (name: string, values = {}) => i18n.t(`monthlyMinimum:${name}` as never, values);
const answer = (value: MonthlyMinimum) =>
  server.use(http.get('*/api/monthlyMinimum', () => HttpResponse.json(value)));

test('the tariffs say what is used of the minimum, what is charged and what comes next', async () => {
  answer(VALUE);
  await draw(<MonthlyMinimumPanel />, { namespaces: ['monthlyMinimum'] });
  const used = words('used', { spent: '₽340.00', minimum: '₽1,000.00' });
  expect(await screen.findByRole('progressbar', { name: used })).toBeTruthy();
  expect(screen.getByText(words('fee', { fee: '₽660.00', date: 'Nov 30, 2026' }))).toBeTruthy();
  const next = words('next', { minimum: '₽2,000.00', date: 'Dec 1, 2026' });
  expect(screen.getByText(next)).toBeTruthy();
});

test('an empty field removes the minimum', async () => {
  const bodies: unknown[] = [];
  server.use(
    http.put('*/api/users/:id/monthlyMinimum', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ ...VALUE, minimum: 0, next: 0 });
    }),
  );
  let isClosed = false;
  const { user } = await draw(
    <MonthlyMinimumForm value={VALUE} onClose={() => (isClosed = true)} />,
    { namespaces: ['monthlyMinimum'] },
  );
  await user.clear(screen.getByLabelText(words('amount')));
  await user.click(screen.getByRole('button', { name: words('save') }));
  await expect.poll(() => isClosed).toBe(true);
  expect(bodies).toEqual([{ minimum: 0 }]);
});
