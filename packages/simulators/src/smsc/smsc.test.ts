import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  type Delivered,
  Link,
  type LinkOptions,
  PduFramer,
  STATUS,
  TEXT_OPTIONS,
  comparableId,
  decodePdu,
  encodePdu,
  contentOf,
  partsOf,
  receiptOf,
  textOf,
} from '@heliograph/smpp';
import { afterEach, describe, expect, it } from 'vitest';

import { RECEIPT_FORMAT_NAMES } from './receipt-formats.ts';
import { Smsc, type SmscEvent, type SmscOptions } from './smsc.ts';

const account = { systemId: 'helio', password: 'secret' };
/** Delivered at once. */
const immediate = {
  sentDelay: [0, 0],
  deliveredDelay: [0, 0],
  failed: 0,
  temporary: 0,
  replies: 0,
};
const never = new AbortController().signal;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(options: Partial<SmscOptions> = {}): Promise<{ smsc: Smsc; port: number }> {
  const smsc = new Smsc({ ...account, profile: immediate as never, ...options });
  open.push(smsc);
  return { smsc, port: await smsc.listen(0, '127.0.0.1') };
}

function link(port: number, options: Partial<LinkOptions> = {}) {
  const delivered: Delivered[] = [];
  const waiting: (() => void)[] = [];
  const one = new Link({
    mode: 'transceiver',
    bind: account,
    window: 10,
    connect: async () => connect(port, '127.0.0.1'),
    deliver: async (message) => {
      delivered.push(message);
      for (const check of waiting) check();
    },
    ...options,
  });
  open.push(one);
  return {
    link: one,
    delivered,
    /** Resolves when so many have come. */
    until: (count: number) =>
      new Promise<void>((resolve) => {
        const check = () => delivered.length >= count && resolve();
        waiting.push(check);
        check();
      }),
  };
}

const submit = (text: string, recipient = '79161234567') =>
  partsOf(text, TEXT_OPTIONS, 7).map((part) => ({
    ...part,
    sourceAddrTon: 5,
    sourceAddr: 'Helio',
    destAddrTon: 1,
    destAddrNpi: 1,
    destinationAddr: recipient,
    registeredDelivery: 1,
  }));

