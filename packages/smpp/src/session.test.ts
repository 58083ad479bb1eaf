import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { PduFramer } from './framer.ts';
import { type Pdu, type PduInput, decodePdu, encodePdu } from './pdu.ts';
import { Session, type SessionOptions } from './session.ts';
import { STATUS } from './statuses.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => {
  for (const { session } of opened.splice(0)) session.close('The test has ended');
  vi.useRealTimers();
});

interface Opened {
  session: Session;
  peer: Peer;
}
const opened: Opened[] = [];

/** The other end of a session, by hand. */
class Peer {
  readonly socket: Duplex;
  readonly received: Pdu[] = [];
  private readonly framer = new PduFramer();

  constructor(socket: Duplex) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      for (const octets of this.framer.push(chunk)) this.received.push(decodePdu(octets).pdu!);
    });
  }

  send(pdu: PduInput<never> | PduInput<'deliver_sm'> | Buffer): Promise<void> {
    this.socket.write(Buffer.isBuffer(pdu) ? pdu : encodePdu(pdu as PduInput<'deliver_sm'>));
    return settle();
  }

  get summary(): string[] {
    return this.received.map((pdu) => `${pdu.command} ${pdu.status} ${pdu.sequence}`);
  }
}

function open(options: Partial<SessionOptions> = {}): Opened {
  const [ours, theirs] = duplexPair();
  const handle = async () => ({});
  const session = new Session(ours, { handle, ...options });
  const both = { session, peer: new Peer(theirs) };
  opened.push(both);
  return both;
}

