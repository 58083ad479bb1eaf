import type { ShareShift } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { createFormats } from '../../core/formats.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ShareShifts } from './share-shifts-section.tsx';

const SHIFT: ShareShift = {
  id: '01930000-0000-7000-8000-0000000000b1',
  route: { id: '01930000-0000-7000-8000-0000000000a1', title: 'Codes' },
  ChannelId: 'direct',
  before: 500,
  after: 400,
  reason: 'delivery',
  figures: { own: 0.6, others: 0.95, count: 340 },
  createdAt: '2026-07-01T12:00:00.000Z',
};
const t = (key: string, values = {}) => i18n.t(key as 'shareShifts:title', values);
/** Percents are written with a space that does not break. */
const plain = (text: string | null) => (text ?? '').replaceAll(/\s/g, ' ');

const drawn = async (of: Parameters<typeof ShareShifts>[0]['of'], data: ShareShift[]) => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/shareShifts', ({ request }) => {
      asked.push(decodeURIComponent(new URL(request.url).search));
      return HttpResponse.json({ data, total: data.length, limit: 10, offset: 0 });
    }),
  );
  await draw(<ShareShifts of={of} />, { namespaces: ['shareShifts'] });
  const section = await screen.findByRole('region', { name: t('shareShifts:title') });
  return { text: plain(section.textContent), asked };
};

test('tells of a channel by which route its share has changed, and why', async () => {
  const back: ShareShift = { ...SHIFT, id: SHIFT.route.id, reason: 'back', figures: null };
  const { text, asked } = await drawn({ ChannelId: 'direct' }, [back, SHIFT]);
  expect(asked[0]).toContain('ChannelId[0]=direct');
  const { percent } = createFormats(i18n.language, 'EUR');
  const line = t('shareShifts:line', {
    name: 'Codes',
    before: percent(0.5),
    after: percent(0.4),
  });
  expect(text).toContain(plain(line));
  expect(text).toContain(t('shareShifts:reason.back'));
  const why = { own: percent(0.6), others: percent(0.95), number: 340 };
  expect(text).toContain(plain(t('shareShifts:reason.delivery', why)));
});

test('tells of a route that nothing has changed yet', async () => {
  const { text } = await drawn({ RouteId: SHIFT.route.id }, []);
  expect(text).toContain(t('shareShifts:none'));
});
