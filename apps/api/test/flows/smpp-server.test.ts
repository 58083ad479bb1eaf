import { sendings, sendingsIncoming, tokens } from '@heliograph/contract';
import {
  BindRefused,
  type BindKind,
  type Pdu,
  STATUS,
  contentOf,
  formatTime,
  receiptOf,
  textOf,
  type Delivered,
} from '@heliograph/smpp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, INSTANT, problems, setCarrier } from '../factories.ts';
import {
  credentialsOf,
  partsFor,
  smppClient,
  submitOf,
  type Credentials,
  type SmppClient,
} from '../peers/smpp-client.ts';
import { PASSWORD, type Person, until, World } from '../world.ts';

let world: World;
let port: number;
let owner: Person;
let credentials: Credentials;
const clients: SmppClient[] = [];

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
  await setCarrier(world, INSTANT);
  ({ port } = await world.startSmpp());
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  credentials = credentialsOf(await newToken(owner));
});
afterEach(() => {
  for (const { session } of clients.splice(0)) session.close('The test is over');
});

const newToken = async (who: Person, body: object = {}) =>
  (await who.api(tokens.create, { body: { description: 'SMPP', ...body } as never })).token;

async function bound(kind?: BindKind, by = credentials, at = port): Promise<SmppClient> {
  const client = await smppClient(at, by, kind);
  clients.push(client);
  return client;
}

/** The status of a bind. */
const refusal = (by: Credentials, kind?: BindKind, at = port): Promise<number> =>
  bound(kind, by, at).then(
    () => STATUS.ESME_ROK,
    (error: unknown) => (error as BindRefused).status,
  );

const idOf = (pdu: Pdu) => (pdu as { messageId: string }).messageId;
const sent = (who: Person, id: string) => who.api(sendings.get, { params: { id } });
const receipt = (pdu: Delivered) =>
  receiptOf(pdu, { alphabet: 'gsm', utcOffset: 0 }, new Date()) ?? null;
const ofMessages = async (who: Person) => (await who.api(sendings.find, { query: {} })).data;

test('a message is stored and charged before it is answered, and its receipt comes', async () => {
  const client = await bound();
  const answer = await client.submit(submitOf('Привет {name} €'));
  expect(answer).toMatchObject({ command: 'submit_sm_resp', status: 0 });
  expect(await balance(world, owner.id)).toBeLessThan(1000);
  const message = await sent(owner, idOf(answer));
  expect(message).toMatchObject({
    recipient: '+79161234567',
    payload: { sender: 'MIRTEA' },
    meta: { stats: { segments: 1 } },
  });
  const [pdu] = await client.received(1);
  expect(pdu).toMatchObject({
    command: 'deliver_sm',
    esmClass: 4,
    sourceAddr: '79161234567',
    sourceAddrTon: 1,
    destinationAddr: 'MIRTEA',
    destAddrTon: 5,
  });
  expect(receipt(pdu!)).toMatchObject({
    messageId: idOf(answer),
    state: 'delivered',
    error: '000',
  });
  const text = await world.db.query(`select body from sendings where id = $1`, [idOf(answer)]);
  expect(text).toEqual([{ body: 'Привет {name} €' }]);
  expect(await problems(world)).toEqual([]);
});

test('receipts are of those who asked for them, and of failures alone if asked so', async () => {
  const client = await bound();
  const none = await client.submit(submitOf('a', { registeredDelivery: 0 }));
  const failures = await client.submit(submitOf('b', { registeredDelivery: 2 }));
  const failed = await client.submit(
    submitOf('c', { registeredDelivery: 2, destinationAddr: '79990000002' }),
  );
  const all = await client.submit(submitOf('d'));
  await client.received(2);
  await until(async () => {
    const states = await Promise.all(
      [none, failures, failed, all].map((one) => sent(owner, idOf(one))),
    );
    return states.every(({ state }) => ['delivered', 'failed'].includes(state.status));
  }, 'all messages to have ended');
  const receipts = client.delivered.map((pdu) => receipt(pdu)!);
  expect(receipts.map(({ messageId, state }) => [messageId, state]).sort()).toEqual(
    [
      [idOf(failed), 'undeliverable'],
      [idOf(all), 'delivered'],
    ].sort(),
  );
  expect(receipts.find(({ messageId }) => messageId === idOf(failed))!.error).toBe('001');
});

