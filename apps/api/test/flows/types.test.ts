import {
  contactLists,
  contacts,
  sendings,
  storage,
  type Estimate,
  type SendingType,
} from '@heliograph/contract';
import { SENDING_TYPES } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, problems, setCarrier } from '../factories.ts';
import { fieldsOf, raw, type RawAnswer } from '../raw.ts';
import { picture, upload } from '../scene.ts';
import { type Person, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 10_000 });
  await approve(world, owner.id);
  await approve(world, owner.id, '79001112233', 'voice');
});

/** The payload with the id of a file in place of ID. */
async function withFile<P extends object>(payload: P): Promise<P> {
  if (!JSON.stringify(payload).includes(ID)) return payload;
  const { id } = await owner.api(storage.create, { body: picture() });
  return JSON.parse(JSON.stringify(payload).replaceAll(ID, id)) as P;
}

/** A placeholder for the id of a file. */
const ID = '01930000-0000-7000-8000-000000000077';
const text = 'Tea is ready';
/** Valid payloads by type, the simplest one first. */
const RIGHT: Record<Exclude<SendingType, 'wapi'>, object[]> = {
  sms: [{ text }, { text: 'x'.repeat(200) }, { text: `${'a'.repeat(152)}€${'a'.repeat(152)}` }],
  smsping: [{}, { text }],
  mms: [{ text, image: ID }, { text: 'ё'.repeat(80) }],
  viber: [{ text }, { text, image: ID, button: { text: 'Order', url: 'https://tea.example' } }],
  voice: [{ text, tts: 'anna' }],
  whatsapp: [
    { text },
    { image: ID },
    { file: ID },
    { text, buttons: [1, 2, 3].map((n) => ({ text: `B${n}`, action: 'reply' })) },
  ],
  email: [{ text, subject: 'Tea' }],
  vk: [{ text }, { text, buttons: Array.from({ length: 10 }, () => ({ text: 'B', action: 'a' })) }],
  ok: [{ text }],
  push: [{ text }],
  telegram: [{ text }],
  max: [{ text }, { text, image: ID }],
  facebook: [{ text }],
  instagram: [{ text }],
  chat_telegram: [{ text }],
  chat_vk: [{ text }],
  chat_ok: [{ text }],
  chat_facebook: [{ text }],
  chat_instagram: [{ text }],
  chat_whatsapp: [{ text }],
  flashcall: [{ text: '1234' }],
  hlr: [{}],
  telegramcode: [{ text: '123456' }],
  sim_push: [{}, { text }],
};
const TYPES = SENDING_TYPES.filter((type) => type !== 'wapi') as (keyof typeof RIGHT)[];
const senderOf = (type: string) => (type === 'voice' ? '79001112233' : 'MIRTEA');
const recipientOf = (type: string) => (type === 'email' ? 'anna@tea.example' : '+79161234567');
const bodyOf = (type: string, payload: object, over = {}) => ({
  type,
  recipient: recipientOf(type),
  payload: { sender: senderOf(type), ...payload },
  ...over,
});
const estimate = async (body: object): Promise<Estimate> =>
  owner.api(sendings.estimate, { body: body as never });
const cents = (amount: number) => Math.round(amount * 10_000);

test.each(TYPES)('%s: right payloads are accepted and billed as estimated', async (type) => {
  for (const plain of RIGHT[type]) {
    const payload = await withFile(plain);
    const before = await balance(world, owner.id);
    const expected = await estimate(bodyOf(type, payload));
    expect(expected).toMatchObject({ exact: true, recipients: 1, enough: true });
    expect(expected.amount).toBeGreaterThan(0);
    const answer = await raw(world, owner, 'POST', '/sendings', bodyOf(type, payload));
    expect(answer.json).toMatchObject({ status: 'pending', error: null });
    const sending = await owner.api(sendings.get, { params: { id: answer.json.id } });
    expect(sending.payload).toMatchObject({ sender: senderOf(type), ...payload });
    expect(cents(sending.meta.billing!.amount)).toBe(cents(expected.amount));
    expect(cents(before - (await balance(world, owner.id)))).toBe(cents(expected.amount));
    expect(cents(expected.balanceAfter!)).toBe(cents(await balance(world, owner.id)));
  }
  expect(await problems(world)).toEqual([]);
});

