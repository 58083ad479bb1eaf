import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { OutgoingPage } from './outgoing-page.tsx';

const TASK = '01930000-0000-7000-8000-000000000001';
const FAILED = {
  id: 's',
  createdAt: '2026-01-01T00:00:00.000Z',
  type: 'sms',
  recipient: '+79990000001',
  payload: { sender: 'TEA', text: 'Hello' },
  state: { status: 'failed', outcome: 'failed', code: 'undeliverable', error: null },
  meta: { stats: { segments: 1 }, billing: null, operator: null },
};

test('failures of a task have their reasons, the title of the task and the way back to it', async () => {
  server.use(
    http.get('*/api/sendings', () =>
      HttpResponse.json({ data: [FAILED], total: 1, limit: 20, offset: 0 }),
    ),
    http.get(`*/api/tasks/${TASK}`, () => HttpResponse.json({ id: TASK, title: 'Spring' })),
  );
  const { router } = await draw(<OutgoingPage />, {
    namespaces: ['sendings', 'list'],
    settings: {
      permissions: { 'tasks.get': 'manager' },
      sendings: { types: ['sms'], sendernamesCheck: [], country: 'RU', range: 31 },
    },
  });
  await router.navigate(`/here?groupId=${TASK}&f.outcome=failed`);
  await screen.findByText(i18n.t('sendings:error.undeliverable'));
  await screen.findByText(i18n.t('sendings:ofTask', { title: 'Spring' }));
  const back = screen.getByRole('link', { name: i18n.t('sendings:backToTask') });
  expect(back.getAttribute('href')).toBe(`/messages/tasks/${TASK}`);
});

test('messages of test tokens are marked, and a report of them is of them alone', async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get('*/api/sendings', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('live'));
      return HttpResponse.json({
        data: [{ ...FAILED, live: false }],
        total: 1,
        limit: 20,
        offset: 0,
      });
    }),
  );
  const bodies = accept('post', '/reports', { id: TASK, key: TASK, state: 'pending' });
  server.use(
    http.get('*/api/reports/:id', () => HttpResponse.json({ id: TASK, state: 'pending' })),
  );
  const { user } = await draw(<OutgoingPage />, {
    at: '/here?f.live=false',
    namespaces: ['sendings', 'list', 'reports'],
    settings: {
      permissions: { 'reports.create': 'manager', 'sendings.get': 'manager' },
      sendings: { types: ['sms'], sendernamesCheck: [], country: 'RU', range: 31 },
    },
  });
  const table = await screen.findByRole('table');
  await within(table).findByText(i18n.t('common:test'));
  expect(asked.at(-1)).toBe('false');
  await user.click(screen.getByRole('button', { name: i18n.t('reports:button') }));
  const dialog = await screen.findByRole('dialog');
  await user.selectOptions(
    await within(dialog).findByRole('combobox', { name: new RegExp(i18n.t('reports:preset')) }),
    'sendings.details',
  );
  await user.click(within(dialog).getByRole('button', { name: i18n.t('reports:submit') }));
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ where: { live: false } });
});