test('refusals have the status of their reason, are not charged and get no receipt', async () => {
  const client = await bound();
  const statusOf = async (fields: object) => (await client.submit(submitOf('x', fields))).status;
  expect(await statusOf({ sourceAddr: 'NOT-MINE' })).toBe(STATUS.ESME_RINVSRCADR);
  expect(await statusOf({ sourceAddr: '' })).toBe(STATUS.ESME_RINVSRCADR);
  expect(await statusOf({ destinationAddr: '12' })).toBe(STATUS.ESME_RINVDSTADR);
  expect(await statusOf({ destinationAddr: '12345', destAddrTon: 0 })).toBe(STATUS.ESME_RINVDSTADR);
  expect(await statusOf({ destAddrTon: 9 })).toBe(STATUS.ESME_RINVDSTTON);
  expect(await statusOf({ destAddrNpi: 99 })).toBe(STATUS.ESME_RINVDSTNPI);
  expect(await statusOf({ sourceAddrTon: 9 })).toBe(STATUS.ESME_RINVSRCTON);
  expect(await statusOf({ sourceAddrNpi: 99 })).toBe(STATUS.ESME_RINVSRCNPI);
  expect(await statusOf({ shortMessage: Buffer.alloc(0) })).toBe(STATUS.ESME_RINVMSGLEN);
  expect(await statusOf({ dataCoding: 4 })).toBe(STATUS.ESME_RSUBMITFAIL);
  expect(await statusOf({ esmClass: 0x04 })).toBe(STATUS.ESME_RINVESMCLASS);
  expect(await statusOf({ esmClass: 0x40 })).toBe(STATUS.ESME_RINVESMCLASS);
  expect(await statusOf({ registeredDelivery: 3 })).toBe(STATUS.ESME_RINVREGDLVFLG);
  expect(await statusOf({ priorityFlag: 4 })).toBe(STATUS.ESME_RINVPRTFLG);
  expect(await statusOf({ replaceIfPresentFlag: 1 })).toBe(STATUS.ESME_RINVREPFLAG);
  expect(await statusOf({ smDefaultMsgId: 1 })).toBe(STATUS.ESME_RINVDFTMSGID);
  expect(await statusOf({ validityPeriod: 'tomorrow' })).toBe(STATUS.ESME_RINVEXPIRY);
  expect(await statusOf({ validityPeriod: '200101000000000+' })).toBe(STATUS.ESME_RINVEXPIRY);
  expect(await statusOf({ scheduleDeliveryTime: '200101000000000+' })).toBe(STATUS.ESME_RINVSCHED);
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  expect(await statusOf({})).toBe(STATUS.ESME_RSUBMITFAIL);
  const messages = await ofMessages(owner);
  expect(messages.every(({ state }) => state.status === 'failed')).toBe(true);
  const events = await world.db.query(
    `select 1 from webhook_events e join webhooks w on w.id = e.webhook_id where w.owner_id = $1`,
    [owner.id],
  );
  expect(events).toEqual([]);
});

