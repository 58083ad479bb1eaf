import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { RecurrentPaymentsPage } from './recurrent-payments-page.tsx';

test('the list is filtered by when a payment was created, and the header names the period', async () => {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/recurrentPayments', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ data: [], total: 0, limit: 20, offset: 0 });
    }),
  );
  await draw(<RecurrentPaymentsPage />, {
    namespaces: ['recurrentPayments', 'payments', 'list'],
    at: '/here?period=today',
  });
  const title = await screen.findByRole('heading', { level: 1 });
  expect(title.parentElement!.textContent).toContain(i18n.t('list:period.today'));
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect([...asked[0]!.keys()]).toContain('createdAt[$gt]');
});
