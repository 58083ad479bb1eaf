import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ReferralsPage } from './referrals-page.tsx';

test.each(['', '&view=accounts'])(
  'the header names the period of the list%s',
  async (parameters) => {
    const page = () => HttpResponse.json({ data: [], total: 0, limit: 20, offset: 0 });
    server.use(
      http.get('*/api/billings', page),
      http.get('*/api/referrals', page),
      http.get('*/api/referrals/statistics', () => HttpResponse.json({}, { status: 404 })),
      http.get('*/api/billings/balance/:id', () => HttpResponse.json({ balance: 0, overdraft: 0 })),
    );
    await draw(<ReferralsPage />, {
      namespaces: ['referrals', 'billings', 'list'],
      at: `/here?period=today${parameters}`,
    });
    const title = await screen.findByRole('heading', { level: 1 });
    expect(title.parentElement!.textContent).toContain(i18n.t('list:period.today'));
  },
);
