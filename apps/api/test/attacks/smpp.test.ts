import { sendings, tokens } from '@heliograph/contract';
import {
  type Pdu,
  type PduInput,
  type PduOf,
  PduFramer,
  STATUS,
  decodePdu,
  encodePdu,
  tlv,
} from '@heliograph/smpp';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approve } from '../factories.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../peers/certificate.ts';
import { credentialsOf, submitOf, type Credentials } from '../peers/smpp-client.ts';
import type { Person } from '../world.ts';
import { Target, type Smpp } from './target.ts';

/** Programs that speak SMPP badly or with ill will: none holds up another one, and none is answered with a fault of the server. */

let target: Target;
let smpp: Smpp;
let folder: string;
let person: Person;
let credentials: Credentials;
const peers: Peer[] = [];

beforeAll(async () => {
  target = await Target.start();
  folder = mkdtempSync(join(tmpdir(), 'smpp-'));
  const [certificate, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')];
  writeFileSync(certificate, CERTIFICATE);
  writeFileSync(key, PRIVATE_KEY);
  smpp = await target.startSmpp({
    SMPP_TLS_PORT: '0',
    SMPP_TLS_CERTIFICATE: certificate,
    SMPP_TLS_KEY: key,
  });
});
afterAll(async () => {
  await target.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  person = await target.person({ balance: 1000 });
  await approve(target.world, person.id);
  const { token } = await person.api(tokens.create, { body: { description: 'SMPP' } });
  credentials = credentialsOf(token);
});
afterEach(() => {
  for (const { socket } of peers.splice(0)) socket.destroy();
});

/** A connection that sends whatever octets it likes, and reads the answers. */
class Peer {
  readonly socket: Socket;
  readonly answers: Pdu[] = [];
  readonly closed: Promise<void>;
  private heard = Promise.withResolvers<void>();
  private sequence = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    const framer = new PduFramer();
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      for (const octets of framer.push(chunk)) {
        const { pdu } = decodePdu(octets);
        if (!pdu) throw new Error('An answer cannot be read');
        this.answers.push(pdu);
      }
      this.heard.resolve();
      this.heard = Promise.withResolvers();
    });
    void this.closed.then(() => this.heard.resolve());
    peers.push(this);
  }

  write(octets: Buffer): void {
    this.socket.write(octets);
  }

  send(pdu: Omit<PduInput<'submit_sm'>, 'sequence' | 'command'> & { command: string }): number {
    const sequence = ++this.sequence;
    this.write(encodePdu({ ...pdu, sequence } as never));
    return sequence;
  }

  /** The answer to everything before: enquiries are answered in their turn, others once they are done. */
  async answered(count: number): Promise<Pdu[]> {
    while (this.answers.length < count && !this.socket.closed) await this.heard.promise;
    return this.answers;
  }

  /** Asks whether the link is up, which is answered in its turn, and waits for that or for the end of the connection. */
  async answeredAll(): Promise<void> {
    const last = 99;
    this.write(raw(0x15, Buffer.alloc(0), 16, last));
    while (!this.answers.some(({ sequence }) => sequence === last) && !this.socket.closed)
      await this.answered(this.answers.length + 1);
  }
}

const open = (): Peer => new Peer(connect(smpp.port, '127.0.0.1'));

async function bound(by = credentials): Promise<Peer> {
  const peer = open();
  peer.send({ command: 'bind_transceiver', interfaceVersion: 0x34, ...by } as never);
  const [answer] = await peer.answered(1);
  expect(answer).toMatchObject({ command: 'bind_transceiver_resp', status: 0 });
  peer.answers.length = 0;
  return peer;
}

/** Octets of a PDU with whatever stands in its header. */
function raw(id: number, body: Buffer, length = 16 + body.length, sequence = 1): Buffer {
  const header = Buffer.alloc(16);
  [length, id, 0, sequence].forEach((value, i) => header.writeUInt32BE(value, i * 4));
  return Buffer.concat([header, body]);
}

const submit = (more: Partial<PduInput<'submit_sm'>> = {}) =>
  ({ command: 'submit_sm', ...submitOf('Hello', more) }) as never;
