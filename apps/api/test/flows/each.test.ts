import { MAX_EACH, sendings, templates, tokens } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, ended, problems, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100 });
  await approve(world, owner.id);
});

const payload = { sender: 'MIRTEA', text: 'Order {order} of {shop|us} for {name|you}' };
const message = { type: 'sms', payload };
const each = (body: object, headers = {}, who = owner) =>
  raw(world, who, 'POST', '/sendings/each', body, headers);
const sent = async () => (await owner.api(sendings.find, { query: { limit: 200 } })).data;

test('each recipient gets its own values, then those of the call, then the defaults of the text', async () => {
  const { status, json } = await each({
    ...message,
    values: { shop: 'MIRTEA', name: 'friend' },
    callbackData: 'all',
    recipients: [
      { to: '8 999 000-00-00', values: { order: 17, name: 'Anna {x}' }, callbackData: 'first' },
      { to: '+79990000001', values: { order: 'A-18', unused: 'x', shop: '' } },
      { to: '+79990000001', values: { order: 'A-19' } },
    ],
  });
  expect(status).toBe(200);
  expect(json).toEqual(
    ['+79990000000', '+79990000001', '+79990000001'].map((recipient) => ({
      id: expect.any(String),
      recipient,
      status: 'pending',
      error: null,
    })),
  );
  const found = await Promise.all(json.map(({ id }: { id: string }) => ended(owner, id)));
  expect(found.map((s) => [s.payload.text, s.callbackData])).toEqual([
    ['Order 17 of MIRTEA for Anna {x}', 'first'],
    ['Order A-18 of us for friend', 'all'],
    ['Order A-19 of MIRTEA for friend', 'all'],
  ]);
  const paid = found.reduce((sum, s) => sum + s.meta.billing!.amount, 0);
  expect(await balance(world, owner.id)).toBeCloseTo(100 - paid, 4);
  expect(await problems(world)).toEqual([]);
});

test('a recipient that cannot be served is refused with the reason and the missing names, the others are sent', async () => {
  const { status, json } = await each({
    type: 'sms',
    payload: { ...payload, text: '{order}, {sum}' },
    recipients: [
      { to: '+79990000000', values: { order: ' ' } },
      { to: '12', values: { order: '1', sum: '2' } },
      { to: '+79990000001', values: { order: '1', sum: 'x'.repeat(1000) } },
      { to: '+79990000002', values: { order: 'y'.repeat(1000), sum: 'x'.repeat(1000) } },
    ],
  });
  expect(status).toBe(200);
  expect(json).toEqual([
    refusal('+79990000000', 'no_value', { missing: ['order', 'sum'] }),
    refusal('12', 'invalid_recipient'),
    { id: expect.any(String), recipient: '+79990000001', status: 'pending', error: null },
    refusal('+79990000002', 'too_long'),
  ]);
  expect(await sent()).toHaveLength(1);
});

const refusal = (recipient: string, code: string, more = {}) => ({
  id: null,
  recipient,
  status: 'failed',
  code,
  error: expect.any(String),
  ...more,
});

test('a fallback has the same values, and another address among them', async () => {
  const fallbacks = [
    {
      type: 'email',
      payload: { sender: 'tea@tea.example', subject: 'Order {order}', text: '{phone}: {order|}' },
      options: { onStatus: ['failed'] },
    },
  ];
  const body = { ...message, payload: { ...payload, text: 'Ready' }, fallbacks };
  const { json } = await each({
    ...body,
    recipients: [
      { to: '+79990000002', values: { order: '7', email: 'Anna@tea.example' }, callbackData: 'c' },
      { to: '+79990000002', values: { email: 'boris@tea.example' } },
    ],
  });
  expect(json[1]).toEqual(refusal('+79990000002', 'no_value', { missing: ['order'] }));
  const all = await until(async () => {
    const rows = await sent();
    return rows.length === 2 && rows;
  }, 'the fallback');
  const second = all.find(({ attempt }) => attempt === 1)!;
  expect(second).toMatchObject({
    type: 'email',
    recipient: 'anna@tea.example',
    payload: { subject: 'Order 7', text: '+79990000002: 7' },
    callbackData: 'c',
  });
});

