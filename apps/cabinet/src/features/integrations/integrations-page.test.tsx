import type { Integration } from '@heliograph/contract';
import { act, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { IntegrationsPage } from './integrations-page.tsx';
import { integrationsQuery } from './integrations.api.ts';

const ROW = { id: 'shop', kind: 'crm', title: 'Shop', sender: 'ANNA', state: 'working' };
const URL_ONCE = 'https://example.com/api/integrations/in/secret';

test('a URL that is shown once stays when the list cannot be read again', async () => {
  server.use(
    http.get('*/api/integrations', () =>
      HttpResponse.json({ data: [{ ...ROW, isActive: true } as Integration], total: 1 }),
    ),
    http.post('*/api/integrations/shop/rotate', () => HttpResponse.json({ ...ROW, url: URL_ONCE })),
  );
  const { user } = await draw(<IntegrationsPage />, {
    namespaces: ['integrations'],
    settings: {
      permissions: { 'integrations.update': 'manager' },
      frontend: { brand: 'main' },
    },
  });
  const rotate = { name: i18n.t('integrations:rotate', { title: 'Shop' }) };
  await user.click(await screen.findByRole('button', rotate));
  await user.click(
    await screen.findByRole('button', { name: i18n.t('integrations:rotateSubmit') }),
  );
  const title = { name: i18n.t('integrations:copyTitle') };
  await screen.findByRole('dialog', title);
  server.use(http.get('*/api/integrations', () => new HttpResponse(null, { status: 403 })));
  const { queryKey } = integrationsQuery('owner');
  await act(() => queryClient.refetchQueries({ queryKey }));
  expect(queryClient.getQueryState(queryKey)?.status).toBe('error');
  expect(screen.queryByRole('dialog', title)).not.toBeNull();
});

test('a refused call leads to the page of its error', async () => {
  const refusal = { code: 'insufficient_funds', fields: [], reason: null };
  const row = { ...ROW, isActive: true, error: 'The balance is too low.', refusal } as never;
  server.use(http.get('*/api/integrations', () => HttpResponse.json({ data: [row], total: 1 })));
  await draw(<IntegrationsPage />, {
    namespaces: ['integrations'],
    settings: { permissions: {}, frontend: { brand: 'main' } },
  });
  const name = i18n.t('integrations:refusedMeaning');
  const link = await screen.findByRole('link', { name });
  expect(link.getAttribute('href')).toBe('/documentation/api/errors/insufficient_funds');
});