const button = (over: object) => ({
  text,
  button: { text: 'Order', url: 'https://t.ru', ...over },
});
const buttons = (n: number) => ({
  text,
  buttons: Array.from({ length: n }, () => ({ text: 'B', action: 'a' })),
});
/** What is wrong, and the field that the refusal names. */
const WRONG: [type: string, payload: object, field: string][] = [
  ['sms', {}, 'payload.text'],
  ['sms', { text: '   ' }, 'payload.text'],
  ['sms', { text, sender: '' }, 'payload.sender'],
  ['sms', { text: 'x'.repeat(2001) }, 'payload.text'],
  ['sms', { text: 'Hello {fistName}' }, 'payload.text'],
  ['sms', button({}), 'payload.button'],
  ['sms', buttons(1), 'payload.buttons'],
  ['viber', button({ url: 'javascript:alert(1)' }), 'payload.button.url'],
  ['viber', button({ url: 'tea.example' }), 'payload.button.url'],
  ['viber', button({ url: `https://t.ru/${'x'.repeat(2048)}` }), 'payload.button.url'],
  ['viber', button({ text: 'x'.repeat(31) }), 'payload.button.text'],
  ['viber', button({ text: '' }), 'payload.button.text'],
  ['viber', { image: ID }, 'payload.text'],
  ['viber', buttons(1), 'payload.buttons'],
  ['whatsapp', {}, 'payload.text'],
  ['whatsapp', buttons(4), 'payload.buttons'],
  ['vk', buttons(11), 'payload.buttons'],
  ['vk', { text, buttons: [{ text: '', action: 'a' }] }, 'payload.buttons.0.text'],
  ['voice', { text }, 'payload.text'],
  ['voice', { tts: 'anna' }, 'payload.text'],
  ['flashcall', { text: '12a4' }, 'payload.text'],
  ['telegramcode', { text: '123' }, 'payload.text'],
  ['email', {}, 'payload.text'],
  ['push', {}, 'payload.text'],
  ['sms', { text, image: 'no id' }, 'payload.image'],
  // Fields that a type does not have.
  ['sms', { text, image: ID }, 'payload.image'],
  ['sms', { text, subject: 'Tea' }, 'payload.subject'],
  ['sms', { text, tts: 'anna' }, 'payload.tts'],
  ['sms', { text, audio: ID }, 'payload.audio'],
  ['viber', { text, file: ID }, 'payload.file'],
  ['whatsapp', { text, video: ID }, 'payload.video'],
  ['email', { text, image: ID }, 'payload.image'],
  ['push', { text, button: { text: 'Order', url: 'https://t.ru' } }, 'payload.button'],
  ['whatsapp', { image: ID, file: ID }, 'payload.file'],
  ['sms', { text, colour: 'red' }, 'payload.colour'],
];

const unique = (answer: RawAnswer) => [...new Set(fieldsOf(answer))];

test.each(WRONG)(
  '%s: wrong payload %# is refused and its field named',
  async (type, payload, field) => {
    const single = await raw(world, owner, 'POST', '/sendings', bodyOf(type, payload));
    expect([single.status, unique(single)]).toEqual([422, [field]]);
    const recipient = { include: [recipientOf(type)] };
    const bulk = await raw(world, owner, 'POST', '/sendings', bodyOf(type, payload, { recipient }));
    expect([bulk.status, unique(bulk)]).toEqual([422, [field]]);
    // The same rules apply to fallbacks.
    const fallbacks = [{ ...bodyOf(type, payload), $options: { onStatus: ['failed'] } }].map(
      ({ recipient: _, ...f }) => f,
    );
    const chain = await raw(
      world,
      owner,
      'POST',
      '/sendings',
      bodyOf('viber', { text }, { fallbacks }),
    );
    expect([chain.status, unique(chain)]).toEqual([422, [`fallbacks.0.${field}`]]);
    expect(await balance(world, owner.id)).toBe(10_000);
  },
);

