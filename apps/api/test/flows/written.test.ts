import { contactLists, contacts, sendings, storage, type StoredFile } from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve, setCarrier } from '../factories.ts';
import { fieldsOf, raw } from '../raw.ts';
import { type Person, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
});
afterAll(() => world.stop());

const PHONE = '+79161234567';
const payload = { sender: 'MIRTEA', text: 'Hello' };
const post = (path: string, body: unknown) => raw(world, owner, 'POST', path, body);
const newList = async () =>
  (await owner.api(contactLists.create, { body: { title: 'Friends', type: 'regular' } })).id;
/** Everyone who is written to, opted out, or kept. What was refused is kept as it was sent. */
const allPhones = async () =>
  (
    await world.db.query<{ phone: string }>(
      `select phone from (
         select phone from sendings union select phone from contacts union select address from suppressions
         union select "from" from sendings_incoming union select data->>'phone' from users) p
        where phone ~ '^[+][0-9]+$' order by 1`,
    )
  ).map(({ phone }) => phone);

describe('what is not exactly one phone number reaches nobody', () => {
  test.each([
    '+49 30 123456/57',
    '+62 21 5551234,5',
    '4915112345678.5',
    '+4915112345678.0',
    '+7 495 123-45-67 доб. 12',
    '+1 202 555 0123 x12',
    '8 916 123-45-67 / 8 903 123-45-67',
  ])('%s', async (typed) => {
    const before = await allPhones();
    const ListId = await newList();
    const body = new FormData();
    body.set('file', new Blob([`phone;firstName\n"${typed}";Anna\n`]), 'friends.csv');
    const { id } = await owner.api(contacts.create, { body: { ListId, email: 'a@b.example' } });
    const incoming = { to: 'MIRTEA', type: 'sms', payload: { text: 'Hi' } };
    // As it was sent: the carrier's word for it, to which nothing can be sent.
    expect((await post('/sendingsIncoming', { ...incoming, from: typed })).json.from).toBe(typed);
    const user = {
      username: `user-${Math.random()}@tea.example`,
      password: 'Secret-tea-42',
      data: { phone: typed, firstName: 'Anna', email: 'anna@tea.example' },
    };
    const answers = {
      single: await post('/sendings', { type: 'sms', payload, recipient: typed }),
      bulk: await post('/sendings', { type: 'sms', payload, recipient: [typed] }),
      contact: await post('/contacts', { ListId, phone: typed }),
      update: await raw(world, owner, 'PUT', `/contacts/${id}`, { phone: typed }),
      optOut: await post('/suppressions', { address: typed }),
      account: await raw(world, owner, 'PUT', `/users/${owner.id}`, {
        data: { phone: typed },
        password: 'password',
      }),
      registration: await post('/registration', user),
      erasure: await post('/persons/erase', { address: typed }),
    };
    for (const [path, { status }] of Object.entries(answers))
      expect([path, status, status >= 400 && status < 500]).toEqual([path, status, true]);
    expect(await allPhones()).toEqual(before);
  });

  test('a spreadsheet may write one number as a decimal, and a cell of a list has marks', async () => {
    const ListId = await newList();
    for (const [typed, phone] of [
      ['79161234567.0', PHONE],
      ["'8 916 123-45-68", '+79161234568'],
      ['7.9161234569E+10', '+79161234569'],
      ['+49 (0)30 123456', '+4930123456'],
    ])
      expect(await owner.api(contacts.create, { body: { ListId, phone: typed! } })).toMatchObject({
        phone,
      });
  });
});

describe('texts', () => {
  const nfd = 'Café'.normalize('NFD');

  test('are composed when they come in: a decomposed letter costs no second message', async () => {
    const text = `${'a'.repeat(155)}${'é'.normalize('NFD').repeat(5)}`;
    const sent = await post('/sendings', {
      type: 'sms',
      recipient: PHONE,
      payload: { ...payload, text },
    });
    const sending = await owner.api(sendings.get, { params: { id: sent.json.id } });
    expect(sending.payload.text).toBe(text.normalize());
    expect(sending.meta.billing).toMatchObject({ multiplier: 1 });
    const { title } = await owner.api(contactLists.create, {
      body: { title: nfd, type: 'regular' },
    });
    expect(title).toBe('Café');
    const ListId = await newList();
    const made = await owner.api(contacts.create, {
      body: { ListId, phone: PHONE, firstName: nfd, custom01: nfd } as never,
    });
    expect(made).toMatchObject({ firstName: 'Café', custom01: 'Café' });
    const body = new FormData();
    body.set('file', new Blob(['phone\n']), `${nfd}.csv`);
    const file = (await owner.api(storage.create, {
      body: body as never,
      query: {},
    })) as StoredFile;
    expect(file.filename).toBe('Café.csv');
  });

  test.each(['\u200b', '\u3164\u2800', ' \u00ad\n', '\u2060\ufe0f'])(
    'of only %j are empty',
    async (text) => {
      const sms = await post('/sendings', {
        type: 'sms',
        recipient: PHONE,
        payload: { ...payload, text },
      });
      expect([sms.status, fieldsOf(sms)]).toEqual([422, ['payload.text']]);
      const list = await post('/contactLists', { title: text, type: 'regular' });
      expect([list.status, fieldsOf(list)]).toEqual([422, ['title']]);
    },
  );
});

test.each(['a@b..example', '.a@b.example', 'a@b.example.', "'a@b.example'", '"a"@b.example'])(
  'the address %s is refused everywhere',
  async (email) => {
    const ListId = await newList();
    const answers = {
      single: await post('/sendings', {
        type: 'email',
        recipient: email,
        payload: { ...payload, subject: 'Tea' },
      }),
      contact: await post('/contacts', { ListId, email }),
      optOut: await post('/suppressions', { address: email }),
      account: await raw(world, owner, 'PUT', `/users/${owner.id}`, {
        data: { email },
        password: 'password',
      }),
    };
    for (const [path, { status }] of Object.entries(answers))
      expect([path, status, status >= 400 && status < 500]).toEqual([path, status, true]);
  },
);

test.each([
  'Tea\r\nBcc: eve@b.example',
  'Tea\nparty',
  'Tea\u2028party',
  'Tea\u0085party',
  'Tea\u0007',
])('a subject, a sender or a button of %j is no line', async (text) => {
  const email = { type: 'email', payload: { ...payload, subject: text } };
  const button = { text, url: 'https://tea.example' };
  for (const [field, message] of [
    ['payload.subject', email],
    ['payload.sender', { type: 'sms', payload: { ...payload, sender: `A${text}B` } }],
    [
      'payload.button.text',
      {
        type: 'viber',
        payload: { ...payload, button: { ...button, text: `A${text}`.slice(0, 20) + 'B' } },
      },
    ],
  ] as const) {
    const answer = await post('/sendings', { ...message, recipient: 'a@b.example' });
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]]);
  }
  const template = await post('/templates', { title: 'Tea', ...email });
  expect([template.status, fieldsOf(template)]).toEqual([422, ['payload.subject']]);
  const fallbacks = [{ ...email, options: { onStatus: ['failed'] } }];
  const sent = await post('/sendings', { type: 'sms', payload, recipient: PHONE, fallbacks });
  expect([sent.status, fieldsOf(sent)]).toEqual([422, ['fallbacks.0.payload.subject']]);
});
