import { sendings, tokens } from '@heliograph/contract';
import {
  STATUS,
  contentOf,
  receiptOf,
  textOf,
  tlv,
  type Pdu,
  type Delivered,
} from '@heliograph/smpp';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import smpp, { type PDU } from 'smpp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../src/core/config.ts';
import { ApiTokens } from '../../src/core/auth/api-tokens.ts';
import { SmppServer } from '../../src/features/smpp/smpp-server.service.ts';
import { approve, INSTANT, setCarrier } from '../factories.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../peers/certificate.ts';
import { credentialsOf, partsFor, smppClient, submitOf } from '../peers/smpp-client.ts';
import { PASSWORD, type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
let token: string;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
  await setCarrier(world, INSTANT);
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  ({ token } = await owner.api(tokens.create, { body: { description: 'SMPP' } }));
});

const idOf = (pdu: Pdu) => (pdu as { messageId: string }).messageId;
const idOfReceipt = (pdu: Delivered) =>
  receiptOf(pdu, { alphabet: 'gsm', utcOffset: 0 }, new Date())!.messageId;
const texts = async () =>
  (await owner.api(sendings.find, { query: { limit: 100 } as never })).data.map(
    ({ payload }) => payload.text,
  );

/** Of a server that is ended at once, as by SIGTERM. */
const end = (app: { get: World['api']['get'] }) =>
  app.get(SmppServer, { strict: false }).onModuleDestroy();

test('the package `smpp` of npm binds with a whole secret, sends and gets its receipt', async () => {
  const { port } = await world.startSmpp();
  const session = smpp.connect({ url: `smpp://127.0.0.1:${port}` });
  session.on('error', () => {});
  const receipts: string[] = [];
  session.on('deliver_sm', (pdu) => {
    receipts.push(pdu.receipted_message_id!);
    session.send(pdu.response());
  });
  await new Promise<void>((resolve) => session.on('connect', resolve));
  const [, systemId, password] = /^(hg_\w{12})_(.*)$/.exec(token)!;
  const bound = await new Promise<PDU>((resolve) =>
    session.bind_transceiver({ system_id: systemId, password }, resolve),
  );
  expect(bound.command_status).toBe(0);
  const fields = {
    source_addr: 'MIRTEA',
    destination_addr: '79161234567',
    dest_addr_ton: 1,
    registered_delivery: 1,
    short_message: 'Привет',
  };
  const answer = await new Promise<PDU>((resolve) => session.submit_sm(fields, resolve));
  expect(answer.command_status).toBe(0);
  expect(await texts()).toEqual(['Привет']);
  await until(async () => receipts.length, 'a receipt');
  expect(receipts).toEqual([answer.message_id]);
  await new Promise((resolve) => session.unbind(resolve));
  session.close();
});

/** Settings of a server that speaks TLS. */
function withTls(): { settings: Partial<Config>; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'smpp-'));
  const [certificate, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')];
  writeFileSync(certificate, CERTIFICATE);
  writeFileSync(key, PRIVATE_KEY);
  const settings = {
    SMPP_TLS_PORT: 0,
    SMPP_TLS_CERTIFICATE: certificate,
    SMPP_TLS_KEY: key,
  };
  return { settings, remove: () => rmSync(folder, { recursive: true }) };
}

test('a user binds by name and password, over TLS as well, until the password is changed', async () => {
  const { settings, remove } = withTls();
  const { tlsPort } = await world.startSmpp(settings);
  remove();
  // The passwords of the test are longer than SMPP has room for: the PDU of a program that does not mind.
  const body = Buffer.from(`${owner.username}\0${PASSWORD}\0\0\x34\0\0\0`, 'latin1');
  const header = Buffer.alloc(16);
  [16 + body.length, 9, 0, 1].forEach((value, i) => header.writeUInt32BE(value, i * 4));
  const socket = connectTls({ port: tlsPort!, host: '127.0.0.1', rejectUnauthorized: false });
  socket.on('error', () => {});
  socket.write(Buffer.concat([header, body]));
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  expect([answer.readUInt32BE(4), answer.readUInt32BE(8)]).toEqual([0x80000009, 0]);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await world.db.query(`update users set password_hash = password_hash || 'x' where id = $1`, [
    owner.id,
  ]);
  await closed;
});

