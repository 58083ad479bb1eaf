import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Link, type LinkChange, type LinkOptions } from './link.ts';
import type { Pdu, PduOf } from './pdu.ts';
import { type Answer, Session } from './session.ts';
import { STATUS } from './statuses.ts';
import { UDHI } from './texts.ts';

const links: Link[] = [];
const servers: Session[] = [];
let changes: LinkChange[];
/** What the carrier answers; by default it accepts everything. */
let answer: (request: Pdu) => Answer | Promise<Answer>;
let requests: Pdu[];
let connections: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  changes = [];
  requests = [];
  connections = 0;
  answer = ({ sequence }) => ({ messageId: `id ${sequence}` });
});
afterEach(async () => {
  for (const session of servers.splice(0)) session.close('The test has ended');
  const closed = Promise.all(links.splice(0).map((link) => link.close()));
  await vi.advanceTimersByTimeAsync(200_000);
  await closed;
  vi.useRealTimers();
});

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await setImmediate();
}

/** The carrier: a session of the server's side for each connection. */
async function connect(): Promise<Duplex> {
  connections++;
  const [ours, theirs] = duplexPair();
  servers.push(
    new Session(theirs, {
      isStrict: true,
      enquireMs: Infinity,
      handle: async (request) => {
        requests.push(request);
        return answer(request);
      },
    }),
  );
  return ours;
}

function open(options: Partial<LinkOptions> = {}): Link {
  const link = new Link({
    mode: 'transceiver',
    bind: { systemId: 'helio', password: 'secret' },
    window: 4,
    enquireMs: Infinity,
    connect,
    deliver: async () => {},
    onChange: (change) => changes.push(change),
    random: () => 0.5,
    ...options,
  });
  links.push(link);
  return link;
}

async function bound(options: Partial<LinkOptions> = {}): Promise<Link> {
  const link = open(options);
  expect(await link.ready(new AbortController().signal)).toBe(true);
  return link;
}

const part = (text: string) => ({ esmClass: UDHI, shortMessage: Buffer.from(text) });
const submits = () =>
  requests.filter((pdu): pdu is PduOf<'submit_sm'> => pdu.command === 'submit_sm');
const texts = () => submits().map((pdu) => pdu.shortMessage.toString());
const kinds = () => changes.map((change) => `${change.state} ${change.kind}`);

describe('binds', () => {
  it('a transceiver, or a transmitter and a receiver', async () => {
    await bound();
    await bound({ mode: 'pair' });
    await settle();
    expect(kinds().sort()).toEqual([
      'bound bind_receiver',
      'bound bind_transceiver',
      'bound bind_transmitter',
    ]);
    expect(requests[0]).toMatchObject({
      systemId: 'helio',
      password: 'secret',
      interfaceVersion: 0x34,
    });
  });

  it('again after a loss, soon and at random', async () => {
    const link = await bound();
    servers[0]!.close('The carrier restarts');
    await settle();
    expect(link.isBound).toBe(false);
    expect(changes[1]).toMatchObject({ state: 'lost', retryMs: 1_500 });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await link.ready(new AbortController().signal)).toBe(true);
  });

  it('with a back-off while there is no connection', async () => {
    open({ connect: () => Promise.reject(new Error('ECONNREFUSED')) });
    await vi.advanceTimersByTimeAsync(600_000);
    const waits = changes.map((change) => (change as { retryMs: number }).retryMs);
    expect(waits.slice(0, 9)).toEqual([
      750, 1_500, 3_000, 6_000, 12_000, 24_000, 48_000, 67_500, 67_500,
    ]);
  });

  it('with a back-off that begins anew after each bind', async () => {
    let fails = 3;
    const link = open({
      connect: () => (fails-- > 0 ? Promise.reject(new Error('ECONNREFUSED')) : connect()),
    });
    await vi.advanceTimersByTimeAsync(750 + 1_500 + 3_000);
    expect(await link.ready(new AbortController().signal)).toBe(true);
    fails = 2;
    servers[0]!.close('The carrier restarts');
    await settle();
    await vi.advanceTimersByTimeAsync(1_500 + 750 + 1_500);
    expect(await link.ready(new AbortController().signal)).toBe(true);
    const waits = changes.flatMap((change) => ('retryMs' in change ? [change.retryMs] : []));
    expect(waits).toEqual([750, 1_500, 3_000, 1_500, 750, 1_500]);
  });

  it('after a refusal not before a minute', async () => {
    answer = () => ({ status: STATUS.ESME_RINVPASWD });
    const link = open();
    await settle();
    expect(changes).toEqual([
      {
        state: 'lost',
        kind: 'bind_transceiver',
        reason: 'The bind was refused with ESME_RINVPASWD',
        retryMs: 75_000,
      },
    ]);
    await vi.advanceTimersByTimeAsync(74_999);
    await settle();
    expect(connections).toBe(1);
    answer = () => ({});
    await vi.advanceTimersByTimeAsync(1);
    expect(await link.ready(new AbortController().signal)).toBe(true);
    expect(connections).toBe(2);
  });

  it('are given up when the link is closed, also during a bind', async () => {
    answer = () => new Promise(() => {});
    const link = open();
    await settle();
    await link.close();
    const aborted = await open().ready(AbortSignal.abort());
    expect(aborted).toBe(false);
    expect(await link.ready(new AbortController().signal)).toBe(false);
  });
});

