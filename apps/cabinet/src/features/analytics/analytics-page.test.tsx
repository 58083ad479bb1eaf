import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { server } from '../../../test/server.ts';
import { changeLocale, i18n } from '../../core/i18n/i18n.ts';
import { AnalyticsPage } from './analytics-page.tsx';

const FIGURES = {
  messages: 205,
  submitted: 198,
  delivered: 150,
  seen: 10,
  failed: 50,
  cancelled: 5,
  replies: 4,
  optOuts: 1,
  clicks: null,
  cost: 700,
  covered: 0,
  median: 3.5,
  p95: 41,
};
afterEach(() => changeLocale('en'));

const settings = (level: string) => ({
  permissions: { 'sendings.generate': 'manager' },
  session: { UserId: 'user', OwnerId: 'owner', level },
});

/** What the page asks for, and what it is answered. */
function answered(
  rows: object[],
  before: object | null = null,
  total = FIGURES,
): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/analytics', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ total, before, data: rows, isCut: false });
    }),
  );
  return asked;
}
const page = (level = 'me') =>
  draw(<AnalyticsPage />, { namespaces: ['analytics', 'list'], settings: settings(level) });

test('figures of last week by channel lead to their messages, and one choice groups them otherwise', async () => {
  const asked = answered([{ key: 'sms', title: null, figures: FIGURES, before: null }]);
  const { user } = await page();
  const row = within(await screen.findByRole('row', { name: /SMS/ }));
  const to = row.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(to).toEqual([
    '/messages/outgoing?period=lastWeek&f.type=sms',
    '/messages/outgoing?period=lastWeek&f.type=sms&f.status=delivered%2Cseen',
    '/messages/outgoing?period=lastWeek&f.type=sms&f.status=failed',
  ]);
  expect(row.getByText('75%')).toBeTruthy();
  expect(asked[0]!.get('by')).toBe('type');
  const days = Date.parse(asked[0]!.get('to')!) - Date.parse(asked[0]!.get('from')!);
  expect(Math.round(days / 86_400_000)).toBe(7);
  await user.selectOptions(screen.getByLabelText(i18n.t('analytics:by')), 'operator');
  await expect.poll(() => asked.at(-1)!.get('by')).toBe('operator');
  expect(screen.queryByRole('option', { name: i18n.t('analytics:dimension.account') })).toBeNull();
});

test('the time before stands beside the period', async () => {
  const earlier = { ...FIGURES, messages: 125 };
  const asked = answered(
    [{ key: '25001', title: 'MTS', figures: FIGURES, before: earlier }],
    earlier,
  );
  const { user, router } = await page('manager');
  await screen.findByLabelText(i18n.t('analytics:compare'));
  expect(asked.every((query) => !query.has('beforeFrom'))).toBe(true);
  await user.click(screen.getByLabelText(i18n.t('analytics:compare')));
  await expect.poll(() => asked.at(-1)!.get('beforeTo')).toBe(asked[0]!.get('from'));
  expect(router.state.location.search).toContain('compare=1');
  const all = await screen.findAllByText(i18n.t('analytics:before', { value: '120' }));
  expect(all).toHaveLength(2);
  expect(screen.getByRole('option', { name: i18n.t('analytics:dimension.account') })).toBeTruthy();
});

const covering = (key: string, covered: number) => ({
  key,
  title: null,
  figures: { ...FIGURES, covered },
  before: null,
});

test('what packages cover stands beside the cost', async () => {
  answered([covering('sms', 1234), covering('viber', 0)], null, { ...FIGURES, covered: 1234 });
  await page();
  const cells = within(await screen.findByRole('row', { name: /SMS/ })).getAllByRole('cell');
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const at = heads.indexOf(i18n.t('analytics:figure.covered'));
  expect(heads[at - 1]).toBe(i18n.t('analytics:figure.cost'));
  expect(cells[at - 1]!.textContent).toBe('1,234');
  // The tile and the row.
  expect(screen.getAllByText('1,234')).toHaveLength(2);
});

test('accounts without packages have no column of what they cover', async () => {
  answered([covering('sms', 0)]);
  await page();
  await screen.findByRole('row', { name: /SMS/ });
  expect(screen.queryByText(i18n.t('analytics:figure.covered'))).toBeNull();
});

test('a period without messages says so, and what to do', async () => {
  answered([]);
  await page();
  await screen.findByText(i18n.t('analytics:empty.title'));
  expect(screen.getByRole('link').getAttribute('href')).toBe('/send');
});

test('rows are named as what they were asked by', async () => {
  const answer = (key: string) => ({ key, title: null, figures: FIGURES, before: null });
  server.use(
    http.get('*/api/analytics', ({ request }) => {
      const by = new URL(request.url).searchParams.get('by');
      const data = [answer(by === 'day' ? '2026-11-20' : 'sms')];
      return HttpResponse.json({ total: FIGURES, before: null, data, isCut: false });
    }),
  );
  const { user } = await page();
  await screen.findByRole('row', { name: /SMS/ });
  await user.selectOptions(screen.getByLabelText(i18n.t('analytics:by')), 'day');
  expect(await screen.findByRole('row', { name: /^Nov 20, 2026/ })).toBeTruthy();
});

test('figures of a file have the decimal mark of the language', async () => {
  const saved = savedFiles();
  answered([{ key: 'sms', title: null, figures: { ...FIGURES, cost: 700.25 }, before: null }]);
  const { user } = await page();
  await screen.findByRole('row', { name: /SMS/ });
  await changeLocale('de');
  await user.click(screen.getByRole('button', { name: 'CSV' }));
  const lines = (await saved[0]!.blob.text()).split('\r\n');
  expect(lines[1]).toMatch(/^"SMS";200;.*;700,25;/);
});
