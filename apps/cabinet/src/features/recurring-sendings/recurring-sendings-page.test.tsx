import type { RecurringSending } from '@heliograph/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
// Loaded before the tests: they would be when their buttons are pressed.
import './recurring-dialog.tsx';
import './runs-dialog.tsx';
import { RecurringSendingsPage } from './recurring-sendings-page.tsx';

const LIST = '01930000-0000-7000-8000-0000000000b1';
const SEGMENT = '01930000-0000-7000-8000-0000000000b2';
const TASK = '01930000-0000-7000-8000-0000000000d1';
const idOf = (n: number) => `01930000-0000-7000-8000-0000000000a${n}`;
const row = (n: number, title: string, changes: Partial<RecurringSending>): RecurringSending => ({
  id: idOf(n),
  title,
  type: 'sms',
  payload: { sender: 'MIRTEA', text: 'New tea' },
  fallbacks: [],
  recipient: { include: [LIST, SEGMENT], exclude: [] },
  schedule: null,
  callbackData: null,
  frequency: 'weekly',
  weekdays: [1],
  day: null,
  time: '09:30',
  timeZone: 'Europe/Moscow',
  from: null,
  until: null,
  times: null,
  isActive: true,
  reason: null,
  nextRunAt: null,
  runs: 0,
  failures: 0,
  lastRun: null,
  UserId: 'user',
  OwnerId: 'owner',
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  ...changes,
});
const run = (of: Partial<NonNullable<RecurringSending['lastRun']>>) => ({
  dueAt: '2026-07-06T06:30:00.000Z',
  createdAt: '2026-07-06T06:30:01.000Z',
  TaskId: null,
  code: null,
  error: null,
  ...of,
});
const t = (key: string, values = {}) =>
  i18n.t(`recurringSendings:${key}` as 'recurringSendings:title', values);

const ALL = ['tasks.get', 'tasks.update', 'tasks.remove', 'sendings.generate', 'contactLists.get'];

async function drawn(data: RecurringSending[], held = ALL) {
  server.use(
    http.get('*/api/recurringSendings', () => HttpResponse.json({ data, total: data.length })),
    http.get('*/api/segments', () =>
      HttpResponse.json({ data: [{ id: SEGMENT, title: 'Silent' }], total: 1 }),
    ),
    http.get(`*/api/contactLists/${LIST}`, () =>
      HttpResponse.json({ id: LIST, title: 'Regulars', type: 'regular' }),
    ),
  );
  return draw(<RecurringSendingsPage />, {
    namespaces: ['recurringSendings'],
    settings: {
      permissions: Object.fromEntries(held.map((name) => [name, 'me'])),
      advanced: { isRestricted: false },
      frontend: { brand: 'main' },
    },
  });
}
const button = (key: string, title: string) =>
  screen.queryByRole('button', { name: t(key, { title }) });

test('says when, to whom and with what result', async () => {
  await drawn([
    row(1, 'Sent', { lastRun: run({ TaskId: TASK }), times: 5, runs: 2 }),
    row(2, 'Poor', {
      frequency: 'monthly',
      day: 31,
      weekdays: [],
      lastRun: run({ code: 'insufficient_funds', error: 'No money.' }),
    }),
  ]);
  // The lists and segments are asked for when the rows have come.
  await screen.findByText('Sent');
  await screen.findAllByText('Regulars, Silent');
  screen.getByText('Every Monday at 09:30 (Europe/Moscow)');
  screen.getByText('Monthly on the last day at 09:30 (Europe/Moscow)');
  screen.getByText(t('sent', { runs: 2, times: 5 }));
  screen.getByText(i18n.t('errors:code.insufficient_funds'));
  // Narrow windows hide the column.
  const links = screen
    .getAllByRole('link', { hidden: true })
    .map((link) => link.getAttribute('href'));
  expect(links).toContain(`/messages/tasks/${TASK}`);
});

