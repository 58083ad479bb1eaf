import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
// Loaded before the tests: they would be when they are drawn first.
import '../recurring-sendings/repeat-dialog.tsx';
import '../send/resend/resend-dialog.tsx';
import './two-texts.tsx';
import { BulkPage } from './bulk-page.tsx';

const SHORT = 'https://go.example/s/aB3dE6gH9';
const TASK = '01930000-0000-7000-8000-0000000000a1';
const LIST = '01930000-0000-7000-8000-0000000000b1';
const TIME = '2026-07-06T06:30:00.000Z';
/** Of a bulk that was stopped when three of its messages were sent. */
const operator = {
  mccmnc: '25001',
  name: 'MTS',
  country: 'RU',
  count: 600,
  delivered: 3,
  failed: 0,
  cancelled: 597,
};

const REST = '01930000-0000-7000-8000-0000000000a3';
const figures = { recipients: 50, ended: 50, delivered: 50, replied: 5, clicks: null };
const variants = {
  part: 'A',
  texts: { A: 'New tea', B: 'Try our new tea' },
  share: 20,
  by: 'replied',
  hours: 4,
  tasks: { A: TASK, B: '01930000-0000-7000-8000-0000000000a2', rest: REST },
  slice: { seed: TASK, from: 0, to: 1000 },
  chosen: null,
};
const chosen = {
  variant: 'B',
  reason: 'better',
  at: TIME,
  figures: { A: figures, B: { ...figures, replied: 8 } },
};

async function drawn(OwnerId: string, hasVariants = false, given: object = {}) {
  queryClient.removeQueries({ queryKey: ['tasks'] });
  const recipients = { include: { lists: [LIST] }, exclude: { lists: [] } };
  const counters = {
    expected: 1,
    total: 1,
    completed: 1,
    errored: 0,
    cancelled: 0,
    unknownOutcomes: 0,
    skipped: {},
  };
  const task = {
    id: TASK,
    title: 'Tea of the week',
    type: 'sendings:bulk',
    state: 'completed',
    reason: null,
    data: {
      sending: {
        type: 'sms',
        groupId: TASK,
        payload: { sender: 'MIRTEA', text: 'New tea' },
        options: { tellsWhoClicked: true },
        ...(hasVariants && { variants }),
      },
      recipients,
    },
    meta: { counters, amount: 2 },
    OwnerId,
    startsAt: null,
    until: null,
    startedAt: TIME,
    finishedAt: TIME,
    createdAt: TIME,
    updatedAt: TIME,
  };
  const outcome = {
    attempts: [
      {
        attempt: 0,
        type: 'sms',
        count: 3,
        submitted: 3,
        delivered: 3,
        seen: 0,
        replied: 0,
        failed: 0,
        cancelled: 0,
        pending: 0,
      },
    ],
    operators: [operator],
    timeline: { seconds: 60, steps: [] },
    cost: { charged: 2, spent: 2, reserved: 0, refunded: 0, covered: 1200 },
    retry: { count: 0, unsubscribed: 0, reached: 0 },
    unclicked: null,
    unseen: null,
    links: [{ id: TASK, url: 'https://tea.shop/', shortUrl: SHORT, clicks: 3, clickedBy: 2 }],
    clickedBy: 2,
    ...(hasVariants && { variants: chosen.figures }),
    origin: null,
    resends: [],
    ...given,
  };
  server.use(
    http.get('*/api/tasks/:id', ({ params }) => {
      if (params.id !== REST) return HttpResponse.json(task);
      const sending = { ...task.data.sending, variants: { ...variants, part: 'rest', chosen } };
      return HttpResponse.json({ ...task, id: REST, data: { ...task.data, sending } });
    }),
    http.get('*/api/tasks/:id/outcome', () => HttpResponse.json(outcome)),
    http.get('*/api/tasks/:id/errors', () =>
      HttpResponse.json({ data: [], others: 0, refunded: 0 }),
    ),
  );
  return draw(<BulkPage />, {
    namespaces: ['bulk', 'tasks', 'sendings', 'sendernames', 'send', 'recurringSendings'],
    settings: { permissions: { 'tasks.get': 'me', 'sendings.generate': 'me' } },
    path: '/messages/tasks/:id',
    at: `/messages/tasks/${TASK}`,
  });
}
const repeat = () => screen.queryByRole('button', { name: i18n.t('bulk:repeat') });