test('a file is of the kind and size that its channel takes', async () => {
  const file = async (form: FormData) => (await owner.api(storage.create, { body: form })).id;
  const [small, large, table] = [
    await file(picture()),
    await file(picture(5 * 1024 * 1024 + 1)),
    await file(upload('phone\n')),
  ];
  const wrong: [type: string, field: string, id: string, rule: string][] = [
    ['whatsapp', 'image', table, 'file_type'],
    ['whatsapp', 'image', large, 'file_size'],
    ['mms', 'image', large, 'file_size'],
    ['viber', 'image', table, 'file_type'],
    ['viber', 'video', small, 'file_type'],
    ['voice', 'audio', small, 'file_type'],
    ['voice', 'audio', table, 'file_type'],
  ];
  for (const [type, field, id, rule] of wrong) {
    const body = bodyOf(type, { text, [field]: id });
    const fallbacks = [{ type, payload: body.payload, $options: { onStatus: ['failed'] } }];
    for (const path of ['/sendings', '/sendings/estimate']) {
      const single = await raw(world, owner, 'POST', path, body);
      expect([type, field, single.status, single.json.data]).toEqual([
        type,
        field,
        422,
        [expect.objectContaining({ field: `payload.${field}`, type: rule })],
      ]);
      const chain = await raw(world, owner, 'POST', path, bodyOf('sms', { text }, { fallbacks }));
      expect(fieldsOf(chain)).toEqual([`fallbacks.0.payload.${field}`]);
    }
  }
  for (const [type, payload] of [
    ['whatsapp', { file: large }],
    ['viber', { text, image: large }],
    ['email', { text, file: table }],
  ] as const)
    expect((await raw(world, owner, 'POST', '/sendings', bodyOf(type, payload))).status).toBe(200);
});

test('types that require a registered sender name are refused without one', async () => {
  const free = await world.person({ balance: 100 });
  await world.db.query(`update users set settings = $2 where id = $1`, [
    free.id,
    { sendings: { sendernamesCheck: [] } },
  ]);
  const send = async (who: Person, type: string) => {
    const spoken = type === 'voice' && { tts: 'anna' };
    const body = bodyOf(type, { text, ...spoken, sender: 'Tea cluster, 12' });
    const { status, json } = await raw(world, who, 'POST', '/sendings', body);
    return [status, json.status, json.code];
  };
  expect(await send(owner, 'sms')).toEqual([400, 'failed', 'sender_not_approved']);
  expect(await send(owner, 'voice')).toEqual([200, 'pending', undefined]);
  expect(await send(free, 'sms')).toEqual([200, 'pending', undefined]);
});

test('voice costs a call and its seconds', async () => {
  const [call, second] = [0.6, 0.09];
  for (const length of [1, 14, 15, 140, 141]) {
    const body = bodyOf('voice', { text: 'x'.repeat(length), tts: 'anna' });
    const { amount } = await estimate(body);
    expect(cents(amount)).toBe(cents(call + second * Math.ceil(length / 14)));
  }
});

test('a chain is estimated as a range: the first attempt, and all that could start', async () => {
  const fallbacks = [
    { type: 'sms', payload: { sender: 'MIRTEA', text }, $options: { onStatus: ['failed'] } },
    {
      type: 'voice',
      payload: { sender: '79001112233', text, tts: 'anna' },
      $options: { onTimeout: { timeout: 50, except: ['delivered'] } },
    },
  ];
  const alone = await estimate(bodyOf('viber', { text }));
  const sms = await estimate(bodyOf('sms', { text }));
  const voice = await estimate(bodyOf('voice', { text, tts: 'anna' }));
  const chain = await estimate(bodyOf('viber', { text }, { fallbacks }));
  expect(chain.amount).toBe(alone.amount);
  expect(cents(chain.max)).toBe(cents(alone.amount + sms.amount + voice.amount));
});

