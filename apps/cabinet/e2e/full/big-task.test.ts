import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser } from '../test-browser.ts';

const COUNT = 20_000;
const CROWD = 4000;

let browser: TestBrowser;
let owner: string;
let token: string;
let options: object;

/** Changes options of the simulator, and waits longer than channels are cached. */
async function simulate(changes: object): Promise<void> {
  await browser.db.query(`update channels set options = $1 where name = 'simulator'`, [
    { ...options, ...changes },
  ]);
  await sleep(2000);
}

beforeAll(async () => {
  browser = await TestBrowser.open();
  const channels = await browser.db.query(`select options from channels where name = 'simulator'`);
  options = channels.rows[0].options;
  // Without replies: confirmations of opt-outs would be new rows, also while a later test looks at its own.
  await simulate({ replies: 0 });
  token = await browser.token('customer');
  const { rows } = await browser.db.query(`select id from users where username = 'customer'`);
  owner = rows[0].id;
  // Enough balance, with its entry, so that the ledger stays consistent.
  await browser.db.query(
    `insert into billings (owner_id, source, amount) values ($1, -1, 1000000)`,
    [owner],
  );
  await browser.db.query(`update balances set balance = balance + 1000000 where owner_id = $1`, [
    owner,
  ]);
});
afterAll(async () => {
  await simulate({});
  await browser.close();
});

let people = 0;

/** People of their own: some of those who got a message answer that they want no more. */
async function contactList(title: string, count: number): Promise<string> {
  const { rows } = await browser.db.query(
    `insert into contact_lists (owner_id, title, count) values ($1, $2, $3) returning id`,
    [owner, title, count],
  );
  await browser.db.query(
    `insert into contacts (list_id, phone, first_name)
      select $1, '+7902' || lpad(($3::int + n)::text, 7, '0'), 'Name' || n from generate_series(1, $2::int) n`,
    [rows[0].id, count, people],
  );
  people += count;
  return rows[0].id;
}

const bulk = (list: string, title: string, until: number) =>
  browser.call(
    'POST',
    '/sendings',
    {
      type: 'viber',
      payload: { sender: 'MIRTEA', text: 'Tea for {firstName|you}' },
      recipient: { include: [list] },
      ...(until && { schedule: { delay: 0, until } }),
      options: { title },
    },
    token,
  );

/** Number of submitted messages of a task. */
async function handedOver(task: string): Promise<number> {
  const { rows } = await browser.db.query(
    `select coalesce(sum(size), 0)::int as n from batches where task_id = $1 and stage >= 2`,
    [task],
  );
  return rows[0].n;
}

/** Number of its batches that a worker has leased or submits. */
async function inHands(task: string): Promise<number> {
  const { rows } = await browser.db.query(
    `select count(*)::int as n from batches where task_id = $1 and stage in (1, 2)`,
    [task],
  );
  return rows[0].n;
}

test('a task of 20,000 messages is paused, submits nothing, and continues after the last message', async () => {
  const list = await contactList('Twenty thousand', COUNT);
  const { id } = await bulk(list, 'Long day', 1);
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/messages/tasks?q=Long`);
  const row = page.getByRole('row', { name: /Long day/ });
  await row.getByText('20,000').first().waitFor({ timeout: 30_000 });
  await expect.poll(() => handedOver(id!), { timeout: 30_000 }).toBeGreaterThan(0);

  await row.getByRole('button', { name: 'Pause “Long day”' }).click();
  await row.getByText('Paused').waitFor();
  // Submits in progress end; then the counters do not change.
  await expect.poll(() => inHands(id!)).toBe(0);
  const held = await handedOver(id!);
  await sleep(4000);
  expect(await handedOver(id!)).toBe(held);
  expect(held).toBeLessThan(COUNT);

  await page.reload();
  await row.getByText('Paused').waitFor();
  await row.getByRole('button', { name: 'Resume “Long day”' }).click();
  await row.getByText('Running').waitFor();
  await expect.poll(() => handedOver(id!), { timeout: 30_000 }).toBeGreaterThan(held);
  const { rows } = await browser.db.query(
    `select count(*)::int as n, count(distinct phone)::int as phones from sendings where group_id = $1`,
    [id],
  );
  expect(rows[0].n).toBe(rows[0].phones);

  await row.getByRole('button', { name: 'Stop “Long day”' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop “Long day”' }).click();
  await row.getByText('Stopped').waitFor();
  expect(browser.consoleErrors).toEqual([]);
}, 180_000);

/** Number of changed messages in a frame of the socket. */
function eventsIn(frame: string): number {
  const event = /^42(\["sendings\..*)$/s.exec(frame);
  if (!event) return 0;
  const [, body] = JSON.parse(event[1]!) as [string, { items?: unknown[]; count?: number }];
  return body.items?.length ?? body.count ?? 0;
}

/** The cumulative layout shift of a page without user input, and what has moved. */
async function watchShifts(page: Page): Promise<() => Promise<{ sum: number; moved: string[] }>> {
  await page.evaluate(() => {
    const shifts = Object.assign(window, { shifts: { sum: 0, moved: [] as string[] } }).shifts;
    interface LayoutShift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    const named = (node: Node | null) => {
      const { className, textContent } = (node ?? document.body) as Element;
      return `${node?.nodeName}.${className} “${textContent?.slice(0, 30)}”`;
    };
    const lies = ({ x, y, width, height }: DOMRect) =>
      [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const {
        value,
        hadRecentInput,
        startTime,
        sources,
      } of list.getEntries() as LayoutShift[]) {
        if (hadRecentInput) continue;
        shifts.sum += value;
        for (const { node, previousRect, currentRect } of sources)
          shifts.moved.push(
            `${Math.round(startTime)} ms, ${value.toFixed(3)}: ${named(node)} from ${lies(previousRect)} to ${lies(currentRect)}`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () =>
    page.evaluate(() => (window as unknown as { shifts: { sum: number; moved: string[] } }).shifts);
}

test.each([
  ['/messages/outgoing', 1280],
  ['/messages/outgoing', 390],
  ['/messages/tasks', 1280],
  ['/messages/tasks', 390],
  ['/', 1280],
  ['/', 390],
])(
  'the layout does not shift during a hundred status updates per second: %s, %i wide',
  async (path, width) => {
    await simulate({ replies: 0, sentDelay: [3000, 20_000], deliveredDelay: [1000, 12_000] });
    const list = await contactList(`Crowd ${path} ${width}`, CROWD);
    const page = await browser.signedIn('customer', { viewport: { width, height: 900 } });
    let events = 0;
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => (events += eventsIn(String(payload)))),
    );
    const { id } = await bulk(list, `Crowd ${path} ${width}`, 0);
    await expect.poll(() => handedOver(id!), { timeout: 15_000 }).toBe(CROWD);
    await page.goto(browser.url + path);
    await expect.poll(() => events, { timeout: 20_000 }).toBeGreaterThan(100);
    const shifted = await watchShifts(page);
    const [from, since] = [events, Date.now()];
    await sleep(10_000);
    const perSecond = ((events - from) / (Date.now() - since)) * 1000;
    expect(perSecond).toBeGreaterThanOrEqual(100);
    const { sum, moved } = await shifted();
    expect(sum, moved.join('\n')).toBeLessThanOrEqual(0.05);
    expect(browser.consoleErrors).toEqual([]);
  },
);