const bodyOf = (pdu: object) => encodePdu({ sequence: 1, ...pdu } as never).subarray(16);
/** Resident memory of the server, in megabytes. */
const memory = () =>
  Number(readFileSync(`/proc/${smpp.process.pid}/statm`, 'utf8').split(' ')[1]) / 256;

const LENGTHS = [0, 1, 4, 15, 70_001, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
test.each(LENGTHS)('a PDU of %i octets ends its connection with a refusal', async (length) => {
  await target.attack(async () => {
    for (const peer of [open(), await bound()]) {
      peer.write(raw(4, Buffer.alloc(0), length));
      await peer.closed;
      expect(peer.answers).toMatchObject([
        { command: 'generic_nack', status: STATUS.ESME_RINVCMDLEN },
      ]);
    }
  });
});

const COMMANDS: [name: string, id: number, body: Buffer][] = [
  ['bind_receiver', 1, bodyOf({ command: 'bind_receiver', systemId: 'a', password: 'b' })],
  ['bind_transmitter', 2, bodyOf({ command: 'bind_transmitter', systemId: 'a', password: 'b' })],
  ['query_sm', 3, bodyOf({ command: 'query_sm', messageId: 'x'.repeat(36) })],
  ['submit_sm', 4, bodyOf(submit({ tlvs: [tlv('sarMsgRefNum', 1)] }))],
  ['deliver_sm', 5, bodyOf({ command: 'deliver_sm', shortMessage: Buffer.from('x') })],
  ['replace_sm', 7, bodyOf({ command: 'replace_sm', messageId: 'x' })],
  ['cancel_sm', 8, bodyOf({ command: 'cancel_sm', messageId: 'x' })],
  ['bind_transceiver', 9, bodyOf({ command: 'bind_transceiver', systemId: 'a', password: 'b' })],
  ['outbind', 11, bodyOf({ command: 'outbind', systemId: 'a', password: 'b' })],
  ['enquire_link', 0x15, Buffer.alloc(0)],
  [
    'submit_multi',
    0x21,
    bodyOf({
      command: 'submit_multi',
      sourceAddr: 'MIRTEA',
      destinations: [{ flag: 1, ton: 1, npi: 1, address: '79161234567' }],
      shortMessage: Buffer.from('x'),
    }),
  ],
  ['alert_notification', 0x102, bodyOf({ command: 'alert_notification' })],
  ['data_sm', 0x103, bodyOf({ command: 'data_sm', destinationAddr: '79161234567' })],
  ['generic_nack', 0x80000000, Buffer.alloc(0)],
  ['submit_sm_resp', 0x80000004, bodyOf({ command: 'submit_sm_resp', messageId: 'x' })],
  ['an unknown command', 0x7777, randomBytes(40)],
  ['command 0', 0, Buffer.alloc(0)],
];
/** Answers to what the server did not foresee. */
const faultsIn = (answers: Pdu[]) => answers.filter(({ status }) => status === STATUS.ESME_RSYSERR);

test.each(COMMANDS)('%s that is cut anywhere is answered by a refusal', async (_, id, body) => {
  await target.attack(async () => {
    for (const peer of [open(), await bound()]) {
      for (let at = 0; at < body.length; at++) peer.write(raw(id, body.subarray(0, at)));
      await peer.answeredAll();
      expect(peer.socket.closed).toBe(false);
      expect(faultsIn(peer.answers)).toEqual([]);
    }
  });
});

test.each(COMMANDS)('%s of other octets is answered and breaks nothing', async (_, id, body) => {
  await target.attack(async () => {
    const peer = await bound();
    for (let i = 0; i < 300; i++) {
      const octets = Buffer.from(body.length ? body : randomBytes(8));
      for (let n = 0; n <= i % 4; n++)
        octets[randomBytes(2).readUInt16BE() % octets.length] = i % 3 ? randomBytes(1)[0]! : 0xff;
      peer.write(raw(id, octets));
    }
    await peer.answeredAll();
    expect(faultsIn(peer.answers)).toEqual([]);
  });
});

test('every data_coding with any octets is a message or refused', async () => {
  const contents = [
    Buffer.alloc(3),
    Buffer.from([0x1b]),
    Buffer.from([0xd8, 0x3d]),
    Buffer.from([0xdc, 0x00, 0x00, 0x41]),
    Buffer.from('\x1b$B\x1b(J\x0e\x0f'),
    Buffer.from([0x20, 0x2e, 0x00, 0x31]),
    randomBytes(140),
  ];
  await target.attack(async () => {
    const peer = await bound();
    for (let dataCoding = 0; dataCoding < 256; dataCoding++) {
      for (const shortMessage of contents) peer.send(submit({ dataCoding, shortMessage }));
      // No more at a time than the window.
      if (dataCoding % 6 === 5) await peer.answered((dataCoding + 1) * contents.length);
    }
    await peer.answered(256 * contents.length);
    expect(faultsIn(peer.answers)).toEqual([]);
    expect(peer.answers.some(({ status }) => status === STATUS.ESME_ROK)).toBe(true);
  });
});

test('any times, addresses and flags are refused or taken', async () => {
  const TIMES = [
    '991231235959948+',
    '000000000000000R',
    '999999999999999R',
    '991399999999999+',
    '261301000000000+',
    '0'.repeat(16),
    '-00000000000000R',
    'é'.repeat(16),
  ];
  const ADDRESSES = ['', '+', '\x01\x02\x03', '٣٤٥', "'; drop", '0'.repeat(20), '7916123456\x7f'];
  await target.attack(async () => {
    const peer = await bound();
    let count = 0;
    const shoot = async (more: Partial<PduInput<'submit_sm'>>) => {
      peer.send(submit(more));
      await peer.answered(++count);
    };
    for (const time of TIMES) {
      await shoot({ scheduleDeliveryTime: Buffer.from(time).toString('latin1').slice(0, 16) });
      await shoot({ validityPeriod: Buffer.from(time).toString('latin1').slice(0, 16) });
    }
    for (const address of ADDRESSES) {
      const octets = Buffer.from(address).toString('latin1').slice(0, 20);
      await shoot({ destinationAddr: octets });
      await shoot({ sourceAddr: octets });
    }
    for (let flag = 0; flag < 256; flag += 5) {
      await shoot({ esmClass: flag });
      await shoot({ registeredDelivery: flag, destAddrTon: flag % 9, sourceAddrNpi: flag % 23 });
    }
    expect(faultsIn(peer.answers)).toEqual([]);
  });
});

describe('parts of long messages', () => {
  const udh = (...octets: number[]) => Buffer.concat([Buffer.from(octets), Buffer.from('text')]);
  const HEADERS: [name: string, octets: Buffer][] = [
    ['longer than the message', udh(0xff, 0, 3, 1, 2, 1)],
    ['of nothing', Buffer.from([0, 0, 0])],
    ['whose element is longer than it', udh(5, 0, 200, 1, 2, 1)],
    ['of part 0', udh(5, 0, 3, 1, 2, 0)],
    ['of no parts', udh(5, 0, 3, 1, 0, 1)],
    ['of part 255 of 2', udh(5, 0, 3, 1, 2, 255)],
    ['with two places', udh(10, 0, 3, 1, 2, 1, 0, 3, 1, 2, 2)],
    ['with half a place', udh(3, 0, 3, 1)],
    ['of elements of no length', Buffer.alloc(254, 0).fill(253, 0, 1)],
    ['of a place without a text', Buffer.from([5, 0, 3, 9, 2, 1])],
  ];
  test.each(HEADERS)('a header %s', async (_, shortMessage) => {
    await target.attack(async () => {
      const peer = await bound();
      for (const dataCoding of [0, 8, 0xf0]) {
        for (let n = 0; n < 3; n++) peer.send(submit({ esmClass: 0x40, dataCoding, shortMessage }));
      }
      expect(faultsIn(await peer.answered(9))).toEqual([]);
    });
  });

  const place = (reference: number, total: number, index: number) => [
    tlv('sarMsgRefNum', reference),
    tlv('sarTotalSegments', total),
    tlv('sarSegmentSeqnum', index),
  ];

  test('those of 64 kB are refused: none of them are kept', async () => {
    const payload = tlv('messagePayload', Buffer.alloc(65_000, 'x'));
    await target.attack(async () => {
      const peer = await bound();
      for (let index = 1; index <= 255; index++) {
        const tlvs = [...place(1, 255, index), payload];
        peer.send(submit({ shortMessage: Buffer.alloc(0), tlvs }));
        if (index % 40 === 0) await peer.answered(index);
      }
      const answers = await peer.answered(255);
      expect(new Set(answers.map(({ status }) => status))).toEqual(
        new Set([STATUS.ESME_RINVMSGLEN]),
      );
    });
    const [row] = await target.world.db.query<{ size: number }>(
      `select coalesce(sum(length(octets)), 0)::int as size from smpp_parts where owner_id = $1`,
      [person.id],
    );
    expect(row!.size).toBe(0);
  });

  test('all 255 of one message delay no other caller', async () => {
    await target.attack(async () => {
      const peer = await bound();
      for (let index = 1; index <= 255; index++) {
        const shortMessage = Buffer.alloc(254, 'x');
        peer.send(submit({ shortMessage, tlvs: place(2, 255, index) }));
        if (index % 40 === 0) await peer.answered(index);
      }
      const answers = await peer.answered(255);
      expect(faultsIn(answers)).toEqual([]);
      // No text is that long.
      expect(answers.map(({ status }) => status)).toContain(STATUS.ESME_RINVMSGLEN);
    });
  });
});

test('a flood of submits is throttled and delays no other account', async () => {
  await target.attack(async () => {
    const peer = await bound();
    for (let i = 0; i < 5000; i++) peer.send(submit({ destinationAddr: `7916123${1000 + i}` }));
    const answers = await peer.answered(5000);
    expect(faultsIn(answers)).toEqual([]);
    expect(answers.some(({ status }) => status === STATUS.ESME_RTHROTTLED)).toBe(true);
    expect(answers.some(({ status }) => status === STATUS.ESME_ROK)).toBe(true);
  });
});

test('submits to 254 people at a time delay no other account', async () => {
  await target.attack(async () => {
    const peer = await bound();
    for (let i = 0; i < 40; i++) {
      const destinations = Array.from({ length: 254 }, (_, n) => ({
        flag: 1,
        ton: 1,
        npi: 1,
        address: `7916${1000000 + i * 254 + n}`,
      }));
      peer.send({
        ...(submitOf('Hello') as object),
        command: 'submit_multi',
        destinations,
      } as never);
    }
    expect(faultsIn(await peer.answered(40))).toEqual([]);
  });
});

test('a program that asks and never reads is not read either', async () => {
  await target.attack(async () => {
    const before = memory();
    const peer = await bound();
    peer.socket.pause();
    const enquiries = Buffer.concat(
      Array.from({ length: 4096 }, (_, n) => raw(0x15, Buffer.alloc(0), 16, n)),
    );
    // The server stops reading: at some time the kernel takes no more.
    for (let sent = 0; sent < 500; sent++) {
      if (!peer.socket.write(enquiries) && peer.socket.writableLength > 8_000_000) break;
      await new Promise(setImmediate);
    }
    expect(peer.socket.writableLength).toBeGreaterThan(0);
    expect(memory() - before).toBeLessThan(100);
  });
});

test('50 connections that are never bound, or send one octet each, leave in time', async () => {
  await target.attack(async () => {
    const slow = Array.from({ length: 20 }, () => open());
    for (const peer of slow) peer.write(Buffer.from([0]));
    // Asks all the time and never binds.
    const busy = Array.from({ length: 10 }, () => open());
    for (const peer of busy) peer.write(raw(0x15, Buffer.alloc(0)));
    // Says it is as long as can be.
    const long = Array.from({ length: 10 }, () => open());
    for (const peer of long) peer.write(raw(4, Buffer.alloc(1000), 70_000));
    const all = [...slow, ...busy, ...long];
    await Promise.all(all.map(({ closed }) => closed));
    expect(all.every(({ socket }) => socket.closed)).toBe(true);
  });
});

test('binds with wrong passwords do not lock out who knows the right one', async () => {
  await bound();
  await target.attack(async () => {
    const guesses = Array.from({ length: 40 }, (_, n) => {
      const peer = open();
      const password = `no${n}`;
      peer.send({ command: 'bind_transceiver', ...credentials, password } as never);
      return peer;
    });
    for (const peer of guesses) {
      const [answer] = await peer.answered(1);
      expect([STATUS.ESME_RINVPASWD, STATUS.ESME_RBINDFAIL]).toContain(answer!.status);
      peer.socket.destroy();
    }
    await bound();
  });
});

test('a session that binds again and again is bound once', async () => {
  await target.attack(async () => {
    const peer = open();
    for (let i = 0; i < 200; i++)
      peer.send({ command: 'bind_transceiver', interfaceVersion: 0x34, ...credentials } as never);
    const answers = await peer.answered(200);
    expect(answers.filter(({ status }) => status === STATUS.ESME_ROK)).toHaveLength(1);
  });
});

describe('over TLS', () => {
  const PACKETS: [name: string, octets: Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['SMPP without TLS', raw(9, Buffer.from('a\0b\0\0\x34\0\0\0'))],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['half a handshake', Buffer.from('16030102000100', 'hex')],
    ['a record of 64 kB', Buffer.concat([Buffer.from('160301ffff', 'hex'), Buffer.alloc(65_535)])],
    ['random octets', randomBytes(5000)],
    ['a handshake of an old version', Buffer.from('160300002f0100002b0300', 'hex')],
    ['an alert', Buffer.from('15030300020228', 'hex')],
  ];
  test.each(PACKETS)('%s instead of a handshake ends in time', async (_, octets) => {
    await target.attack(async () => {
      const all = Array.from({ length: 10 }, () => connect(smpp.tlsPort!, '127.0.0.1'));
      for (const socket of all) {
        // Alerts are read, too: what is not read is not closed.
        socket.on('error', () => {}).resume();
        socket.write(octets);
      }
      await Promise.all(all.map((socket) => new Promise((resolve) => socket.on('close', resolve))));
      expect(all.every((socket) => socket.closed)).toBe(true);
    });
  });

  test('a connection that ends within the handshake, or within its first PDU', async () => {
    await target.attack(async () => {
      for (let i = 0; i < 30; i++) {
        const socket = connectTls({
          port: smpp.tlsPort!,
          host: '127.0.0.1',
          rejectUnauthorized: false,
        });
        socket.on('error', () => {});
        if (i % 3 === 0) socket.once('connect', () => socket.destroy());
        else {
          await once(socket, 'secureConnect');
          if (i % 3 === 1) socket.write(raw(4, Buffer.alloc(10), 60_000));
          socket.destroy();
        }
        if (!socket.closed) await once(socket, 'close');
        expect(socket.closed).toBe(true);
      }
    });
  });
});

test('nothing of it is a message of another account', async () => {
  const other = await target.person({ balance: 10 });
  const peer = await bound();
  peer.send(submit());
  const [answer] = await peer.answered(1);
  const { messageId } = answer as PduOf<'submit_sm_resp'>;
  await target.attack(async () => {
    const { token } = await other.api(tokens.create, { body: { description: 'SMPP' } });
    const theirs = await bound(credentialsOf(token));
    for (const id of [messageId, messageId.toUpperCase(), '', '%', `${messageId}'`]) {
      theirs.send({ command: 'query_sm', messageId: id } as never);
      theirs.send({ command: 'cancel_sm', messageId: id } as never);
    }
    const answers = await theirs.answered(10);
    for (const { status } of answers) expect(status).not.toBe(STATUS.ESME_ROK);
    expect(faultsIn(answers)).toEqual([]);
  });
  expect((await other.api(sendings.find, { query: {} })).data).toEqual([]);
});