test('segments, variables and operators are in the estimate of a bulk, to the fourth decimal', async () => {
  const recipient = {
    include: ['+79161234567', '+79261234567', '+79031234567', '+77011234567', '+491701234567'],
  };
  const texts = ['Hello', 'x'.repeat(161), 'ё'.repeat(71), 'Hi, {firstName|friend}!'];
  for (const said of texts) {
    const before = await balance(world, owner.id);
    const body = bodyOf('sms', { text: said }, { recipient });
    const expected = await estimate(body);
    expect(cents(expected.operators.reduce((sum, o) => sum + o.amount, 0))).toBe(
      cents(expected.amount),
    );
    const receipts = await raw(world, owner, 'POST', '/sendings?return=each', body);
    expect(receipts.json).toHaveLength(5);
    expect(cents(before - (await balance(world, owner.id)))).toBe(cents(expected.amount));
  }
});

test('the lines of an operator multiply to its amount, and its amounts add up', async () => {
  const list = await owner.api(contactLists.create, {
    body: { title: 'Readers', type: 'regular' },
  });
  const people = ['Anna', 'B'.repeat(80), 'Clara'].entries();
  for (const [i, firstName] of people) {
    const phone = `+7916123450${i}`;
    await owner.api(contacts.create, { body: { ListId: list.id, phone, firstName } });
  }
  const recipient = { include: [list.id, '+77011234567'] };
  const text = `${'ё'.repeat(40)} {firstName|you}`;
  const fallback = { type: 'viber', payload: { sender: 'MIRTEA', text: 'Again' } };
  const fallbacks = [{ ...fallback, $options: { onStatus: ['failed'] } }];
  const plain = await estimate(bodyOf('sms', { text }, { recipient, fallbacks }));
  for (const { count, amount, lines } of plain.operators) {
    expect(lines.reduce((n, l) => n + l.count, 0)).toBe(count);
    expect(cents(lines.reduce((n, l) => n + l.amount, 0))).toBe(cents(amount));
    for (const line of lines)
      expect(cents(line.amount)).toBe(line.count * line.multiplier * cents(line.price as number));
  }
  expect(plain.operators[0]!.lines.map((l) => [l.count, l.multiplier])).toEqual([
    [2, 1],
    [1, 2],
  ]);
  expect(cents(plain.operators.reduce((n, o) => n + o.max, 0))).toBe(cents(plain.max));
  const call = await estimate(bodyOf('voice', { text: 'x'.repeat(30), tts: 'anna' }));
  const [{ lines }] = call.operators as [Estimate['operators'][number]];
  expect(lines).toEqual([{ count: 1, multiplier: 3, price: [0.6, 0.09], amount: call.amount }]);
});

test('types that the account may not send are refused, in fallbacks as well', async () => {
  const wapi = await raw(world, owner, 'POST', '/sendings', bodyOf('wapi', { text }));
  expect([wapi.status, fieldsOf(wapi)]).toEqual([422, ['type']]);
  await world.db.query(
    `update users set settings = jsonb_set(settings, '{sendings}', '{"types": ["viber"]}') where id = $1`,
    [owner.id],
  );
  // The rules of an account are cached for a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const fallbacks = [
    { type: 'sms', payload: { sender: 'MIRTEA', text }, $options: { onStatus: ['failed'] } },
  ];
  for (const recipient of [recipientOf('sms'), { include: [recipientOf('sms')] }]) {
    const sms = await raw(
      world,
      owner,
      'POST',
      '/sendings',
      bodyOf('sms', { text }, { recipient }),
    );
    expect([sms.status, fieldsOf(sms)]).toEqual([422, ['type']]);
    const body = bodyOf('viber', { text }, { recipient, fallbacks });
    const chain = await raw(world, owner, 'POST', '/sendings', body);
    expect([chain.status, fieldsOf(chain)]).toEqual([422, ['fallbacks.0.type']]);
  }
});