describe('submits', () => {
  it('are accepted with the id of each part', async () => {
    const link = await bound();
    expect(await link.submit([part('a'), part('b'), part('c')])).toEqual([
      { outcome: 'accepted', messageId: 'id 2' },
      { outcome: 'accepted', messageId: 'id 3' },
      { outcome: 'accepted', messageId: 'id 4' },
    ]);
    expect(texts()).toEqual(['a', 'b', 'c']);
    expect(await link.submit([])).toEqual([]);
  });

  it('are as many at a time as the window has', async () => {
    const waiting: (() => void)[] = [];
    const link = await bound();
    answer = () => new Promise((resolve) => waiting.push(() => resolve({ messageId: 'x' })));
    const all = Promise.all(Array.from({ length: 9 }, (_, i) => link.submit([part(`${i}`)])));
    await settle();
    expect(texts()).toEqual(['0', '1', '2', '3']);
    waiting.shift()!();
    await settle();
    expect(texts()).toHaveLength(5);
    while (waiting.length > 0) {
      waiting.shift()!();
      await settle();
    }
    expect((await all).flat().every(({ outcome }) => outcome === 'accepted')).toBe(true);
  });

  it('of a message whose first part is refused leave no other part', async () => {
    const link = await bound();
    answer = () => ({ status: STATUS.ESME_RINVDSTADR });
    expect(await link.submit([part('a'), part('b')])).toEqual([
      { outcome: 'refused', status: STATUS.ESME_RINVDSTADR },
      { outcome: 'unsent', reason: 'Not begun' },
    ]);
    expect(texts()).toEqual(['a']);
  });

  it('refused for the rate hold the link, and the first part is not repeated', async () => {
    const link = await bound();
    answer = () => ({ status: STATUS.ESME_RMSGQFUL });
    expect(await link.submit([part('a'), part('b')])).toMatchObject([
      { outcome: 'throttled', status: STATUS.ESME_RMSGQFUL, retryMs: 5_000 },
      { outcome: 'unsent' },
    ]);
    answer = () => ({ messageId: 'x' });
    const next = link.submit([part('c')]);
    await settle();
    expect(texts()).toEqual(['a']);
    expect(link.window).toMatchObject({ limit: 2, heldMs: 5_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await next).toEqual([{ outcome: 'accepted', messageId: 'x' }]);
  });

  it('of later parts that are refused for the rate go again before others', async () => {
    const link = await bound({ window: 1 });
    let refusals = 2;
    answer = (pdu) =>
      (pdu as PduOf<'submit_sm'>).shortMessage.toString() === 'b' && refusals-- > 0
        ? { status: STATUS.ESME_RTHROTTLED }
        : { messageId: 'x' };
    const message = link.submit([part('a'), part('b')]);
    await settle();
    const other = link.submit([part('z')]);
    await vi.advanceTimersByTimeAsync(1_000);
    await settle();
    await vi.advanceTimersByTimeAsync(2_000);
    await settle();
    expect((await message).map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
    await other;
    expect(texts()).toEqual(['a', 'b', 'b', 'b', 'z']);
  });

  it('that were sent on a lost session are unknown, those that waited are unsent', async () => {
    const link = await bound({ window: 2 });
    answer = () => new Promise(() => {});
    const all = ['a', 'b', 'c'].map((text) => link.submit([part(text), part(`${text}2`)]));
    await settle();
    servers[0]!.close('The carrier is killed');
    await settle();
    const outcomes = (await Promise.all(all)).map((parts) => parts.map(({ outcome }) => outcome));
    expect(outcomes).toEqual([
      ['unknown', 'unsent'],
      ['unknown', 'unsent'],
      ['unsent', 'unsent'],
    ]);
    expect(await link.submit([part('d')])).toEqual([{ outcome: 'unsent', reason: 'Not bound' }]);
  });

  it('without an answer are unknown, and the session is closed', async () => {
    const link = await bound({ responseMs: 10_000 });
    answer = () => new Promise(() => {});
    const submitted = link.submit([part('a')]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await submitted).toMatchObject([{ outcome: 'unknown' }]);
    expect(link.isBound).toBe(false);
    expect(texts()).toEqual(['a']);
  });

  it('that cannot be written are refused', async () => {
    const link = await bound();
    const long = { ...part('a'), destinationAddr: 'x'.repeat(21) };
    expect(await link.submit([long])).toEqual([
      { outcome: 'refused', status: STATUS.ESME_RINVDSTADR },
    ]);
    expect(link.window.used).toBe(0);
    expect(texts()).toEqual([]);
  });

  it('that wait for the window end with their signal', async () => {
    const link = await bound({ window: 1 });
    answer = () => new Promise(() => {});
    void link.submit([part('a')]);
    const controller = new AbortController();
    const waiting = link.submit([part('b')], controller.signal);
    await settle();
    controller.abort();
    expect(await waiting).toMatchObject([{ outcome: 'unsent' }]);
  });
});

describe('what the carrier sends', () => {
  it('is acknowledged when it is stored, and comes again otherwise', async () => {
    const stored = Promise.withResolvers<void>();
    await bound({ deliver: () => stored.promise });
    const delivered = vi.fn<(response: Pdu) => void>();
    const carrier = servers[0]!;
    void carrier.request('deliver_sm', { shortMessage: Buffer.from('id:1') }).then(delivered);
    await settle();
    expect(delivered).not.toHaveBeenCalled();
    stored.resolve();
    await settle();
    expect(delivered).toHaveBeenCalledWith(expect.objectContaining({ status: 0 }));

    await bound({ deliver: () => Promise.reject(new Error('The database is away')) });
    expect(await servers[1]!.request('data_sm', {})).toMatchObject({
      command: 'data_sm_resp',
      status: STATUS.ESME_RX_T_APPN,
    });
  });

  it('and a client does not do is refused', async () => {
    await bound();
    expect(await servers[0]!.request('submit_sm', {})).toMatchObject({
      status: STATUS.ESME_RINVBNDSTS,
    });
  });

  it('an unbind ends the session after what is under way, and the link binds again', async () => {
    const link = await bound();
    const waiting = Promise.withResolvers<Answer>();
    answer = () => waiting.promise;
    const submitted = link.submit([part('a')]);
    await settle();
    answer = () => ({});
    void servers[0]!.unbind();
    await settle();
    waiting.resolve({ messageId: 'x' });
    await settle();
    expect(await submitted).toEqual([{ outcome: 'accepted', messageId: 'x' }]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await link.ready(new AbortController().signal)).toBe(true);
    expect(servers).toHaveLength(2);
  });
});

it('closing unbinds after what is under way', async () => {
  const link = await bound();
  const waiting = Promise.withResolvers<Answer>();
  answer = () => waiting.promise;
  const submitted = link.submit([part('a')]);
  await settle();
  const closed = link.close();
  await settle();
  expect(servers[0]!.isOpen).toBe(true);
  waiting.resolve({ messageId: 'x' });
  expect(await submitted).toEqual([{ outcome: 'accepted', messageId: 'x' }]);
  await closed;
  await settle();
  expect(await servers[0]!.closed).toBe('The peer unbound');
  expect(connections).toBe(1);
});
