import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { CapsDialog } from './caps-dialog.tsx';

test('caps that cannot be read are said and asked for again', async () => {
  server.use(http.get('*/api/spendCaps', () => HttpResponse.json({}, { status: 403 })));
  const { user } = await draw(<CapsDialog OwnerId="owner" onClose={() => {}} />, {
    namespaces: ['spendCaps'],
  });
  const retry = await screen.findByRole('button', { name: i18n.t('retry') });
  server.use(http.get('*/api/spendCaps', () => HttpResponse.json({ data: [], total: 0 })));
  await user.click(retry);
  expect(await screen.findByRole('button', { name: i18n.t('spendCaps:save') })).toBeTruthy();
});