test('says why one does not run, and lets it be resumed unless it has ended', async () => {
  await drawn([
    row(1, 'Runs', {}),
    row(2, 'Rests', { isActive: false }),
    row(3, 'Over', { isActive: false, reason: 'ended' }),
    row(4, 'Broken', { isActive: false, reason: 'failed' }),
    row(5, 'Refused', { isActive: false, reason: 'forbidden' }),
  ]);
  await screen.findByText(t('state.running'));
  for (const state of ['paused', 'ended', 'failed', 'forbidden'])
    screen.getByText(t(`state.${state}`));
  screen.getByText(t('why.failed'));
  screen.getByText(t('why.forbidden'));
  expect(button('pause', 'Runs')).toBeTruthy();
  for (const title of ['Rests', 'Broken', 'Refused']) expect(button('resume', title)).toBeTruthy();
  expect(button('resume', 'Over')).toBeNull();
  expect(button('edit', 'Over')).toBeTruthy();
});

test('pauses and resumes', async () => {
  const { user } = await drawn([row(1, 'Runs', {}), row(2, 'Rests', { isActive: false })]);
  await screen.findByText('Runs');
  const paused = accept('put', `/recurringSendings/${idOf(1)}`);
  const resumed = accept('put', `/recurringSendings/${idOf(2)}`);
  await user.click(button('pause', 'Runs')!);
  await user.click(button('resume', 'Rests')!);
  await waitFor(() => expect(paused).toEqual([{ isActive: false }]));
  await waitFor(() => expect(resumed).toEqual([{ isActive: true }]));
});

test('who may not send can only pause', async () => {
  const data = [row(1, 'Runs', {}), row(2, 'Rests', { isActive: false })];
  await drawn(data, ['tasks.get', 'tasks.update']);
  await screen.findByText('Runs');
  expect(button('pause', 'Runs')).toBeTruthy();
  expect(button('resume', 'Rests')).toBeNull();
  expect(button('edit', 'Runs')).toBeNull();
  expect(button('remove', 'Runs')).toBeNull();
});

test('changes the times, and one that has ended runs again with them', async () => {
  const { user } = await drawn([row(1, 'Over', { isActive: false, reason: 'ended' })]);
  const bodies = accept('put', `/recurringSendings/${idOf(1)}`);
  await screen.findByText('Over');
  await user.click(button('edit', 'Over')!);
  const save = await screen.findByRole('button', { name: t('saveAndResume') });
  await user.click(screen.getByRole('checkbox', { name: 'Sunday' }));
  await user.click(save);
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toEqual({
    title: 'Over',
    frequency: 'weekly',
    weekdays: [1, 7],
    day: null,
    time: '09:30',
    timeZone: 'Europe/Moscow',
    from: null,
    until: null,
    times: null,
    isActive: true,
  });
});

test('without any, the way to campaigns is shown', async () => {
  await drawn([]);
  const way = await screen.findByRole('link', { name: t('empty.action') });
  expect(way.getAttribute('href')).toBe('/messages/tasks');
});

test('shows the last runs to everyone who sees the list', async () => {
  const runs = [
    run({ TaskId: TASK }),
    run({ dueAt: '2026-06-29T06:30:00.000Z', code: 'insufficient_funds', error: 'No money.' }),
  ];
  server.use(
    http.get(`*/api/recurringSendings/${idOf(1)}/runs`, () => HttpResponse.json({ data: runs })),
  );
  const data = [row(1, 'Ran', { lastRun: runs[0]! }), row(2, 'Waits', {})];
  const { user } = await drawn(data, ['tasks.get']);
  await screen.findByText('Ran');
  expect(button('log', 'Waits')).toBeNull();
  await user.click(button('log', 'Ran')!);
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(i18n.t('errors:code.insufficient_funds'));
  expect(dialog.getByRole('link').getAttribute('href')).toBe(`/messages/tasks/${TASK}`);
  expect(dialog.getAllByRole('listitem')).toHaveLength(2);
  // More of them would have been removed.
  expect(dialog.queryByText(t('kept', { number: 20 }))).toBeNull();
});
