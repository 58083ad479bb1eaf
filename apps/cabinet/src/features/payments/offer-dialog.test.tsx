import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { OfferDialog } from './offer-dialog.tsx';

test('an offer that cannot be read says so and is asked for again', async () => {
  server.use(http.get('*/docs/*', () => new HttpResponse(null, { status: 404 })));
  const { user } = await draw(<OfferDialog method="card" onClose={() => {}} />, {
    namespaces: ['payments'],
  });
  const retry = await screen.findByRole('button', { name: i18n.t('retry') });
  server.use(http.get('*/docs/*', () => HttpResponse.text('# Offer\n\nTea is paid for.')));
  await user.click(retry);
  expect(await screen.findByText('Tea is paid for.')).toBeTruthy();
});