test.each(['udh8', 'udh16', 'sar'] as const)(
  'parts by %s are joined in any order and over several sessions, and charged once',
  async (long) => {
    const text = `${'Съешь ещё этих мягких булок 😀 '.repeat(8)}!`;
    const [one, other] = [await bound(), await bound()];
    const parts = partsFor(text, 77, { long }).toReversed();
    const ids: string[] = [];
    for (const [i, part] of parts.entries()) {
      const answer = await (i % 2 ? one : other).submit(part);
      expect(answer.status).toBe(0);
      ids.push(idOf(answer));
    }
    expect(parts.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
    const messages = await ofMessages(owner);
    expect(messages.map(({ payload }) => payload.text)).toEqual([text]);
    const { amount } = messages[0]!.meta.billing!;
    expect(await balance(world, owner.id)).toBe(1000 - amount);
    const receipts = () => [...one.delivered, ...other.delivered].map((pdu) => receipt(pdu)!);
    await until(async () => receipts().length === ids.length, 'a receipt of each part');
    expect(
      receipts()
        .map(({ messageId }) => messageId)
        .sort(),
    ).toEqual([...ids].sort());
    expect(receipts().every(({ state }) => state === 'delivered')).toBe(true);
  },
);

test('a part that is sent again is the same part, and a reference that is used again another message', async () => {
  const client = await bound();
  const [first, second] = partsFor('0123456789'.repeat(20), 5);
  const answer = await client.submit(first!);
  expect(idOf(await client.submit(first!))).toBe(idOf(answer));
  const [another, end] = partsFor('abcdefghij'.repeat(20), 5);
  const next = await client.submit(another!);
  expect(idOf(next)).not.toBe(idOf(answer));
  await client.submit(end!);
  // The parts of the message that never became whole.
  const receipts = (await client.received(3)).map((pdu) => receipt(pdu)!);
  expect(receipts.find(({ messageId }) => messageId === idOf(answer))).toMatchObject({
    state: 'expired',
    error: '003',
  });
  expect((await ofMessages(owner)).map(({ payload }) => payload.text)).toEqual([
    'abcdefghij'.repeat(20),
  ]);
  expect((await client.submit(second!)).status).toBe(0);
});

test('a long text in one message_payload is one message with one receipt', async () => {
  const client = await bound();
  const text = 'ещё '.repeat(100);
  const [part] = partsFor(text, 1, { long: 'payload' });
  const answer = await client.submit(part!);
  const [pdu] = await client.received(1);
  expect(receipt(pdu!)!.messageId).toBe(idOf(answer));
  expect((await sent(owner, idOf(answer))).payload.text).toBe(text);
});

test('all alphabets are read as their data_coding says', async () => {
  const client = await bound('bind_transmitter');
  const texts: [number, string, string][] = [
    [0, '00111b65', '@_€'],
    [1, '40', '@'],
    [3, 'e9e7', 'éç'],
    [5, '82a0', 'あ'],
    [6, 'bfe0d8d2d5e2', 'Привет'],
    [7, 'f9ecf5ed', 'שלץם'],
    [8, '043f0440d83dde00', 'пр😀'],
    [0x11, '00', '@'],
    [0x18, '043f', 'п'],
  ];
  for (const [dataCoding, hex, text] of texts) {
    const answer = await client.submit(
      submitOf('', { dataCoding, shortMessage: Buffer.from(hex, 'hex'), registeredDelivery: 0 }),
    );
    expect(answer.status).toBe(0);
    expect((await sent(owner, idOf(answer))).payload.text).toBe(text);
  }
});

test('binds need right credentials, from an allowed address', async () => {
  const { systemId, password } = credentials;
  expect(await refusal({ systemId, password: 'wrong000' })).toBe(STATUS.ESME_RINVPASWD);
  expect(await refusal({ systemId: 'hg_aaaaaaaaaaaa', password })).toBe(STATUS.ESME_RINVPASWD);
  expect(await refusal({ systemId: 'nobody', password: 'wrong000' })).toBe(STATUS.ESME_RINVPASWD);
  const elsewhere = credentialsOf(await newToken(owner, { ipWhitelist: ['10.0.0.1'] }));
  expect(await refusal(elsewhere)).toBe(STATUS.ESME_RBINDFAIL);
  expect(await refusal(credentials)).toBe(STATUS.ESME_ROK);
  // The first eight characters of the password that everybody here has are not the password.
  expect(await refusal({ systemId: owner.username, password: PASSWORD.slice(0, 8) })).toBe(
    STATUS.ESME_RINVPASWD,
  );
});

test('guessing is limited, and those who are known still bind', async () => {
  await bound();
  const { systemId } = credentials;
  for (let i = 0; i < 5; i++) await refusal({ systemId, password: `wrong00${i}` });
  expect(await refusal({ systemId, password: 'wrong009' })).toBe(STATUS.ESME_RBINDFAIL);
  expect(await refusal(credentials)).toBe(STATUS.ESME_ROK);
});

test('many sessions bind at once, up to those of an account', async () => {
  const statuses = await Promise.all(Array.from({ length: 12 }, () => refusal(credentials)));
  expect(statuses.filter((status) => status === STATUS.ESME_ROK)).toHaveLength(10);
  expect(statuses.filter((status) => status === STATUS.ESME_RBINDFAIL)).toHaveLength(2);
});

test('what a session may do is what it was bound for', async () => {
  const [transmitter, receiver] = [await bound('bind_transmitter'), await bound('bind_receiver')];
  expect((await receiver.submit(submitOf('a'))).status).toBe(STATUS.ESME_RINVBNDSTS);
  const answer = await transmitter.submit(submitOf('a'));
  const [pdu] = await receiver.received(1);
  expect(receipt(pdu!)!.messageId).toBe(idOf(answer));
  expect(transmitter.delivered).toEqual([]);
  const again = await transmitter.session.request('bind_receiver', credentials);
  expect(again.status).toBe(STATUS.ESME_RALYBND);
  const replaced = await transmitter.session.request('replace_sm', { messageId: idOf(answer) });
  expect(replaced.status).toBe(STATUS.ESME_RREPLACEFAIL);
});

test('a token without the permission neither sends nor reads', async () => {
  const reader = await bound(
    undefined,
    credentialsOf(await newToken(owner, { permissions: ['sendings.get'] })),
  );
  expect((await reader.submit(submitOf('a'))).status).toBe(STATUS.ESME_RSUBMITFAIL);
  const writer = await bound(
    undefined,
    credentialsOf(await newToken(owner, { permissions: ['sendings.generate'] })),
  );
  const answer = await writer.submit(submitOf('a'));
  expect(answer.status).toBe(0);
  const queried = await writer.session.request('query_sm', { messageId: idOf(answer) });
  expect(queried.status).toBe(STATUS.ESME_RSUBMITFAIL);
  // The session that may read gets the receipt.
  await reader.received(1);
  expect(writer.delivered).toEqual([]);
});

test('a token that ends while it is bound is unbound', async () => {
  const client = await bound();
  await world.db.query(`delete from tokens where owner_id = $1`, [owner.id]);
  expect(await client.session.closed).toBe('The peer unbound');
  expect(await refusal(credentials)).toBe(STATUS.ESME_RINVPASWD);
});

test('a token whose addresses are narrowed, or that expires or is removed, is unbound', async () => {
  const changes = [
    `update tokens set ip_whitelist = '{10.0.0.1}' where owner_id = $1`,
    `update tokens set expired_at = now() where owner_id = $1`,
  ];
  for (const change of changes) {
    const client = await bound(undefined, credentialsOf(await newToken(owner)));
    await world.db.query(change, [owner.id]);
    expect(await client.session.closed, change).toBe('The peer unbound');
  }
  const made = await owner.api(tokens.create, { body: { description: 'SMPP' } });
  const [one, other] = [
    await bound('bind_receiver', credentialsOf(made.token)),
    await bound(undefined, credentialsOf(made.token)),
  ];
  await owner.api(tokens.remove, { params: { id: made.id } });
  expect(await one.session.closed).toBe('The peer unbound');
  expect(await other.session.closed).toBe('The peer unbound');
});

test('a message that is on its way cannot be cancelled, and one at the same time as its submit is sent or cancelled', async () => {
  const client = await bound();
  const cancel = (messageId: string) => client.session.request('cancel_sm', { messageId });
  // Its carrier says nothing for long.
  const silent = idOf(await client.submit(submitOf('a', { destinationAddr: '79990000004' })));
  await until(async () => (await sent(owner, silent)).state.status === 'sent', 'its submit');
  const paid = await balance(world, owner.id);
  expect((await cancel(silent)).status).toBe(STATUS.ESME_RCANCELFAIL);
  expect(await balance(world, owner.id)).toBe(paid);
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => idOf(await client.submit(submitOf('b')))),
  );
  const cancelled = await Promise.all(
    ids.map(async (id) => (await cancel(id)).status === STATUS.ESME_ROK),
  );
  const statesOf = (id: string) =>
    client.delivered
      .map((pdu) => receipt(pdu)!)
      .flatMap(({ messageId, state }) => (messageId === id ? [state] : []));
  await until(async () => ids.every((id) => statesOf(id).length > 0), 'a receipt of each');
  expect(ids.map(statesOf)).toEqual(cancelled.map((is) => [is ? 'deleted' : 'delivered']));
  const kept = ids.filter((_, i) => !cancelled[i]);
  const amounts = await Promise.all(
    kept.map(async (id) => (await sent(owner, id)).meta.billing!.amount),
  );
  const left = amounts.reduce((sum, amount) => sum - amount, paid);
  expect(await balance(world, owner.id)).toBeCloseTo(left, 6);
});

