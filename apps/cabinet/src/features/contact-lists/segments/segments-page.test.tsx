import type { Segment } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { SegmentsPage } from './segments-page.tsx';

const LIST = '01930000-0000-7000-8000-0000000000b1';
const segment = (
  n: number,
  title: string,
  rules: Pick<Segment, 'where' | 'activity'>,
): Segment => ({
  id: `01930000-0000-7000-8000-0000000000a${n}`,
  title,
  ...rules,
  OwnerId: '01930000-0000-7000-8000-0000000000c1',
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
});
const t = (key: string, values = {}) => i18n.t(key as 'contactLists:title', values);

test('says of each segment in which list it is and what its conditions are', async () => {
  const data = [
    segment(1, 'Everybody', { where: {}, activity: [] }),
    segment(2, 'One list', { where: { ListId: LIST }, activity: [] }),
    segment(3, 'Silent', {
      where: { ListId: LIST, tag: 'vip' },
      activity: [{ event: 'replied', happened: false, days: 90 }],
    }),
    segment(4, 'By fields', {
      where: {
        fields: [
          { field: 'custom02', is: 'greater', number: 1000 },
          { field: 'custom03', is: 'nextDays', days: 7 },
        ],
      },
      activity: [],
    }),
  ];
  server.use(
    http.get('*/api/segments', () => HttpResponse.json({ data, total: 4 })),
    http.get('*/api/segments/:id/count', () => HttpResponse.json({ count: 7, exact: true })),
    http.get(`*/api/contactLists/${LIST}`, () =>
      HttpResponse.json({ id: LIST, title: 'Regulars', type: 'regular' }),
    ),
  );
  await draw(<SegmentsPage />, {
    namespaces: ['contactLists'],
    settings: { permissions: { 'contactLists.get': 'me' }, frontend: { brand: 'main' } },
  });
  await screen.findByText('Regulars');
  expect(screen.queryByText(t('contactLists:segments.all'))).not.toBeNull();
  const silent = [
    'Regulars',
    t('contactLists:segments.byTag', { tag: 'vip' }),
    t('contactLists:segments.without.replied', { count: 90 }),
  ];
  expect(screen.queryByText(silent.join(' · '))).not.toBeNull();
  const [sum, until] = [2, 3].map((number) => t('contactLists:customField', { number }));
  const within = t('contactLists:segments.tests.nextDays').replace('…', '7');
  expect(screen.queryByText(`${sum} > 1,000 · ${until}: ${within}`)).not.toBeNull();
});
