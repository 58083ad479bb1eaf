import type { Installation } from '@heliograph/contract';
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { InstallationPage } from './installation-page.tsx';

const AT = '2026-11-22T09:15:00.000Z';
const ID = '01930000-0000-7000-8000-0000000000a1';
const state: Installation = {
  version: '1.54.0',
  build: '3f2a9c1d00',
  processes: [
    {
      id: ID,
      kind: 'worker',
      host: 'worker-1',
      pid: 7,
      version: '1.54.0',
      build: '3f2a9c1d00',
      startedAt: AT,
      seenAt: AT,
      isLost: true,
      cpu: 0.42,
      memory: 182_000_000,
      delay: 12.4,
    },
  ],
  lags: [
    { name: 'codes', seconds: 0 },
    { name: 'bulks', seconds: 75 },
  ],
  queues: [
    { name: 'a', waiting: 3, active: 1 },
    { name: 'b', waiting: 4, active: 0 },
  ],
  slowLists: [{ route: 'GET /sendings', count: 1830, p50: 12, p95: 80, slowest: 460 }],
  certificates: [
    { usedBy: 'channel', name: 'carrier', subject: 'smsc.example', endsAt: AT, stage: 'ended' },
    { usedBy: 'smpp', name: 'smpp-1', subject: 'smpp.example', endsAt: AT, stage: 'valid' },
  ],
  failedJobs: [
    {
      id: ID,
      queue: 'webhooks',
      name: 'webhooks.deliver',
      subject: null,
      failedAt: AT,
      failures: 3,
      error: 'timeout',
      retriedAt: null,
      doneAt: null,
    },
    {
      id: '01930000-0000-7000-8000-0000000000a2',
      queue: 'expand',
      name: 'task.expand',
      subject: '01930000-0000-7000-8000-0000000000a3',
      failedAt: AT,
      failures: 1,
      error: 'disk is full',
      retriedAt: null,
      doneAt: AT,
    },
  ],
  sweeps: [
    { name: 'Some.sweep', ranAt: AT, ms: 3, failedAt: AT, error: 'disk is full' },
    { name: 'Other.sweep', ranAt: AT, ms: 3, failedAt: null, error: null },
  ],
  upkeep: { backupAt: AT, verify: { at: AT, problems: 2 } },
  database: {
    version: '18.4',
    size: 48_000_000_000,
    growth: 1_200_000_000,
    fullInDays: 91,
    replica: { behind: 5 * 1024 * 1024 },
    tables: [{ name: 'sendings', size: 21_000_000_000, rows: 20_000_000 }],
  },
};
const respond = (answer: Installation) =>
  server.use(
    http.get('*/api/installation', () => HttpResponse.json(answer)),
    http.get('*/api/health', () =>
      HttpResponse.json({
        status: 'degraded',
        version: '1.54.0',
        build: '3f2a9c1d00',
        checks: { database: true, migrations: true, redis: false, files: true },
      }),
    ),
  );
const region = (key: string) =>
  screen.findByRole('region', { name: i18n.t(`installation:${key}`) });