test('nobody sees or changes the messages of another account', async () => {
  const stranger = await world.person();
  await approve(world, stranger.id);
  const other = await bound(undefined, credentialsOf(await newToken(stranger)));
  const client = await bound();
  const answer = await client.submit(submitOf('secret'));
  const scheduled = await client.submit(
    submitOf('later', { scheduleDeliveryTime: formatTime(new Date(Date.now() + 3_600_000)) }),
  );
  const [first] = partsFor('0123456789'.repeat(20), 9);
  const part = await client.submit(first!);
  await client.received(1);
  for (const messageId of [answer, scheduled, part].map(idOf)) {
    const queried = await other.session.request('query_sm', { messageId });
    expect(queried.status).toBe(STATUS.ESME_RINVMSGID);
    const cancelled = await other.session.request('cancel_sm', { messageId });
    expect(cancelled.status).toBe(STATUS.ESME_RCANCELFAIL);
  }
  // The other part from elsewhere completes nothing.
  const [, last] = partsFor('0123456789'.repeat(20), 9);
  await other.submit(last!);
  expect(await ofMessages(stranger)).toEqual([]);
  expect(other.delivered).toEqual([]);
});

test('messages are found by their ids, and scheduled ones cancelled', async () => {
  const client = await bound();
  const query = (messageId: string) => client.session.request('query_sm', { messageId });
  const answer = await client.submit(submitOf('a'));
  await client.received(1);
  expect(await query(idOf(answer))).toMatchObject({ messageState: 2, errorCode: 0 });
  const parts = partsFor('0123456789'.repeat(20), 9);
  const first = await client.submit(parts[0]!);
  expect(await query(idOf(first))).toMatchObject({ messageState: 1, finalDate: '' });
  await client.submit(parts[1]!);
  await client.received(3);
  expect(await query(idOf(first))).toMatchObject({ messageState: 2 });
  const at = formatTime(new Date(Date.now() + 3_600_000));
  const later = await client.submit(submitOf('later', { scheduleDeliveryTime: at }));
  expect(await query(idOf(later))).toMatchObject({ status: 0, messageState: 1 });
  const cancel = (messageId: string) => client.session.request('cancel_sm', { messageId });
  expect((await cancel(idOf(later))).status).toBe(0);
  expect((await cancel(idOf(answer))).status).toBe(STATUS.ESME_RCANCELFAIL);
  expect((await cancel('x')).status).toBe(STATUS.ESME_RINVMSGID);
  expect((await query('x')).status).toBe(STATUS.ESME_RINVMSGID);
});