test('a network holds up to 50 connections that are not bound, over TLS also before the handshake', async () => {
  const { settings, remove } = withTls();
  const { port, tlsPort } = await world.startSmpp(settings);
  remove();
  const bind = (over: number) =>
    smppClient(over, credentialsOf(token), 'bind_transceiver').then(
      () => true,
      () => false,
    );
  const enquiry = Buffer.from('00000010000000150000000000000001', 'hex');
  const open = {
    plain: () => connect(port!, '127.0.0.1'),
    tls: () => connect(tlsPort!, '127.0.0.1'),
  };
  for (const [which, next] of Object.entries(open)) {
    const sockets = Array.from({ length: 60 }, next);
    const closed: number[] = [];
    for (const [index, socket] of sockets.entries()) {
      socket.on('error', () => {});
      socket.on('close', () => closed.push(index));
    }
    // The others follow when they were not bound in time.
    await until(async () => closed.length >= 10, `${which}: those above are closed`);
    expect(closed.slice(0, 10).sort(), which).toEqual(Array.from({ length: 10 }, (_, i) => 50 + i));
    for (const socket of sockets) socket.destroy();
    await until(() => bind(port!), `${which}: those that were closed count no longer`);
  }
  // Those that are bound, or were, do not count.
  for (let i = 0; i < 60; i++) {
    const socket = connectTls({ port: tlsPort!, host: '127.0.0.1', rejectUnauthorized: false });
    socket.on('error', () => {});
    socket.write(enquiry);
    await new Promise((resolve) => socket.once('data', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await ended;
  }
  await until(() => bind(port!), 'a bind after many connections');
});

test('a user with a second factor does not bind by password', async () => {
  const { port } = await world.startSmpp();
  const short = await world.person({ name: 'smpp-user-12' });
  const { hashPassword } = await import('../../src/core/auth/passwords.ts');
  await world.db.query(`update users set password_hash = $2 where id = $1`, [
    short.id,
    await hashPassword('short123'),
  ]);
  const credentials = { systemId: 'smpp-user-12', password: 'short123' };
  const client = await smppClient(port, credentials);
  await world.db.query(
    `insert into second_factors (user_id, secret, salt, enabled_at) values ($1, '', '', now())`,
    [short.id],
  );
  expect(await client.session.closed).toBe('The peer unbound');
  await expect(smppClient(port, credentials)).rejects.toMatchObject({
    status: STATUS.ESME_RBINDFAIL,
  });
});

test('parts are joined over processes, and what was answered survives the end of one', async () => {
  const [one, other] = [await world.startSmpp(), await world.startSmpp()];
  const client = await smppClient(one.port, credentialsOf(token), 'bind_transmitter');
  const text = 'Части приходят в разные процессы. '.repeat(5);
  const [first, ...rest] = partsFor(text, 3);
  const ids = [idOf(await client.submit(first!))];
  // Killed: nothing is said any more.
  client.session.close('Killed');
  await end(one.app);
  const next = await smppClient(other.port, credentialsOf(token));
  for (const part of rest) ids.push(idOf(await next.submit(part)));
  expect(await texts()).toEqual([text]);
  const receipts = await next.received(ids.length);
  expect(receipts.map(idOfReceipt).sort()).toEqual([...ids].sort());
});

test('a process that ends answers what is under way and unbinds', async () => {
  const { app, port } = await world.startSmpp();
  const client = await smppClient(port, credentialsOf(token));
  const answers = Array.from({ length: 20 }, (_, i) => client.submit(submitOf(`message ${i}`)));
  // They have arrived: the answer to this follows them.
  await client.session.request('enquire_link', {});
  await end(app);
  expect(await client.session.closed).toBe('The peer unbound');
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(
    answers.map(() => STATUS.ESME_ROK),
  );
  expect(await texts()).toHaveLength(20);
  const { port: again } = await world.startSmpp();
  const next = await smppClient(again, credentialsOf(token), 'bind_receiver');
  const ids = new Set((await Promise.all(answers)).map(idOf));
  const all = () => new Set([...client.delivered, ...next.delivered].map(idOfReceipt));
  await until(async () => all().size === ids.size, 'the receipts of all');
  expect(all()).toEqual(ids);
});

test('the receipts of sessions in several processes all come', async () => {
  const [one, other] = [await world.startSmpp(), await world.startSmpp()];
  const clients = [
    await smppClient(one.port, credentialsOf(token)),
    await smppClient(other.port, credentialsOf(token)),
  ];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => clients[i % 2]!.submit(submitOf(`message ${i}`))),
  );
  const delivered = () => clients.flatMap((client) => client.delivered.map(idOfReceipt));
  await until(async () => new Set(delivered()).size >= 40, 'the receipts of all');
  expect(new Set(delivered())).toEqual(new Set(answers.map(idOf)));
});

/** What is left open after some bytes: the answers, once the connection has ended or has been silent. */
function speak(port: number, octets: Buffer, piece = octets.length): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (let at = 0; at < octets.length; at += piece)
        socket.write(octets.subarray(at, at + piece));
      resolve(socket);
    });
    socket.on('error', () => {});
  });
}