describe('receipts', () => {
  it.each(RECEIPT_FORMAT_NAMES)('in the format %s are those of each part', async (receipts) => {
    const { smsc, port } = await start({ receipts });
    const client = link(port);
    await client.link.ready(never);
    const outcomes = await client.link.submit(submit('a'.repeat(200)));
    await client.until(2);
    const answers = receipts === 'hex-answers' ? 'hex' : 'text';
    const inReceipts =
      receipts === 'hex-receipts' ? 'hex' : receipts === 'hex-answers' ? 'decimal' : 'text';
    const ids = outcomes.map((part) =>
      part.outcome === 'accepted' ? comparableId(part.messageId, answers) : part.outcome,
    );
    const read = client.delivered.map((pdu) =>
      receiptOf(pdu, { alphabet: 'gsm', utcOffset: 0 }, new Date())!,
    );
    // The ids of one form may be those of another after all: `hex-receipts` are answered in decimals.
    const known = receipts === 'hex-receipts' ? ids.map((id) => comparableId(id, 'decimal')) : ids;
    expect(read.map(({ messageId }) => comparableId(messageId, inReceipts)).sort()).toEqual(
      known.sort(),
    );
    expect(read.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect(smsc.log.map(({ registeredDelivery }) => registeredDelivery)).toEqual([1, 1]);
  });

  it('come before the answers', async () => {
    const { port } = await start({ receiptsFirst: true });
    const order: string[] = [];
    const client = link(port, { deliver: async () => void order.push('receipt') });
    await client.link.ready(never);
    await client.link.submit(submit('a')).then(() => order.push('answer'));
    expect(order).toEqual(['receipt', 'answer']);
  });

  it('that could not be stored come again', async () => {
    const { smsc, port } = await start();
    let refusals = 1;
    const client = link(port, {
      deliver: async () => {
        if (refusals-- > 0) throw new Error('The database is away');
        stored.resolve();
      },
    });
    const stored = Promise.withResolvers<void>();
    await client.link.ready(never);
    await client.link.submit(submit('a'));
    await stored.promise;
    await until(() => smsc.mailbox.acknowledged === 1);
    expect(smsc.mailbox.refused).toBe(1);
  });

  it('wait for a receiver, and of a pair go over the receiver', async () => {
    const { smsc, port } = await start();
    smsc.receive('+79161234567', '4440', 'x');
    expect(smsc.mailbox.size).toBe(1);
    const client = link(port, { mode: 'pair' });
    await client.link.ready(never);
    await client.link.submit(submit('a'));
    await client.until(2);
    await until(() => smsc.mailbox.acknowledged === 2);
  });
});

describe('answers', () => {
  it('are those of the simulated carrier', async () => {
    const { port } = await start();
    const client = link(port);
    await client.link.ready(never);
    expect(await client.link.submit(submit('a', '79990000006'))).toEqual([
      { outcome: 'refused', status: STATUS.ESME_RINVSRCADR },
    ]);
    expect(await client.link.submit(submit('a', '79990000014'))).toMatchObject([
      { outcome: 'throttled', status: STATUS.ESME_RTHROTTLED },
    ]);
  });

  it('to what is not allowed are refusals', async () => {
    const { port } = await start();
    const client = link(port);
    await client.link.ready(never);
    const [base] = submit('a');
    const refused = async (fields: object) => {
      const [result] = await client.link.submit([{ ...base!, ...fields }]);
      return result!.outcome === 'refused' ? result!.status : result!.outcome;
    };
    expect(await refused({ destinationAddr: '' })).toBe(STATUS.ESME_RINVDSTADR);
    expect(await refused({ destinationAddr: '+7916' })).toBe(STATUS.ESME_RINVDSTADR);
    expect(await refused({ sourceAddr: 'TwelveLetter' })).toBe(STATUS.ESME_RINVSRCADR);
    expect(await refused({ shortMessage: Buffer.alloc(161) })).toBe(STATUS.ESME_RINVMSGLEN);
    expect(await refused({ shortMessage: Buffer.alloc(142), dataCoding: 8 })).toBe(
      STATUS.ESME_RINVMSGLEN,
    );
    expect(await refused({ shortMessage: Buffer.from([9, 1]), esmClass: 0x40 })).toBe(
      STATUS.ESME_RINVESMCLASS,
    );
    expect(await refused({ validityPeriod: 'tomorrow' })).toBe(STATUS.ESME_RINVEXPIRY);
    expect(await refused({ shortMessage: Buffer.alloc(160) })).toBe('accepted');
  });

  it('of a dead SMSC are refused binds', async () => {
    const { port } = await start({ profile: { profile: 'dead' } });
    const reason = await new Promise((resolve) => {
      link(port, { onChange: (change) => 'reason' in change && resolve(change.reason) });
    });
    expect(reason).toBe('The bind was refused with ESME_RBINDFAIL');
  });

  it('need the right password', async () => {
    const { port } = await start();
    const reason = await new Promise((resolve) => {
      const bind = { ...account, password: 'wrong' };
      link(port, { bind, onChange: (change) => 'reason' in change && resolve(change.reason) });
    });
    expect(reason).toBe('The bind was refused with ESME_RINVPASWD');
  });

  it('refuse connections beyond those that are allowed', async () => {
    const { port } = await start({ maxBinds: 1 });
    await link(port).link.ready(never);
    const reason = await new Promise((resolve) => {
      link(port, { onChange: (change) => 'reason' in change && resolve(change.reason) });
    });
    expect(reason).toBe('The bind was refused with ESME_RBINDFAIL');
  });

  it('that are lost leave unknown outcomes, and hold up no end', async () => {
    const { smsc, port } = await start();
    const client = link(port);
    await client.link.ready(never);
    const lost = client.link.submit(submit('a', '79990000015'));
    await until(() => smsc.log.length === 1);
    await smsc.close();
    expect(await lost).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('are missing when the connection breaks in the middle of a window, and all receipts come', async () => {
    const { smsc, port } = await start({ breakAfter: 3, answerMs: 60_000 });
    const client = link(port);
    await client.link.ready(never);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, i) => client.link.submit(submit(`${i}`))),
    );
    // Nothing was answered yet, and nothing is known to be unsent: none may be sent again.
    expect(outcomes.flat().map(({ outcome }) => outcome)).toEqual(Array(5).fill('unknown'));
    await client.until(smsc.log.length);
    expect(new Set(smsc.log.map(({ text }) => text)).size).toBe(smsc.log.length);
    expect(smsc.log.length).toBeGreaterThanOrEqual(4);
  });
});

