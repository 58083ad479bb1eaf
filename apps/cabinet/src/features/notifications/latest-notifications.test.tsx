import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { LatestNotifications } from './latest-notifications.tsx';

const at = '2026-07-06T06:30:00.000Z';
const base = { channel: 'web', isRead: true, createdAt: at, updatedAt: at, title: '', text: '' };
const rows = [
  { ...base, id: 'n1', type: 'SendingsBulkCreated', data: { id: 't1', title: 'Sale', count: 5 } },
  { ...base, id: 'n2', type: 'SystemPlatformIssues', data: {} },
];

beforeEach(() => {
  queryClient.removeQueries({ queryKey: ['notifications'] });
  server.use(
    http.get('*/notifications', () => HttpResponse.json({ data: rows, total: rows.length })),
  );
});

async function drawn(permissions: object) {
  await draw(<LatestNotifications onLeave={() => undefined} />, {
    namespaces: ['notifications'],
    settings: {
      permissions,
      advanced: { isRestricted: false },
    },
  });
  await screen.findByText(/Sale/);
  return screen.queryAllByRole('link').map((link) => link.getAttribute('href'));
}

test('those who may open the page get there from what has no other place', async () => {
  const permissions = { 'notifications.get': 'me', 'billings.find': 'me' };
  expect(await drawn(permissions)).toEqual([
    '/messages/tasks/t1',
    '/notifications?id=n2',
    '/notifications',
  ]);
});

test('nothing leads others to a page that is refused', async () => {
  expect(await drawn({ 'notifications.get': 'me' })).toEqual(['/messages/tasks/t1']);
  expect(screen.getByText(i18n.t('notifications:types.SystemPlatformIssues.title'))).toBeDefined();
});