test('a template is sent with the values of the call; its own fields may be replaced', async () => {
  const { id } = await owner.api(templates.create, {
    body: { title: 'Order', type: 'sms', payload: { text: '{shop}: {order}' } },
  });
  const recipients = [{ to: '+79990000000', values: { order: '5' } }];
  const unnamed = await each({ templateId: id, recipients });
  expect([unnamed.status, unnamed.json.data[0].field]).toEqual([422, 'payload.sender']);
  const body = { templateId: id, payload: { sender: 'MIRTEA' }, values: { shop: 'T' }, recipients };
  const { json } = await each(body);
  expect((await ended(owner, json[0].id)).payload.text).toBe('T: 5');

  const typed = await each({ ...body, type: 'sms' });
  expect([typed.status, typed.json.data[0].field]).toEqual([422, 'type']);
  await owner.api(templates.update, { params: { id }, body: { isActive: false } });
  expect((await each(body)).status).toBe(409);
  const stranger = await world.person({ balance: 100 });
  await approve(world, stranger.id);
  expect((await each(body, {}, stranger)).status).toBe(404);
});

test('each recipient gets a template in its language, with its fallbacks, in the order of the call', async () => {
  const { id } = await owner.api(templates.create, {
    body: {
      title: 'Order',
      type: 'viber',
      payload: {
        sender: 'MIRTEA',
        text: 'Hello {name}',
        button: { text: 'Go', url: 'https://t.ru' },
      },
      fallbacks: [
        {
          type: 'sms',
          payload: { sender: 'MIRTEA', text: 'Bye {name}' },
          options: { onStatus: ['failed'], onTimeout: null },
        },
      ],
      translations: [
        { locale: 'de', payload: { text: 'Hallo {name}' }, fallbacks: [{ text: 'Ade {name}' }] },
        {
          locale: 'pt-BR',
          payload: { text: 'Olá {name}', button: { text: 'Ir', url: 'https://t.ru' } },
        },
      ],
    },
  });
  const recipients = ['en', 'de_AT', undefined, 'pt', 'de'].map((locale, i) => ({
    to: `+7999000000${i}`,
    values: { name: `N${i}` },
    ...(locale && { locale }),
  }));
  const { json } = await each({ templateId: id, locale: 'pt-PT', recipients });
  expect(json.map(({ recipient }: { recipient: string }) => recipient)).toEqual(
    recipients.map(({ to }) => to),
  );
  const all = await Promise.all(
    json.map(({ id }: { id: string }) => owner.api(sendings.get, { params: { id } })),
  );
  expect(
    all.map((s) => [s.payload.text, s.payload.button.text, s.fallbacks[0].payload.text]),
  ).toEqual([
    ['Hello N0', 'Go', 'Bye {name}'],
    ['Hallo N1', 'Go', 'Ade {name}'],
    ['Olá N2', 'Ir', 'Bye {name}'],
    ['Olá N3', 'Ir', 'Bye {name}'],
    ['Hallo N4', 'Go', 'Ade {name}'],
  ]);
  // Fields of the call take the place of those of every language.
  const same = { templateId: id, payload: { text: 'Tea {name}' }, fallbacks: [], recipients };
  const replaced = await each(same);
  const one = await owner.api(sendings.get, { params: { id: replaced.json[1].id } });
  expect([one.payload.text, one.fallbacks]).toEqual(['Tea N1', []]);
  // The languages of a call count together.
  const text = 'ы'.repeat(950);
  const options = { onStatus: ['failed' as const], onTimeout: null };
  await owner.api(templates.update, {
    params: { id },
    body: {
      payload: { sender: 'MIRTEA', text },
      fallbacks: [{ type: 'sms', payload: { sender: 'MIRTEA', text }, options }],
      translations: [{ locale: 'de', payload: { text: `${text}!` } }],
    },
  });
  const many = Array.from({ length: 9000 }, (_, i) => ({
    to: `+7999${String(i).padStart(7, '0')}`,
    ...(i % 2 && { locale: 'de' }),
  }));
  expect((await each({ templateId: id, recipients: many })).json.data[0].type).toBe('too_many');
  const wrong = await each({ templateId: id, recipients: [{ ...recipients[0], locale: 'de at' }] });
  expect([wrong.status, wrong.json.data[0].field]).toEqual([422, 'recipients.0.locale']);
  expect(await problems(world)).toEqual([]);
});

