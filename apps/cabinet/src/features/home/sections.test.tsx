import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ChannelsNow } from './channels-now.tsx';
import { Course } from './course.tsx';
import { Customers } from './customers.tsx';
import { LastBulks } from './last-bulks.tsx';
import { lastDays } from './days.ts';

/** What was sent, and as many more that were cancelled as were delivered. */
const figures = (delivered: number, failed: number, cost = 700) => ({
  messages: 2 * delivered + failed,
  submitted: delivered + failed,
  delivered,
  seen: 0,
  failed,
  cancelled: delivered,
  replies: 0,
  optOuts: 0,
  clicks: null,
  cost,
  covered: 0,
  median: null,
  p95: null,
});

/** What is answered by dimension, and what was asked for. */
function answered(groups: Record<string, object[]>, total = figures(1400, 100)) {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/analytics', ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const before = query.has('beforeFrom') ? figures(600, 150, 350) : null;
      return HttpResponse.json({ total, before, data: groups[query.get('by')!], isCut: false });
    }),
  );
  return asked;
}
const listed = (path: string, data: object[]) =>
  server.use(
    http.get(path, () => HttpResponse.json({ data, total: data.length, limit: 100, offset: 0 })),
  );

const row = (key: string, delivered: number, failed: number, title: string | null = null) => ({
  key,
  title,
  figures: figures(delivered, failed),
  before: null,
});
const permissions = Object.fromEntries(
  ['sendings.get', 'billings.find', 'tasks.get', 'users.get', 'channels.get'].map((name) => [
    name,
    'manager',
  ]),
);
const options = { namespaces: ['home', 'tasks', 'list'], settings: { permissions } };

test('a week stands beside the week before, and the weakest operator leads to its failures', async () => {
  const { dates, period } = lastDays(7);
  const asked = answered({
    day: [row(dates[6]!, 1400, 100)],
    operator: [row('25001', 1000, 20, 'MTS'), row('25002', 400, 80, 'MegaFon')],
  });
  const { user } = await draw(<Course height={300} />, options);
  const link = await screen.findByRole('link', { name: /MegaFon/ });
  expect(link.getAttribute('href')).toBe(
    `/messages/outgoing?period=${period}&f.mccmnc=25002&f.status=failed`,
  );
  expect(link.textContent).toContain('83.3%');
  expect(screen.getByText('93.3%')).toBeTruthy();
  expect(screen.getByText(/80%/)).toBeTruthy();
  expect(screen.getByRole('link', { name: '1,500' }).getAttribute('href')).toBe(
    `/messages/outgoing?period=${period}`,
  );
  const span = (query: URLSearchParams) =>
    Math.round((Date.parse(query.get('to')!) - Date.parse(query.get('from')!)) / 86_400_000);
  expect(asked.map(span)).toEqual([7, 7]);
  await user.selectOptions(screen.getByLabelText(i18n.t('home:course.period')), '30');
  await expect.poll(() => asked.map(span)).toEqual([7, 7, 30, 30]);
});

test('what packages cover stands beside the cost', async () => {
  const covered = { ...row('one', 90, 10), figures: { ...figures(90, 10), covered: 42 } };
  answered({ day: [], operator: [], task: [covered] }, { ...figures(90, 10), covered: 1234 });
  await draw(<Course height={300} />, options);
  expect(await screen.findByText(i18n.t('home:course.covered'))).toBeTruthy();
  expect(screen.getByText('1,234')).toBeTruthy();
  listed('*/api/tasks', [
    {
      id: 'one',
      title: 'Sale',
      type: 'sendings:bulk',
      state: 'completed',
      createdAt: '2026-01-01T10:00:00.000Z',
      meta: { counters: { completed: 90, errored: 10 }, amount: 0 },
    },
  ]);
  await draw(<LastBulks height={300} />, options);
  expect(await screen.findByText(i18n.t('home:bulks.covered', { number: '42' }))).toBeTruthy();
});

test('days without messages say so', async () => {
  server.use(
    http.get('*/api/analytics', () =>
      HttpResponse.json({ total: figures(0, 0), before: figures(0, 0), data: [], isCut: false }),
    ),
  );
  await draw(<Course height={300} />, options);
  expect(await screen.findByText(i18n.t('home:course.none'))).toBeTruthy();
});

test('a bulk has the share that was reached and what it cost, and leads to its page', async () => {
  const task = (id: string, completed: number, errored: number) => ({
    id,
    title: `Sale ${id}`,
    type: 'sendings:bulk',
    state: 'completed',
    createdAt: '2026-01-01T10:00:00.000Z',
    meta: { counters: { completed, errored }, amount: 900 },
  });
  listed('*/api/tasks', [task('one', 90, 10), task('two', 0, 0)]);
  answered({ task: [row('one', 90, 10)] });
  await draw(<LastBulks height={300} />, options);
  const one = within(await screen.findByRole('row', { name: /Sale one/ }));
  expect(one.getByRole('link').getAttribute('href')).toBe('/messages/tasks/one');
  expect(one.getByText('90%')).toBeTruthy();
  expect(await one.findByText(/700/)).toBeTruthy();
  const two = within(screen.getByRole('row', { name: /Sale two/ }));
  expect(two.getAllByText('–')).toHaveLength(2);
});

test('customers have their traffic and balance, and what is wrong with these', async () => {
  answered({ account: [row('a', 950, 50, 'tea'), row('b', 100, 100, 'coffee')] });
  const account = (id: string, balance: number) => ({ id, balance, currency: 'RUB' });
  listed('*/api/users', [account('a', 5000), account('b', 12)]);
  await draw(<Customers height={300} />, options);
  const coffee = within(await screen.findByRole('row', { name: /coffee/ }));
  const words = `${i18n.t('home:customers.low')}, ${i18n.t('home:customers.weak')}`;
  expect(await coffee.findByText(words)).toBeTruthy();
  expect(coffee.getByText('50%')).toBeTruthy();
  const tea = within(screen.getByRole('row', { name: /tea/ }));
  expect(tea.getByText('95%')).toBeTruthy();
  expect(tea.queryByText(new RegExp(i18n.t('home:customers.low')))).toBeNull();
  expect(tea.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/users?id=a',
    `/messages/outgoing?period=${lastDays(7).period}&f.OwnerId=a`,
  ]);
});

test('channels have their rate, delay, queue and failures of an hour', async () => {
  listed('*/api/channels', [
    { id: 'smpp', name: 'smpp', isActive: true },
    { id: 'mail', name: 'mail', isActive: false },
  ]);
  const minute = { at: '2026-01-01T10:00:00.000Z', accepted: 50, throttled: 0 };
  server.use(
    http.get('*/api/channels/:channel/live', ({ params }) =>
      HttpResponse.json({
        waiting: params.channel === 'smpp' ? 1234 : 0,
        inFlight: 0,
        rateNow: 12.34,
        minutes: [
          { ...minute, rejected: 3, unknown: 1 },
          { ...minute, rejected: 2, unknown: 0 },
        ],
        receipts: { count: 5, p50: params.channel === 'smpp' ? 4.26 : null, p95: null },
      }),
    ),
  );
  await draw(<ChannelsNow height={300} />, options);
  const smpp = within(await screen.findByRole('row', { name: /smpp/ }));
  await smpp.findByText('1,234');
  expect(smpp.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
    '12.3',
    '4.3 sec',
    '1,234',
    '6',
  ]);
  const mail = within(screen.getByRole('row', { name: /mail/ }));
  expect(mail.getByText(i18n.t('home:channels.off'))).toBeTruthy();
});