/** Everything that is under way between the two ends. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await setImmediate();
}

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    ({ isSent, message }: { isSent: boolean; message: string }) =>
      `${isSent ? 'unknown' : 'unsent'}: ${message}`,
  );
const respond = (sequence: number, messageId = 'id') =>
  ({ command: 'submit_sm_resp', sequence, messageId }) as never;

describe('requests', () => {
  it('find their answers in any order', async () => {
    const { session, peer } = open();
    const ids = Promise.all(
      [1, 2, 3].map(async () => {
        const response = await session.request('submit_sm', {});
        return (response as { messageId?: string }).messageId;
      }),
    );
    await settle();
    expect(peer.summary).toEqual(['submit_sm 0 1', 'submit_sm 0 2', 'submit_sm 0 3']);
    for (const sequence of [3, 1, 2]) await peer.send(respond(sequence, `id ${sequence}`));
    expect(await ids).toEqual(['id 1', 'id 2', 'id 3']);
    expect(session.inFlight).toBe(0);
  });

  it('are numbered up to 0x7fffffff and again from one, past those that wait', async () => {
    const { session, peer } = open();
    void session.request('submit_sm', {}).catch(() => {});
    Object.assign(session, { lastSequence: 0x7ffffffe });
    for (let i = 0; i < 3; i++) void session.request('submit_sm', {}).catch(() => {});
    await settle();
    expect(peer.received.map((pdu) => pdu.sequence)).toEqual([1, 0x7fffffff, 2, 3]);
  });

  it('without an answer close the session, and all outcomes are unknown', async () => {
    const { session, peer } = open({ responseMs: 60_000, enquireMs: 300_000 });
    const first = outcome(session.request('submit_sm', {}));
    await vi.advanceTimersByTimeAsync(30_000);
    const second = outcome(session.request('submit_sm', {}));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await first).toBe('unknown: No answer to submit_sm');
    expect(await second).toBe('unknown: No answer to submit_sm');
    expect(await session.closed).toBe('No answer to submit_sm');
    expect(await outcome(session.request('submit_sm', {}))).toBe('unsent: The session has ended');
    expect(peer.received).toHaveLength(2);
  });

  it('are unknown when the connection breaks', async () => {
    const { session, peer } = open();
    const submitted = outcome(session.request('submit_sm', {}));
    await settle();
    peer.socket.destroy();
    await settle();
    expect(await submitted).toMatch(/^unknown: /);
    expect(session.isOpen).toBe(false);
  });

  it('are refused by a generic_nack, and not by an answer to something else', async () => {
    const { session, peer } = open();
    const response = session.request('submit_sm', {});
    await settle();
    await peer.send({ command: 'enquire_link_resp', sequence: 1 } as never);
    await peer.send(respond(77));
    expect(session.inFlight).toBe(1);
    await peer.send({ command: 'generic_nack', sequence: 1, status: 3 } as never);
    expect(await response).toMatchObject({ command: 'generic_nack', status: 3 });
    // Nothing of it was answered.
    expect(peer.received).toHaveLength(1);
  });

  it('whose answer cannot be read are unknown', async () => {
    const { session, peer } = open({ isStrict: true });
    const submitted = outcome(session.request('submit_sm', {}));
    await settle();
    await peer.send(Buffer.from('00000012800000040000000000000001' + '4142', 'hex'));
    expect(await submitted).toBe('unknown: An answer cannot be read');
    expect(session.isOpen).toBe(true);
  });
});

describe('what the peer sends', () => {
  const deliver = (sequence: number) => ({ command: 'deliver_sm', sequence }) as const;

  it('is acknowledged when it is handled, each for itself', async () => {
    const waiting: (() => void)[] = [];
    const handle = () =>
      new Promise<object>((resolve) => waiting.push(() => resolve({ status: 0 })));
    const { peer } = open({ handle });
    await peer.send(deliver(1));
    await peer.send(deliver(2));
    await peer.send({ command: 'enquire_link', sequence: 3 } as never);
    expect(peer.summary).toEqual(['enquire_link_resp 0 3']);
    waiting[1]!();
    await settle();
    waiting[0]!();
    await settle();
    expect(peer.summary.slice(1)).toEqual(['deliver_sm_resp 0 2', 'deliver_sm_resp 0 1']);
  });

  it('is refused for now when it cannot be stored', async () => {
    const { peer } = open({ handle: () => Promise.reject(new Error('The database is away')) });
    await peer.send(deliver(1));
    await peer.send({ command: 'data_sm', sequence: 2 } as never);
    expect(peer.summary).toEqual([
      `deliver_sm_resp ${STATUS.ESME_RX_T_APPN} 1`,
      `data_sm_resp ${STATUS.ESME_RX_T_APPN} 2`,
    ]);
  });

  it('is refused for now when too much is being handled', async () => {
    const { peer } = open({ maxHandled: 2, handle: () => new Promise(() => {}) });
    for (let i = 1; i <= 4; i++) await peer.send(deliver(i));
    expect(peer.summary).toEqual([
      `deliver_sm_resp ${STATUS.ESME_RX_T_APPN} 3`,
      `deliver_sm_resp ${STATUS.ESME_RX_T_APPN} 4`,
    ]);
  });

  it('and is no PDU is answered by the book', async () => {
    const { session, peer } = open();
    const unknown = Buffer.from('00000014000000990000000000000005DEADBEEF', 'hex');
    await peer.send(unknown);
    const brokenTlv = Buffer.concat([encodePdu(deliver(6)), Buffer.from('0204FFFF', 'hex')]);
    brokenTlv.writeUInt32BE(brokenTlv.length);
    await peer.send(brokenTlv);
    const unknownAnswer = Buffer.from('00000010800000990000000000000007', 'hex');
    await peer.send(unknownAnswer);
    expect(peer.summary).toEqual([
      `generic_nack ${STATUS.ESME_RINVCMDID} 5`,
      `deliver_sm_resp ${STATUS.ESME_RINVOPTPARSTREAM} 6`,
    ]);
    expect(session.isOpen).toBe(true);
    await peer.send(Buffer.from('FFFFFFFF000000040000000000000008', 'hex'));
    expect(peer.summary[2]).toBe(`generic_nack ${STATUS.ESME_RINVCMDLEN} 0`);
    expect(await session.closed).toBe('A PDU of 4294967295 octets');
  });

  it('and has no answer is told', async () => {
    const notify = vi.fn<(pdu: Pdu) => void>();
    const { peer } = open({ notify });
    await peer.send({ command: 'alert_notification', sequence: 1, esmeAddr: '4440' } as never);
    expect(notify).toHaveBeenCalledWith(expect.objectContaining({ esmeAddr: '4440' }));
    expect(peer.received).toEqual([]);
  });

  it('is not read while it does not read', async () => {
    const [ours, theirs] = duplexPair({ highWaterMark: 1_024 });
    const session = new Session(ours, { handle: async () => ({}) });
    opened.push({ session, peer: new Peer(duplexPair()[0]) });
    const ask = encodePdu({ command: 'enquire_link', sequence: 1 });
    let sent = 0;
    while (theirs.write(ask) && sent < 10_000) {
      sent++;
      await setImmediate();
    }
    // The octets wait on the side of the peer.
    expect(sent).toBeLessThan(10_000);
    expect(ours.writableLength).toBeLessThan(4_096);
  });

  it('at random crashes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        async (all) => {
          const { session, peer } = open();
          for (const chunk of all) peer.socket.write(Buffer.from(chunk));
          await settle();
          session.close('done');
        },
      ),
      { numRuns: 200 },
    );
    // Each ended, and none of them took the process with it.
    expect(opened.every(({ session }) => !session.isOpen)).toBe(true);
  });
});

describe('silence', () => {
  it('is broken by enquire_link, and the second without an answer ends the session', async () => {
    const { session, peer } = open({ enquireMs: 30_000 });
    await vi.advanceTimersByTimeAsync(30_000);
    await settle();
    expect(peer.summary).toEqual(['enquire_link 0 1']);
    await peer.send({ command: 'enquire_link_resp', sequence: 1 } as never);
    await vi.advanceTimersByTimeAsync(60_000);
    await settle();
    expect(peer.summary).toEqual(['enquire_link 0 1', 'enquire_link 0 2', 'enquire_link 0 3']);
    expect(session.isOpen).toBe(true);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await session.closed).toBe('Two enquire_link without an answer');
  });

  it('is no silence while PDUs come', async () => {
    const { peer } = open({ enquireMs: 30_000 });
    for (let i = 1; i <= 5; i++) {
      await vi.advanceTimersByTimeAsync(20_000);
      await peer.send({ command: 'enquire_link', sequence: i } as never);
    }
    expect(peer.summary.every((line) => line.startsWith('enquire_link_resp'))).toBe(true);
  });

  it('of a peer that sends single octets ends the session', async () => {
    const { session, peer } = open({ inactivityMs: 60_000, enquireMs: Infinity });
    const octets = encodePdu({ command: 'submit_sm', sequence: 1 });
    for (const octet of octets.subarray(0, 11)) {
      await vi.advanceTimersByTimeAsync(6_000);
      await peer.send(Buffer.from([octet]));
    }
    expect(await session.closed).toBe('The peer was silent');
  });
});

describe('unbind', () => {
  it('waits for what is under way', async () => {
    const { session, peer } = open();
    const submitted = outcome(session.request('submit_sm', {}));
    const unbound = session.unbind();
    await settle();
    expect(peer.summary).toEqual(['submit_sm 0 1']);
    expect(await outcome(session.request('submit_sm', {}))).toBe('unsent: The session has ended');
    await peer.send(respond(1));
    expect(await submitted).toBe('answered');
    expect(peer.summary.slice(1)).toEqual(['unbind 0 2']);
    await peer.send({ command: 'unbind_resp', sequence: 2 } as never);
    await unbound;
    expect(await session.closed).toBe('Unbound');
  });

  it('without an answer ends after five seconds', async () => {
    const { session } = open();
    const unbound = session.unbind();
    await vi.advanceTimersByTimeAsync(5_000);
    await unbound;
    expect(session.isOpen).toBe(false);
  });

  it('of the peer leaves a while for what is under way', async () => {
    const { session, peer } = open();
    const answered = outcome(session.request('submit_sm', {}));
    const lost = outcome(session.request('submit_sm', {}));
    await settle();
    await peer.send({ command: 'unbind', sequence: 9 } as never);
    expect(session.isOpen).toBe(false);
    await peer.send(respond(1));
    expect(await answered).toBe('answered');
    await vi.advanceTimersByTimeAsync(5_000);
    await settle();
    expect(await lost).toBe('unknown: The peer unbound');
    expect(peer.summary.slice(2)).toEqual(['unbind_resp 0 9']);
  });
});
