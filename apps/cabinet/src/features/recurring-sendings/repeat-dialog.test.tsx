import type { Bulk, TaskRecipients } from '@heliograph/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, refuse, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { timeZone } from '../../core/time-zone.ts';
import { RepeatDialog } from './repeat-dialog.tsx';

const LIST = '01930000-0000-7000-8000-0000000000b1';
const SEGMENT = '01930000-0000-7000-8000-0000000000b2';
const STOPPED = '01930000-0000-7000-8000-0000000000b3';
const segments = [{ id: SEGMENT, title: 'Silent', where: {}, activity: [] }];
const task = {
  id: '01930000-0000-7000-8000-0000000000a1',
  title: 'Tea of the week',
  type: 'sendings:bulk',
  OwnerId: 'owner',
  data: {
    sending: {
      type: 'viber',
      groupId: '01930000-0000-7000-8000-0000000000a1',
      payload: { sender: 'MIRTEA', text: 'New tea', image: null },
      fallbacks: [
        {
          type: 'sms',
          payload: { sender: 'MIRTEA', text: 'New tea' },
          options: { onStatus: [], onTimeout: { timeout: 60, except: ['delivered'] } },
        },
      ],
      schedule: { delay: 0, until: 2, validUntil: 3600 },
      callbackData: 'tea',
    },
    recipients: { include: { lists: [] }, exclude: { lists: [] } },
  },
} as unknown as Bulk;
const onClose = vi.fn<() => void>();

async function drawn(recipients: TaskRecipients) {
  onClose.mockClear();
  queryClient.removeQueries({ queryKey: ['taskRecipients'] });
  server.use(
    http.get('*/api/tasks/:id', () =>
      HttpResponse.json({ ...task, data: { ...task.data, recipients } }),
    ),
  );
  const { user } = await draw(<RepeatDialog task={task} opened onClose={onClose} />, {
    namespaces: ['recurringSendings'],
  });
  return user;
}
const toLists = { include: { lists: [LIST], segments }, exclude: { lists: [STOPPED] } };
const field = (key: 'from' | 'until' | 'time') =>
  screen.getByLabelText(i18n.t(`recurringSendings:${key}`));
const submit = () => screen.findByRole('button', { name: i18n.t('recurringSendings:start') });

test('repeats the message, the fallbacks and the lists of the bulk', async () => {
  const user = await drawn(toLists);
  const bodies = accept('post', '/recurringSendings');
  const start = await submit();
  await user.click(screen.getByRole('checkbox', { name: 'Friday' }));
  fireEvent.change(field('time'), { target: { value: '18:30' } });
  await user.click(start);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies).toEqual([
    {
      title: 'Tea of the week',
      type: 'viber',
      payload: { sender: 'MIRTEA', text: 'New tea' },
      fallbacks: [
        {
          type: 'sms',
          payload: { sender: 'MIRTEA', text: 'New tea' },
          options: {
            onStatus: [],
            onTimeout: { timeout: 60, except: ['delivered'] },
            onIncomingPayload: null,
          },
        },
      ],
      recipient: { include: [LIST, SEGMENT], exclude: [STOPPED] },
      schedule: { until: 2, validUntil: 3600 },
      callbackData: 'tea',
      frequency: 'weekly',
      weekdays: [1, 5],
      day: null,
      time: '18:30',
      timeZone: timeZone(),
      from: null,
      until: null,
      times: null,
    },
  ]);
});

test('shows the next times before it begins', async () => {
  const user = await drawn(toLists);
  await submit();
  // A Thursday.
  fireEvent.change(field('from'), { target: { value: '2099-01-01' } });
  await user.type(screen.getByRole('spinbutton'), '2');
  const shown = () =>
    within(screen.getByRole('list', { name: i18n.t('recurringSendings:nextTimes') }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(shown()).toEqual([
    expect.stringContaining('Mon, Jan 5, 2099'),
    expect.stringContaining('Mon, Jan 12, 2099'),
  ]);
  fireEvent.change(field('until'), { target: { value: '2099-01-02' } });
  await screen.findByText(i18n.t('recurringSendings:never'));
});

test('is not sent without a weekday', async () => {
  const user = await drawn(toLists);
  const bodies = accept('post', '/recurringSendings');
  const start = await submit();
  await user.click(screen.getByRole('checkbox', { name: 'Monday' }));
  await user.click(start);
  await screen.findByText(i18n.t('errors:rule.required'));
  expect(bodies).toEqual([]);
});

test('shows what the server refuses', async () => {
  const user = await drawn(toLists);
  refuse('post', '/recurringSendings', { code: 'quota_exceeded' }, 409);
  await user.click(await submit());
  await screen.findByText(i18n.t('errors:code.quota_exceeded'));
  expect(onClose).not.toHaveBeenCalled();
});

test.each([
  { include: { lists: [LIST], recipients: ['79990000000'], count: 1 }, exclude: { lists: [] } },
  { include: { lists: [LIST] }, exclude: { lists: [], recipients: ['79990000000'], count: 1 } },
  { include: { lists: [], count: 3 }, exclude: { lists: [] } },
])('says why a bulk to addresses of its own cannot be repeated', async (recipients) => {
  await drawn(recipients);
  await screen.findByText(i18n.t('recurringSendings:addressed'));
  expect(screen.queryByRole('button', { name: i18n.t('recurringSendings:start') })).toBeNull();
});