test('what is no SMPP is closed or refused, and the server serves the others', async () => {
  const { port } = await world.startSmpp();
  const client = await smppClient(port, credentialsOf(token));
  const sockets: Socket[] = [];
  for (let i = 0; i < 40; i++) {
    const octets = randomBytes(1 + ((i * 997) % 4096));
    // Half of them have a length that can be.
    if (i % 2) octets.writeUInt32BE(16 + (i % 8) * 100, 0);
    sockets.push(await speak(port, Buffer.concat([octets, Buffer.alloc(16)]), i % 3 ? 7 : 4096));
  }
  const enquiry = Buffer.from('00000010000000150000000000000001', 'hex');
  const submit = Buffer.from('00000010000000040000000000000002', 'hex');
  const polite = await speak(port, Buffer.concat([enquiry, submit]), 1);
  let answer = Buffer.alloc(0);
  polite.on('data', (chunk: Buffer) => (answer = Buffer.concat([answer, chunk])));
  // An unbound connection is told so, and a body that is too short is refused.
  await until(async () => answer.length >= 32, 'two answers');
  expect(answer.readUInt32BE(4)).toBe(0x80000015);
  expect(answer.readUInt32BE(20)).toBe(0x80000004);
  expect(answer.readUInt32BE(24)).toBe(STATUS.ESME_RINVCMDLEN);
  const sent = await client.submit(submitOf('still here'));
  expect(sent.status).toBe(0);
  expect(textOf(contentOf((await client.received(1))[0]!, 'gsm'))).toMatch(/^id:/);
  for (const socket of [...sockets, polite]) socket.destroy();
});

test('the number of a person in parts is erased with the person', async () => {
  const { port } = await world.startSmpp();
  const client = await smppClient(port, credentialsOf(token));
  await client.submit(partsFor('0123456789'.repeat(20), 4)[0]!);
  const { requestErasure, erasePerson } =
    await import('../../src/features/sendings/persons/erase-person.ts');
  const erasure = await requestErasure(world.db, { OwnerId: owner.id, address: '+79161234567' });
  await erasePerson(world.db, erasure);
  const rows = await world.db.query(`select destination from smpp_parts where owner_id = $1`, [
    owner.id,
  ]);
  expect(rows).toEqual([{ destination: null }]);
  client.session.close('The test is over');
});

test('parts that become no message leave a limited number of rows', async () => {
  // RATES of the contract: 6 lost parts, and more messages than are tried.
  const few = { RATE_SCALE: 0.001, RATE_MESSAGES: 1_000_000 };
  const { port } = await world.startSmpp(few);
  const client = await smppClient(port, credentialsOf(token), 'bind_transmitter');
  const [first, second] = partsFor('0123456789'.repeat(20), 5);
  const statuses: number[] = [];
  // Another text in the same place begins the next message.
  for (let n = 0; n < 20; n++) {
    const shortMessage = Buffer.concat([first!.shortMessage, Buffer.from(`${n}`)]);
    statuses.push((await client.submit({ ...first!, shortMessage })).status);
  }
  const taken = statuses.filter((status) => status === STATUS.ESME_ROK);
  expect(taken.length).toBeGreaterThanOrEqual(6);
  // A window may end meanwhile, and another one begin.
  expect(taken.length).toBeLessThanOrEqual(12);
  expect(new Set(statuses)).toEqual(new Set([STATUS.ESME_ROK, STATUS.ESME_RTHROTTLED]));
  const rows = await world.db.query(`select 1 from smpp_parts where owner_id = $1`, [owner.id]);
  expect(rows).toHaveLength(taken.length);
  // What is whole is sent all the same, and no other account is held up.
  expect((await client.submit(submitOf('whole'))).status).toBe(STATUS.ESME_ROK);
  const other = await world.person({ balance: 1000 });
  const theirs = await other.api(tokens.create, { body: { description: 'SMPP' } });
  const next = await smppClient(port, credentialsOf(theirs.token), 'bind_transmitter');
  expect((await next.submit(second!)).status).toBe(STATUS.ESME_ROK);
});

test('a part is no longer than a short message', async () => {
  const { port } = await world.startSmpp();
  const client = await smppClient(port, credentialsOf(token), 'bind_transmitter');
  const place = [tlv('sarMsgRefNum', 7), tlv('sarTotalSegments', 2), tlv('sarSegmentSeqnum', 1)];
  const submit = (octets: number) =>
    client.submit(
      submitOf('', {
        shortMessage: Buffer.alloc(0),
        tlvs: [...place, tlv('messagePayload', Buffer.alloc(octets, 'x'))],
      }),
    );
  expect((await submit(290)).status).toBe(STATUS.ESME_ROK);
  expect((await submit(291)).status).toBe(STATUS.ESME_RINVMSGLEN);
});