test('submit_multi reaches its numbers and names the others; data_sm is a submit, too', async () => {
  const client = await bound();
  const { destinationAddr: _, destAddrTon: __, destAddrNpi: ___, ...fields } = submitOf('all');
  const to = (address: string) => ({ flag: 1 as const, ton: 1, npi: 1, address });
  const answer = await client.session.request('submit_multi', {
    ...fields,
    destinations: [to('79161234567'), to('12'), to('79161234568')],
  });
  expect(answer).toMatchObject({
    status: 0,
    unsuccessful: [{ address: '12', status: STATUS.ESME_RINVDSTADR }],
  });
  const receipts = await client.received(2);
  expect(receipts.map((pdu) => [receipt(pdu)!.messageId, pdu.sourceAddr]).sort()).toEqual([
    [idOf(answer), '79161234567'],
    [idOf(answer), '79161234568'],
  ]);
  const lists = await client.session.request('submit_multi', {
    ...fields,
    destinations: [{ flag: 2, list: 'friends' }],
  });
  expect(lists.status).toBe(STATUS.ESME_RINVDLNAME);
  const { sourceAddr, destinationAddr, destAddrTon } = submitOf('');
  const data = await client.session.request('data_sm', {
    sourceAddr,
    destinationAddr,
    destAddrTon,
    tlvs: [{ tag: 0x0424, value: Buffer.from('data') }],
  });
  expect((await sent(owner, idOf(data))).payload.text).toBe('data');
});

const writes = (text: string, who = owner) =>
  who.api(sendingsIncoming.create, {
    body: { from: '+79161234567', to: 'MIRTEA', type: 'sms', payload: { text } } as never,
  });

