import type { Invoice } from '@heliograph/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { InvoiceDrawer } from './invoice-drawer.tsx';

const ID = '01930000-0000-7000-8000-000000000301';
const INVOICE = {
  id: ID,
  OwnerId: 'owner',
  type: 'invoice',
  docNumber: '17',
  status: 'paid',
  amount: 100,
  currency: 'RUB',
  vatRate: null,
  company: { title: 'Tea House' },
  createdAt: '2026-11-20T10:00:00.000Z',
} as unknown as Invoice;

test('a document that could not be made is said, and asked for again', async () => {
  let asked = 0;
  server.use(
    http.get('*/api/n/invoices/:id', () => HttpResponse.json(INVOICE)),
    http.post('*/api/n/invoices/:id/document', () => {
      asked += 1;
      return HttpResponse.json({}, { status: 403 });
    }),
  );
  const { router, user } = await draw(<InvoiceDrawer />, { namespaces: ['invoices', 'storage'] });
  await act(() => router.navigate(`/here?id=${ID}`));
  await screen.findByText(i18n.t('invoices:detailFailed'));
  const download = screen.getByRole('button', { name: i18n.t('invoices:download') });
  expect(download.getAttribute('aria-busy')).toBe('false');
  const before = asked;
  await user.click(download);
  await screen.findByText(i18n.t('invoices:detailFailed'));
  expect(asked).toBeGreaterThan(before);
});

test('a download after a failed read reads again and downloads', async () => {
  let asked = 0;
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  server.use(
    http.get('*/api/n/invoices/:id', () => HttpResponse.json(INVOICE)),
    http.post('*/api/n/invoices/:id/document', () => {
      asked += 1;
      if (asked === 1) return HttpResponse.json({}, { status: 403 });
      return HttpResponse.json({ documentId: 'document' });
    }),
    http.get('*/api/storage/document/ticket', () =>
      HttpResponse.json({ url: '#', expiresAt: new Date(Date.now() + 900_000) }),
    ),
  );
  queryClient.clear();
  const { router, user } = await draw(<InvoiceDrawer />, { namespaces: ['invoices', 'storage'] });
  await act(() => router.navigate(`/here?id=${ID}`));
  await screen.findByText(i18n.t('invoices:detailFailed'));
  await user.click(screen.getByRole('button', { name: i18n.t('invoices:download') }));
  await waitFor(() => expect(click).toHaveBeenCalledOnce());
});

test.each([
  ['pending', true],
  ['rejected', false],
])('an invoice that is %s can be sent: %s', async (status, isSendable) => {
  server.use(
    http.get('*/api/n/invoices/:id', () => HttpResponse.json({ ...INVOICE, status })),
    http.post('*/api/n/invoices/:id/document', () => HttpResponse.json({}, { status: 403 })),
  );
  queryClient.clear();
  const { router } = await draw(<InvoiceDrawer />, { namespaces: ['invoices', 'storage'] });
  await act(() => router.navigate(`/here?id=${ID}`));
  await screen.findByRole('button', { name: i18n.t('invoices:download') });
  const send = screen.queryByRole('button', { name: i18n.t('invoices:send') });
  expect(send !== null).toBe(isSendable);
});