test('the share that an operator reached is of those to whom something was sent', async () => {
  await drawn('owner');
  const cells = within(await screen.findByRole('row', { name: /MTS/ })).getAllByRole('cell');
  expect(cells.map((cell) => cell.textContent)).toEqual(['3', '100%']);
});

test('shows two texts with their figures, and which of them the rest got', async () => {
  await drawn('owner', true);
  const row = await screen.findByRole('row', { name: /Try our new tea/ });
  const cells = within(row).getAllByRole('cell');
  expect(cells.map((cell) => cell.textContent)).toEqual(['50', '50', '8', '16%']);
  await within(row).findByText(i18n.t('bulk:texts.taken'));
  const rest = screen.getByRole('link', { name: i18n.t('bulk:texts.rest') });
  expect(rest.getAttribute('href')).toBe(`/messages/tasks/${REST}`);
});

test('says how many messages packages cover, beside the money', async () => {
  await drawn('owner');
  const summary = await screen.findByText(/1,200/, { selector: '[data-summary]' });
  expect(summary.textContent).toContain(i18n.t('send:coveredByPackages', { number: '1,200' }));
  const fact = screen.getByText(i18n.t('bulk:cost.covered')).parentElement!;
  expect(fact.textContent).toContain('1,200');
});

test('who clicked is a share of those who were reached, and of each link a number', async () => {
  await drawn('owner');
  const fact = (await screen.findByText(i18n.t('bulk:whoClicked'))).parentElement!;
  expect(fact.textContent).toContain('2 (200%)');
  const link = screen.getByText(SHORT).parentElement!;
  expect(link.textContent).toContain(`3 · ${i18n.t('bulk:clickedBy', { count: 2, number: '2' })}`);
});

test('a bulk of the own account can be repeated regularly', async () => {
  const { user } = await drawn('owner');
  await screen.findByRole('heading', { level: 1, name: 'Tea of the week' });
  await user.click(repeat()!);
  const dialog = await screen.findByRole('dialog');
  const start = { name: i18n.t('recurringSendings:start') };
  expect(await within(dialog).findByRole('button', start)).toBeTruthy();
});

test('one of another account cannot: its lists are not those of the user', async () => {
  await drawn('other');
  await screen.findByRole('link', { name: i18n.t('bulk:duplicate') });
  expect(repeat()).toBeNull();
});

const none = { count: 0, unsubscribed: 0, reached: 0 };
const offers = () => screen.queryAllByRole('button', { name: /Send again/ });

test('who did not click is offered beside who failed, and gets links that tell it as well', async () => {
  const failed = { ...none, count: 4, unsubscribed: 1 };
  const { user } = await drawn('owner', false, {
    retry: failed,
    unclicked: { ...none, count: 1200, reached: 3 },
  });
  const name = i18n.t('bulk:again.unclicked', { count: 1200, number: '1,200' });
  const button = await screen.findByRole('button', { name });
  expect(offers().map((offer) => offer.textContent)).toEqual([
    i18n.t('bulk:again.failed', { count: 4, number: '4' }),
    name,
  ]);
  accept('post', '/sendings/estimate', {
    amount: 2400,
    currency: 'RUB',
    enough: true,
    recipients: 1200,
    skipped: { reached: 3 },
  });
  const bodies = accept('post', '/sendings', { id: REST, groupId: REST });
  await user.click(button);
  const title = i18n.t('sendings:resend.titleOf.unclicked');
  const dialog = await screen.findByRole('dialog', { name: title });
  const submit = await within(dialog).findByRole('button', { name: /1,200/ });
  await user.click(submit);
  await vi.waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({
    recipient: { unclickedOf: TASK },
    options: { tellsWhoClicked: true },
  });
});

test('nothing is offered when all have clicked and opened', async () => {
  await drawn('owner', false, { unclicked: none, unseen: none });
  await screen.findByText(i18n.t('bulk:whoClicked'));
  expect(offers()).toEqual([]);
});

test('says to whom the bulk was sent again, and who did not open it can be written to', async () => {
  const related = { id: REST, title: 'Tea', state: 'completed', createdAt: TIME };
  await drawn('owner', false, {
    unseen: { ...none, count: 2 },
    origin: { ...related, audience: 'unseen' },
  });
  await screen.findByRole('button', {
    name: i18n.t('bulk:again.unseen', { count: 2, number: '2' }),
  });
  const link = screen.getByRole('link', { name: 'Tea' });
  expect(link.parentElement!.textContent).toContain(i18n.t('bulk:origin.unseen'));
});