test('an earlier version of a template is sent by its number, unless it was rejected', async () => {
  const { id } = await owner.api(templates.create, {
    body: { title: 'Order', type: 'sms', payload: { ...payload, text: 'One' } },
  });
  const rewrite = (text: string) =>
    owner.api(templates.update, { params: { id }, body: { payload: { ...payload, text } } });
  await rewrite('Two');
  const recipients = [{ to: '+79990000000' }];
  const textOf = async (templateVersion?: number) => {
    const { json } = await each({ templateId: id, templateVersion, recipients });
    return (await owner.api(sendings.get, { params: { id: json[0].id } })).payload.text;
  };
  expect([await textOf(), await textOf(2), await textOf(1)]).toEqual(['Two', 'Two', 'One']);
  const unknown = await each({ templateId: id, templateVersion: 3, recipients });
  expect([unknown.status, unknown.json.data[0]]).toMatchObject([
    422,
    { field: 'templateVersion', type: 'unknown' },
  ]);
  const alone = await each({ ...message, templateVersion: 1, recipients });
  expect([alone.status, alone.json.data[0].field]).toEqual([422, 'templateId']);
  await world.db.query(`update templates set moderation = 'rejected' where id = $1`, [id]);
  await rewrite('Three');
  expect(await textOf()).toBe('Three');
  expect((await each({ templateId: id, templateVersion: 2, recipients })).status).toBe(409);
  expect(await textOf(1)).toBe('One');
  await owner.api(templates.update, { params: { id }, body: { isActive: false } });
  expect((await each({ templateId: id, templateVersion: 1, recipients })).status).toBe(409);
});

test('a token needs the permission for templates to send one', async () => {
  const { id } = await owner.api(templates.create, {
    body: { title: 'Order', type: 'sms', payload },
  });
  const { token } = await owner.api(tokens.create, {
    body: { description: 'shop', permissions: ['sendings.generate'] },
  });
  const body = { templateId: id, recipients: [{ to: '+79990000000', values: { order: '1' } }] };
  const { status, json } = await each(body, {}, { ...owner, token });
  expect([status, json.payload.permission]).toEqual([403, 'templates.get']);
  expect(
    (await each({ ...message, recipients: body.recipients }, {}, { ...owner, token })).status,
  ).toBe(200);
});

test('money that ends refuses the rest; a repeated key sends nothing again', async () => {
  const poor = await world.person({ balance: 5 });
  await approve(world, poor.id);
  const recipients = Array.from({ length: 450 }, (_, i) => ({
    to: `+7999000${String(i % 100).padStart(4, '0')}`,
    values: { order: i },
  }));
  const headers = { 'idempotency-key': 'orders-1' };
  const first = await each({ ...message, recipients }, headers, poor);
  expect(first.json).toHaveLength(450);
  const ids = first.json.filter((r: { id: string | null }) => r.id);
  expect(ids.length).toBeGreaterThan(0);
  expect(first.json.slice(ids.length)).toEqual(
    recipients.slice(ids.length).map(({ to }) => refusal(to, 'insufficient_funds')),
  );
  const left = await balance(world, poor.id);
  expect(left).toBeGreaterThanOrEqual(0);
  expect((await each({ ...message, recipients }, headers, poor)).json).toEqual(first.json);
  expect(await balance(world, poor.id)).toBe(left);
  expect(await problems(world)).toEqual([]);
});

test('what cannot be read is refused with its place, at most ten of them', async () => {
  const cases: [object, string, string][] = [
    [{ recipients: [] }, 'recipients', 'too_many'],
    [{ recipients: Array(MAX_EACH + 1).fill({}) }, 'recipients', 'too_many'],
    [{ recipients: ['+79990000000'] }, 'recipients.0', 'type'],
    [{ recipients: [{ to: '' }] }, 'recipients.0.to', 'required'],
    [{ recipients: [{ to: 'a\nb' }] }, 'recipients.0.to', 'required'],
    [{ recipients: [{ to: '+79990000000', note: 1 }] }, 'recipients.0.note', 'unknown_field'],
    [{ recipients: [{ to: 'x', values: { 'a b': '1' } }] }, 'recipients.0.values.a b', 'name'],
    [{ recipients: [{ to: 'x', values: { a: null } }] }, 'recipients.0.values.a', 'type'],
    [{ recipients: [{ to: 'x', values: [] }] }, 'recipients.0.values', 'type'],
    [{ values: { a: 'x'.repeat(1001) } }, 'values.a', 'too_long'],
    [{ payload: { ...payload, text: 'Code %d{4}' } }, 'payload.text', 'character_class'],
    [{ payload: { ...payload, text: '{constructor}' } }, 'payload.text', 'variable'],
    [{ type: undefined }, 'type', 'required'],
  ];
  for (const [change, field, rule] of cases) {
    const body = { ...message, recipients: [{ to: '+79990000000' }], ...change };
    const { status, json } = await each(body);
    expect([status, json.data?.[0]]).toEqual([422, expect.objectContaining({ field, type: rule })]);
  }
  const { json } = await each({ ...message, recipients: Array(MAX_EACH).fill({}) });
  expect(json.data).toHaveLength(10);
  const long = { type: 'email', payload: { ...payload, text: 'x'.repeat(90_000) } };
  const heavy = await each({ ...long, recipients: Array(200).fill({ to: 'a@tea.example' }) });
  expect([heavy.status, heavy.json.data[0].field]).toEqual([422, 'recipients']);
});