test('what is lost, missing, late, failing and filling up is said', async () => {
  respond(state);
  await draw(<InstallationPage />, { namespaces: ['installation'] });
  const needs = within(await region('needs'));
  expect(await needs.findByText(i18n.t('installation:missing'))).toBeTruthy();
  expect(needs.getAllByText(i18n.t('installation:ok'))).toHaveLength(3);
  expect(needs.getByText(i18n.t('installation:stale'))).toBeTruthy();
  expect(needs.getByText('2 problems')).toBeTruthy();
  const waiting = within(await region('waiting'));
  expect(waiting.getByText(i18n.t('installation:nothing'))).toBeTruthy();
  expect(waiting.getByText('75 sec')).toBeTruthy();
  expect(waiting.getByText('7')).toBeTruthy();
  const processes = within(await region('processes'));
  expect(processes.getByText(/Not seen since/)).toBeTruthy();
  expect(processes.getByRole('cell', { name: '42%' })).toBeTruthy();
  const database = within(await region('database'));
  expect(database.getByText('91 days')).toBeTruthy();
  expect(database.getByText('Behind by 5 MB')).toBeTruthy();
  expect(database.getByRole('cell', { name: '20,000,000' })).toBeTruthy();
  const lists = within(await region('slowLists'));
  expect(lists.getByRole('cell', { name: 'GET /sendings' })).toBeTruthy();
  expect(lists.getByRole('cell', { name: '460 ms' })).toBeTruthy();
  const certificates = within(await region('certificates'));
  expect(certificates.getByText(i18n.t('installation:stage.ended'))).toBeTruthy();
  expect(certificates.getByRole('cell', { name: 'Channel carrier' })).toBeTruthy();
  expect(certificates.getByRole('cell', { name: 'smpp.example' })).toBeTruthy();
  const failed = within(await region('failedJobs'));
  expect(failed.getByText(i18n.t('installation:jobFails'))).toBeTruthy();
  expect(failed.getByText(/^Done at/)).toBeTruthy();
  expect(failed.getByRole('cell', { name: 'timeout' })).toBeTruthy();
  const sweeps = within(await region('sweeps'));
  expect(sweeps.getByRole('cell', { name: 'disk is full' })).toBeTruthy();
  expect(sweeps.queryByText('Other.sweep')).toBeNull();
});

test('an installation in order says so', async () => {
  respond({
    ...state,
    failedJobs: [],
    certificates: [],
    slowLists: [],
    sweeps: state.sweeps.slice(1),
    upkeep: { backupAt: new Date().toISOString(), verify: { at: AT, problems: 0 } },
  });
  await draw(<InstallationPage />, { namespaces: ['installation'] });
  const needs = within(await region('needs'));
  expect(needs.getByText(i18n.t('installation:noProblems'))).toBeTruthy();
  expect(needs.queryByText(i18n.t('installation:stale'))).toBeNull();
  const sweeps = within(await region('sweeps'));
  expect(sweeps.getByText(/None has failed/)).toBeTruthy();
  const lists = within(await region('slowLists'));
  expect(lists.getByText(i18n.t('installation:noLists'))).toBeTruthy();
  const certificates = within(await region('certificates'));
  expect(certificates.getByText(i18n.t('installation:noCertificates'))).toBeTruthy();
  const failed = within(await region('failedJobs'));
  expect(failed.getByText(i18n.t('installation:noFailedJobs'))).toBeTruthy();
  expect(failed.queryByRole('button')).toBeNull();
  expect(sweeps.queryByRole('table')).toBeNull();
});

test('failed jobs are tried again, one or all of a queue, and removed from the list', async () => {
  const calls: unknown[] = [];
  respond(state);
  server.use(
    http.post('*/api/installation/failed-jobs/retry', async ({ request }) => {
      calls.push(await request.json());
      return HttpResponse.json({ data: [] });
    }),
    http.post('*/api/installation/failed-jobs/:id/retry', ({ params }) => {
      calls.push(['retry', params.id]);
      return HttpResponse.json({ ...state.failedJobs[0]!, retriedAt: '2026-11-22T09:16:00.000Z' });
    }),
    http.delete('*/api/installation/failed-jobs/:id', ({ params }) => {
      calls.push(['remove', params.id]);
      return HttpResponse.json({ id: params.id });
    }),
  );
  const { user } = await draw(<InstallationPage />, {
    namespaces: ['installation'],
    settings: { permissions: { 'installation.update': 'manager' } },
  });
  const failed = within(await region('failedJobs'));
  const press = (key: string, values = {}) =>
    user.click(failed.getAllByRole('button', { name: i18n.t(`installation:${key}`, values) })[0]!);
  // The job that was done is not tried again.
  expect(failed.getAllByRole('button', { name: i18n.t('installation:retryJob') })).toHaveLength(1);
  await press('retryJob');
  await expect.poll(() => calls).toEqual([['retry', ID]]);
  await press('retryQueue', { queue: 'webhooks' });
  await expect.poll(() => calls[1]).toEqual({ queue: 'webhooks' });
  await press('removeJob');
  await expect.poll(() => calls[2]).toEqual(['remove', ID]);
  expect(
    failed.queryByRole('button', { name: i18n.t('installation:retryQueue', { queue: 'expand' }) }),
  ).toBeNull();
});