test('questions and cancellations are limited as calls of the API are', async () => {
  // RATES of the contract: 6 questions and one cancellation in a minute.
  const few = { RATE_SCALE: 0.0002, RATE_MESSAGES: 1_000_000 };
  const { port } = await world.startSmpp(few);
  const client = await smppClient(port, credentialsOf(token), 'bind_transmitter');
  const messageId = idOf(await client.submit(submitOf('asked for')));
  const statusesOf = async (command: 'query_sm' | 'cancel_sm', other: number) => {
    const statuses = new Set<number>();
    // A window may end meanwhile, and another one begin.
    for (let n = 0; n < 30; n++)
      statuses.add((await client.session.request(command, { messageId })).status);
    expect([...statuses].sort()).toEqual([other, STATUS.ESME_RTHROTTLED].sort());
  };
  await until(async () => {
    const { state } = await owner.api(sendings.get, { params: { id: messageId } });
    return state.status === 'delivered';
  }, 'the message to be delivered');
  await statusesOf('query_sm', STATUS.ESME_ROK);
  await statusesOf('cancel_sm', STATUS.ESME_RCANCELFAIL);
});

test('a submit to several numbers counts as a call for several recipients', async () => {
  // RATES of the contract: ten messages in ten seconds, and those for several recipients count twenty times.
  const { port } = await world.startSmpp({ RATE_SCALE: 1, RATE_MESSAGES: 1 });
  const client = await smppClient(port, credentialsOf(token), 'bind_transmitter');
  const numbers = ['79161234567', '79161234568'];
  const multi = (addresses: string[]) => {
    const { destAddrTon: _, destAddrNpi: __, destinationAddr: ___, ...rest } = submitOf('x');
    const destinations = addresses.map(
      (address) => ({ flag: 1, ton: 1, npi: 1, address }) as const,
    );
    return client.session.request('submit_multi', { ...rest, destinations });
  };
  expect((await multi(numbers)).status).toBe(STATUS.ESME_RTHROTTLED);
  expect((await multi(numbers.slice(1))).status).toBe(STATUS.ESME_ROK);
});

test('a thousand sessions are each answered, and leave nothing behind', async () => {
  const count = 1000;
  const { app, port } = await world.startSmpp({ SMPP_SESSIONS: count });
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const clients: Awaited<ReturnType<typeof smppClient>>[] = [];
  // Up to 50 of a network may be unbound.
  while (clients.length < count) {
    const some = Array.from({ length: 40 }, () => smppClient(port, credentialsOf(token)));
    clients.push(...(await Promise.all(some)));
  }
  const answers = await Promise.all(
    clients.map(({ session }) => session.request('enquire_link', {})),
  );
  expect(answers.every(({ command }) => command === 'enquire_link_resp')).toBe(true);
  expect(timers()).toBeGreaterThan(before + count);
  // Their rights are worked out once, every second.
  const { systemId: prefix } = credentialsOf(token);
  const tokensOfAll = clients.map(() => ({ prefix, ip: '127.0.0.1' }));
  const actors = await app.get(ApiTokens, { strict: false }).actorsOf(tokensOfAll);
  expect([...new Set(actors)]).toEqual([expect.objectContaining({ OwnerId: owner.id })]);
  // Those that are told, and those that are cut.
  await Promise.all(
    clients.map(({ session }, n) => (n % 2 ? session.unbind() : session.close('Cut'))),
  );
  await until(async () => timers() <= before + 50, 'the timers of the sessions to have ended');
  // As many as an account may have are not bound any more.
  const next = await smppClient(port, credentialsOf(token));
  expect(next.session.isOpen).toBe(true);
});

test('an account that is too fast, or has too much under way, is throttled', async () => {
  // RATES of the contract: so many messages in ten seconds.
  const slow = await world.startSmpp({ RATE_SCALE: 1, RATE_MESSAGES: 1 });
  const client = await smppClient(slow.port, credentialsOf(token), 'bind_transmitter');
  const statuses: number[] = [];
  while (!statuses.includes(STATUS.ESME_RTHROTTLED))
    statuses.push((await client.submit(submitOf('x'))).status);
  expect(new Set(statuses)).toEqual(new Set([STATUS.ESME_ROK, STATUS.ESME_RTHROTTLED]));
  client.session.close('The test goes on');
  const narrow = await world.startSmpp({ SMPP_WINDOW: 2 });
  const greedy = await smppClient(narrow.port, credentialsOf(token), 'bind_transmitter');
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => greedy.submit(submitOf(`message ${i}`))),
  );
  const throttled = answers.filter(({ status }) => status === STATUS.ESME_RTHROTTLED);
  expect(throttled.length).toBeGreaterThan(0);
  expect(answers.length - throttled.length).toBeGreaterThanOrEqual(2);
});