describe('what is no SMPP', () => {
  const bind = encodePdu({ command: 'bind_transceiver', sequence: 1, ...account });
  const submitted = encodePdu({ command: 'submit_sm', sequence: 2, ...submit('a')[0]! });
  const whole = Buffer.concat([bind, submitted]);

  /** Sends octets, and resolves with what came back when the SMSC or we end the connection. */
  function talk(port: number, octets: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const answer: Buffer[] = [];
      const socket = connect(port, '127.0.0.1', () => socket.end(octets));
      socket.on('data', (chunk: Buffer) => answer.push(chunk));
      socket.on('error', reject).on('close', () => resolve(Buffer.concat(answer)));
    });
  }

  it('cut at any length leaves a service', async () => {
    const { smsc, port } = await start();
    const lengths = Array.from({ length: whole.length }, (_, length) => length);
    await Promise.all(lengths.map((length) => talk(port, whole.subarray(0, length))));
    expect(smsc.log).toEqual([]);
    const client = link(port);
    await client.link.ready(never);
    expect(await client.link.submit(submit('a'))).toMatchObject([{ outcome: 'accepted' }]);
  });

  it.each([0, 15, 70_001, 0xffffffff])('with a length of %i is refused', async (length) => {
    const { port } = await start();
    const octets = Buffer.from(bind);
    octets.writeUInt32BE(length);
    const [answer] = new PduFramer().push(await talk(port, octets));
    expect(decodePdu(answer!).pdu).toMatchObject({
      command: 'generic_nack',
      status: STATUS.ESME_RINVCMDLEN,
    });
  });

  it('in single octets is read as it comes', async () => {
    const { smsc, port } = await start();
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (const octet of whole)
      await new Promise((sent) => socket.write(Buffer.from([octet]), sent));
    await until(() => smsc.log.length === 1);
    socket.destroy();
    await closed;
  });
});

it('messages of people arrive, long ones in parts', async () => {
  const { smsc, port } = await start();
  const client = link(port);
  smsc.receive('+79161234567', '4440', 'Я'.repeat(71));
  await client.until(2);
  const parts = client.delivered.map((pdu) => contentOf(pdu, 'gsm'));
  expect(parts.map(textOf).join('')).toBe('Я'.repeat(71));
  expect(parts.map(({ concatenation }) => concatenation!.index)).toEqual([1, 2]);
  expect(client.delivered[0]).toMatchObject({ sourceAddr: '79161234567', destinationAddr: '4440' });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}

it('goes on by its journal: with its numbers, its binds and the receipts that it owes', async () => {
  const events: SmscEvent[] = [];
  const journal = (event: SmscEvent) => void events.push(event);
  const profile = { ...immediate, deliveredDelay: [60_000, 60_000] } as never;
  const first = await start({ journal, profile });
  const one = link(first.port);
  await one.link.ready(never);
  const outcomes = await one.link.submit(submit('Я'.repeat(71)), never);
  expect(outcomes).toMatchObject([{ messageId: '0000001001' }, { messageId: '0000001002' }]);
  await one.link.close();
  await until(() => events.some(({ event }) => event === 'unbound'));
  // Killed, it would not have told of a bind's end.
  const kept: SmscEvent[] = [
    ...events,
    { event: 'bound', bind: 2 },
    { event: 'receipted', id: 1001 },
  ];

  const told: SmscEvent[] = [];
  const second = new Smsc({
    ...account,
    profile: immediate as never,
    journal: (event) => void told.push(event),
  });
  open.push(second);
  second.restore(kept);
  expect(told).toEqual([{ event: 'closed', bind: 2 }]);
  expect(second.log).toEqual(first.smsc.log);
  const other = link(await second.listen(0, '127.0.0.1'));
  await other.until(1);
  expect(
    receiptOf(other.delivered[0]!, { alphabet: 'gsm', utcOffset: 0 }, new Date()),
  ).toMatchObject({
    messageId: '0000001002',
    state: 'delivered',
  });
  await until(() => told.some((event) => event.event === 'receipted' && event.id === 1002));
  expect(other.delivered).toHaveLength(1);
  const [next] = await other.link.submit(submit('Hello'), never);
  expect(next).toMatchObject({ messageId: '0000001003' });
  expect(second.binds).toBe(3);
});
