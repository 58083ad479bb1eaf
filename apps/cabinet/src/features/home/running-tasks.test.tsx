import type { Task } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { RunningTasks } from './running-tasks.tsx';

const PAUSED = {
  id: 't',
  type: 'sendings:bulk',
  title: 'Spring',
  state: 'paused',
  startedAt: null,
  until: null,
  meta: {
    amount: 10,
    counters: {
      expected: 10,
      total: 10,
      completed: 4,
      errored: 0,
      cancelled: 0,
      unknownOutcomes: 0,
      skipped: {},
    },
  },
} as unknown as Task;

test('a paused bulk stays among those that run, where it can be resumed', async () => {
  let asked = '';
  server.use(
    http.get('*/api/tasks', ({ request }) => {
      asked = decodeURIComponent(request.url);
      return HttpResponse.json({ data: [PAUSED], total: 1, limit: 6, offset: 0 });
    }),
  );
  await draw(<RunningTasks />, {
    namespaces: ['home', 'tasks'],
    settings: { permissions: { 'tasks.get': 'manager', 'tasks.update': 'manager' } },
  });
  await screen.findByRole('button', { name: i18n.t('tasks:resume', { title: 'Spring' }) });
  screen.getByText(i18n.t('tasks:state.paused'));
  expect(asked).toMatch(/running/);
  expect(asked).toMatch(/paused/);
});
