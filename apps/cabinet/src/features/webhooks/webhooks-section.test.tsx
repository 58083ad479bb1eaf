import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { WebhooksSection } from './webhooks-section.tsx';

test('shows the newest webhooks, each with its state, and leads to them', async () => {
  const hook = { id: 'h', title: 'Shop', state: 'paused' };
  server.use(
    http.get('*/api/webhooks', () =>
      HttpResponse.json({ data: [hook], total: 1, limit: 5, offset: 0 }),
    ),
  );
  await draw(<WebhooksSection />, { namespaces: ['webhooks'] });
  const link = await screen.findByRole('link', { name: 'Shop' });
  expect(link.getAttribute('href')).toBe('/settings/webhooks?id=h');
  screen.getByText(i18n.t('webhooks:state.paused'));
  const all = screen.getByRole('link', { name: i18n.t('webhooks:all') });
  expect(all.getAttribute('href')).toBe('/settings/webhooks');
});
