import { afterAll, beforeAll, expect, test } from 'vitest';
import { MESSAGE } from '../scene.ts';
import type { Person } from '../world.ts';
import { Target, type Reply } from './target.ts';

/** One account makes many concurrent calls; the observers of the target are other accounts. */

const ROWS = 200_000;
/** Rows that one statement has the time to write. */
const PORTION = 20_000;
let target: Target;
let greedy: Person;
beforeAll(async () => {
  target = await Target.start();
  greedy = await target.person({ balance: 1_000_000 });
  const { db } = target.world;
  await db.query(
    `insert into sendernames (owner_id, name, type, moderation, comment) values ($1, $2, 'sms', 'approved', '')`,
    [greedy.id, MESSAGE.payload.sender],
  );
  const [list] = await db.query<{ id: string }>(
    `insert into contact_lists (owner_id, title) values ($1, 'Many') returning id`,
    [greedy.id],
  );
  for (let from = 1; from < ROWS; from += PORTION)
    await db.query(
      `insert into contacts (list_id, phone, first_name, last_name)
       select $1, '+7900' || lpad(n::text, 7, '0'), 'Name' || n, 'Family' || n from generate_series($2::int, $3::int) n`,
      [list!.id, from, from + PORTION - 1],
    );
  await db.query('analyze contacts');
});
afterAll(() => target.stop());

const together = (n: number, one: (i: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: n }, (_, i) => one(i)));
const answered = (replies: Reply[]) => {
  for (const { status } of replies)
    expect([200, 201, 402, 409, 413, 422, 429, 503]).toContain(status);
  for (const { status, headers } of replies)
    if ([429, 503].includes(status)) expect(headers.get('retry-after')).toMatch(/^\d+$/);
};

const SEARCHES: [name: string, query: string][] = [
  ['contacts by a word without matches', '/api/contacts?$search=zzzz'],
  ['contacts by one letter', '/api/contacts?$search=a'],
  ['contacts far down the list', '/api/contacts?$offset=190000&$limit=200'],
  ['contacts by family name', '/api/contacts?$order[0][0]=lastName&$order[0][1]=asc'],
  ['messages by a word', '/api/sendings?$search=zzzz'],
  ['the ledger', '/api/billings?$limit=200'],
  ['templates by a word', '/api/templates?$search=zzzz'],
  ['lists by a word', '/api/contactLists?$search=zzzz'],
  ['links by a word', '/api/links?$search=zzzz'],
  ['tasks by a word', '/api/tasks?$search=zzzz'],
];
test.each(SEARCHES)('60 times at once: %s', async (_, path) => {
  await target.attack(async () => {
    answered(await together(60, () => target.shoot(path, { token: greedy.token })));
  });
});

const text = (n: number) => 'Tea '.repeat(Math.ceil(n / 4)).slice(0, n);
const phones = (n: number) => Array.from({ length: n }, (_, i) => `+7900${String(1_000_000 + i)}`);
const emails = (n: number) => Array.from({ length: n }, (_, i) => `person${i}@tea.example`);
const fallback = (body: string) => ({
  type: 'sms',
  payload: { sender: MESSAGE.payload.sender, text: body },
  options: { onStatus: ['failed'] },
});
const ESTIMATES: [name: string, body: () => object, status?: number][] = [
  [
    '20,000 phones with three fallbacks',
    () => ({
      ...MESSAGE,
      payload: { ...MESSAGE.payload, text: 'Hello {firstName|friend}' },
      recipient: { include: phones(20_000) },
      fallbacks: [1, 2, 3].map((n) => fallback(`${n} {firstName|friend}`)),
    }),
  ],
  ['50,000 phones', () => ({ ...MESSAGE, recipient: { include: phones(50_000) } })],
  [
    '1,000 e-mails of 100,000 letters',
    () => ({
      type: 'email',
      payload: { sender: 'tea@tea.example', subject: 'Tea', text: text(100_000) },
      recipient: { include: emails(1000) },
    }),
  ],
  [
    '1,000 e-mails of 100,000 letters with a name',
    () => ({
      type: 'email',
      payload: {
        sender: 'tea@tea.example',
        subject: 'Tea',
        text: `{firstName|friend} ${text(99_000)}`,
      },
      recipient: { include: emails(1000) },
    }),
  ],
  [
    '50,000 entries that are no address',
    () => ({
      ...MESSAGE,
      recipient: { include: Array.from({ length: 50_000 }, () => 'x'.repeat(60)) },
    }),
    422,
  ],
  [
    '50,000 times the same',
    () => ({
      ...MESSAGE,
      recipient: { include: Array.from({ length: 50_000 }, () => '+79001234567') },
    }),
  ],
];
test.each(ESTIMATES)('an estimate of %s, alone and five at once', async (_, body, status = 200) => {
  const asked = body();
  const estimate = () =>
    target.shoot('/api/sendings/estimate', { token: greedy.token, body: asked });
  await target.attack(async () => {
    expect(await estimate()).toMatchObject({ status });
    const replies = await together(5, estimate);
    answered(replies);
    // One runs, three wait up to their limit: on a busy machine not all of them run.
    expect(replies.filter((reply) => reply.status === status).length).toBeGreaterThanOrEqual(1);
  });
});

test('a sending to 20,000 typed phones', async () => {
  await target.attack(async () => {
    const delay = new Date(Date.now() + 3_600_000).toISOString();
    answered([
      await target.shoot('/api/sendings', {
        token: greedy.token,
        body: { ...MESSAGE, recipient: phones(20_000), schedule: { delay } },
      }),
    ]);
  });
});

const COSTLY: [name: string, path: string, body: (i: number) => object][] = [
  [
    'sign in with a wrong password',
    '/api/login',
    (i) => ({ username: `unknown-${i}`, password: 'wrong' }),
  ],
  ['ask for a new password', '/api/recover', (i) => ({ login: `unknown-${i}` })],
  [
    'generate a text',
    '/api/n/message-payload-generator/text',
    () => ({ channel: 'sms', formValues: { messageTheme: 'Tea', occasion: 'Spring' } }),
  ],
  ['generate speech', '/api/tts/generate', () => ({ tts: 'polly:maxim', text: text(900) })],
  ['look up a place', '/api/geocode', (i) => ({ latitude: 40 + i / 10, longitude: -3.7 })],
  ['make a template', '/api/templates', (i) => ({ title: `Sale ${i}`, ...MESSAGE })],
  ['make a list', '/api/contactLists', (i) => ({ title: `List ${i}`, type: 'regular' })],
  ['make a link', '/api/links', (i) => ({ url: `https://tea.example/${i}` })],
];
test.each(COSTLY)('100 times at once: %s', async (_, path, body) => {
  await target.attack(async () => {
    const replies = await together(100, (i) =>
      target.shoot(path, { token: greedy.token, body: body(i) }),
    );
    // Every call is valid.
    for (const { status, text: said } of replies)
      expect([200, 201, 202, 401, 403, 429, 503], said).toContain(status);
  });
});