test('messages of people come in their order, those without a receiver once there is one', async () => {
  const receiver = await bound('bind_receiver');
  await writes('one');
  await receiver.received(1);
  receiver.session.close('Away');
  await writes('two');
  const long = 'длинный текст '.repeat(10);
  await writes(long);
  const next = await bound('bind_receiver');
  await next.received(4);
  const contents = next.delivered.map((pdu) => contentOf(pdu, 'gsm'));
  expect(textOf(contents[0]!)).toBe('two');
  expect(contents.slice(1).map(textOf).join('')).toBe(long);
  expect(next.delivered[0]).toMatchObject({
    sourceAddr: '79161234567',
    sourceAddrTon: 1,
    destinationAddr: 'MIRTEA',
    esmClass: 0,
  });
});

test('messages that SMPP has no form for hold up none behind them', async () => {
  const write = (body: object) => owner.api(sendingsIncoming.create, { body: body as never });
  const receiver = await bound('bind_receiver');
  await write({ from: 'person@shop.example', to: 'x', type: 'email', payload: { text: 'letter' } });
  await write({ from: '+79161234567', to: 'Имя', type: 'sms', payload: { text: 'no form' } });
  await writes('after them');
  await receiver.received(1);
  expect(receiver.delivered.map((pdu) => textOf(contentOf(pdu, 'gsm')))).toEqual(['after them']);
});

test('what is not acknowledged comes again, until it is or is refused for ever', async () => {
  const client = await bound('bind_receiver');
  let tries = 0;
  client.respond = () => (tries++, null);
  await writes('lost');
  await until(async () => tries > 0, 'a delivery without an answer');
  client.session.close('Killed');
  const next = await bound('bind_receiver');
  await next.received(1);
  expect(textOf(contentOf(next.delivered[0]!, 'gsm'))).toBe('lost');
  let refusals = 0;
  next.respond = () => (refusals++ === 0 ? STATUS.ESME_RX_T_APPN : STATUS.ESME_ROK);
  await writes('later');
  await until(async () => refusals === 1, 'a refusal for now');
  world.clock.forward(10);
  await next.received(2);
  next.respond = () => STATUS.ESME_RX_R_APPN;
  await writes('never');
  const states = () =>
    world.db.query<{ state: number }>(
      `select e.state from webhook_events e join webhooks w on w.id = e.webhook_id
        where w.owner_id = $1 and w.is_smpp order by e.seq`,
      [owner.id],
    );
  await until(async () => (await states()).map(({ state }) => state).join() === '1,1,2', 'the end');
});

test('parts that stay incomplete are given up, with receipts', async () => {
  const client = await bound();
  const [first] = partsFor('0123456789'.repeat(20), 9);
  const part = await client.submit(first!);
  world.clock.forward(1200);
  const [pdu] = await client.received(1);
  expect(receipt(pdu!)).toMatchObject({ messageId: idOf(part), state: 'expired' });
  expect(pdu).toMatchObject({ sourceAddr: '79161234567', destinationAddr: 'MIRTEA' });
  const queried = await client.session.request('query_sm', { messageId: idOf(part) });
  expect(queried).toMatchObject({ messageState: 3, errorCode: 3 });
  expect(await ofMessages(owner)).toEqual([]);
});

test('a part that comes while those before it are given up makes no message of them', async () => {
  const client = await bound();
  const [first, second] = partsFor('0123456789'.repeat(20), 9);
  const part = await client.submit(first!);
  const { answer } = await world.hold(async () => {
    await world.db.query(`update smpp_parts set sending_id = id, octets = '' where id = $1`, [
      idOf(part),
    ]);
    const submitted = client.submit(second!);
    await world.waitedFor('the part waits');
    return { answer: submitted };
  });
  expect((await answer).status).toBe(STATUS.ESME_ROK);
  expect(await ofMessages(owner)).toEqual([]);
});

test('of a message that is refused with its last part, the parts before it get receipts', async () => {
  const client = await bound();
  const parts = partsFor('0123456789'.repeat(20), 9);
  const first = await client.submit(parts[0]!);
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  expect((await client.submit(parts[1]!)).status).toBe(STATUS.ESME_RSUBMITFAIL);
  const [pdu] = await client.received(1);
  expect(receipt(pdu!)).toMatchObject({ messageId: idOf(first), state: 'rejected', error: '015' });
});
