import { type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';

import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';

import { ChannelDown, type Driver, UnknownOutcome, type OutgoingMessage } from '../channel.ts';
import { NO_FILES } from '../../../test/peers/message-files.ts';
import { NO_CHATS } from '../../../test/peers/chats.ts';
import { NO_DEVICES } from '../../../test/peers/push-devices.ts';
import { Outbound } from '../../core/http/outbound.ts';
import { parseOptions } from '../options.ts';
import { httpDriver } from './http.driver.ts';
import { signed } from '../../core/http/standard-webhooks.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const context = {
  now: new Date(),
  signal: new AbortController().signal,
  progress: () => undefined,
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function message(reference: string): OutgoingMessage {
  const payload = { text: 'привет' };
  const recipient = '+79001234567';
  return { reference, type: 'sms', sender: 'Helio', recipient, payload, segments: 1, tries: 0 };
}
const batch = [message('a'), message('b')];

function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/messages`);
    });
  });
}

async function peer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return listen(server);
}

function open(url: string, options: Record<string, unknown> = {}, allowed = '127.0.0.0/8'): Driver {
  const given = { url, secret, timeoutMs: 10_000, ...options };
  const driver = httpDriver.open(parseOptions('carrier', httpDriver.options, given), {
    channel: 'carrier',
    outbound: new Outbound(allowed, 'CHANNEL_ALLOWED_HOSTS'),
    senders: { send: () => Promise.reject(new Error('no senders')) },
    files: NO_FILES,
    devices: NO_DEVICES,
    chats: NO_CHATS,
    inbox: { reports: () => Promise.resolve(), messages: () => Promise.resolve() },
  });
  closing.push(() => driver.close!());
  return driver;
}

/** A peer that answers everything alike. */
async function answering(status: number, body: string, headers: Record<string, string> = {}) {
  return open(await peer((_, response) => response.writeHead(status, headers).end(body)));
}

async function failure(sending: Promise<unknown>): Promise<Error> {
  return sending.then(
    () => new Error('it succeeded'),
    (error: Error) => error,
  );
}

describe('a batch', () => {
  it('is one signed post', async () => {
    let seen: { method?: string; body: string; headers: Record<string, unknown> } | undefined;
    const url = await peer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      seen = { method: request.method, body, headers: request.headers };
      response.end('{"results":[]}');
    });
    await open(url).send(batch, context);
    expect(seen?.method).toBe('POST');
    expect(seen?.headers['content-type']).toBe('application/json');
    const verified = new Webhook(secret).verify(seen!.body, seen!.headers as never);
    expect(verified).toEqual({ channel: 'carrier', messages: batch });
  });
});

describe('an answer for each message', () => {
  it.each([
    [{ result: 'accepted' }, { result: 'accepted' }],
    [
      { result: 'accepted', externalId: '42' },
      { result: 'accepted', externalIds: ['42'] },
    ],
    [
      { result: 'accepted', externalIds: ['42', '43'] },
      { result: 'accepted', externalIds: ['42', '43'] },
    ],
    [{ result: 'accepted', externalIds: [] }, { result: 'accepted' }],
    [{ result: 'rejected' }, { result: 'rejected', code: 'rejected' }],
    [
      { result: 'rejected', code: 'landline', text: 'no' },
      { result: 'rejected', code: 'landline', text: 'no' },
    ],
    [
      { result: 'rejected', code: 'E_17' },
      { result: 'rejected', code: 'rejected', carrierCode: 'E_17' },
    ],
    [
      { result: 'rejected', code: 17, text: 'route\u0000\r\nclosed' },
      { result: 'rejected', code: 'rejected', carrierCode: '17', text: 'route closed' },
    ],
    [
      { result: 'rejected', code: null, text: null },
      { result: 'rejected', code: 'rejected' },
    ],
    // The carrier's own money is not our customer's.
    [
      { result: 'rejected', code: 'insufficient_funds' },
      { result: 'rejected', code: 'rejected', carrierCode: 'insufficient_funds' },
    ],
    [
      { result: 'throttled', retryAfter: 700 },
      { result: 'throttled', retryAfter: 700 },
    ],
    [{ result: 'throttled' }, { result: 'throttled', retryAfter: 5_000 }],
  ])('%j', async (answer, expected) => {
    const driver = await answering(
      200,
      JSON.stringify({ results: [{ reference: 'a', ...answer }] }),
    );
    const results = await driver.send(batch, context);
    // b got no answer: the caller treats its outcome as unknown.
    expect(results).toEqual([{ reference: 'a', ...expected }]);
  });

  it.each([[null], [7], [{ reference: 'a' }], [{ reference: 'a', result: 'perhaps' }]])(
    'leaves only the outcome of %j unknown',
    async (odd) => {
      const body = JSON.stringify({ results: [odd, { reference: 'b', result: 'accepted' }] });
      const results = await (await answering(202, body)).send(batch, context);
      expect(results).toEqual([{ reference: 'b', result: 'accepted' }]);
    },
  );
});

describe('an answer for the whole batch', () => {
  it.each([
    [429, { 'retry-after': '7' }, 7_000],
    [503, { 'retry-after': '0' }, 0],
    [503, {}, 5_000],
    [503, { 'retry-after': 'soon' }, 5_000],
    [503, { 'retry-after': '86400' }, 15 * 60_000],
    [401, {}, 60_000],
    [404, {}, 60_000],
    [413, {}, 60_000],
    [301, { location: 'http://127.0.0.1:9/' }, 60_000],
  ])('%i %j is down', async (status, headers, wait) => {
    const driver = await answering(status, 'nope', headers as Record<string, string>);
    const error = await failure(driver.send(batch, context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect((error as ChannelDown).retryAfter).toBe(wait);
  });

  it('takes a date to come back at', async () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    const driver = await answering(429, '', { 'retry-after': at });
    const error = (await failure(driver.send(batch, context))) as ChannelDown;
    expect(error.retryAfter).toBeGreaterThan(50_000);
    expect(error.retryAfter).toBeLessThanOrEqual(60_000);
  });

  it.each([
    [500, ''],
    [502, 'Bad gateway'],
    [504, ''],
    [200, ''],
    [200, 'OK'],
    [200, '[]'],
    [200, '{"results":{}}'],
  ])('%i %j is an unknown outcome', async (status, body) => {
    const driver = await answering(status, body);
    expect(await failure(driver.send(batch, context))).toBeInstanceOf(UnknownOutcome);
  });
});

describe('an answer without end', () => {
  /** Writes as long as the other side reads. Returns the number of bytes. */
  async function endless(status: number, type = 'application/json') {
    const written = { mb: 0 };
    const url = await peer((_, response) => {
      response.writeHead(status, { 'content-type': type }).write('{"results":["');
      const mb = 'x'.repeat(1024 * 1024);
      const more = () => {
        if (written.mb >= 200) return response.end('"]}');
        written.mb++;
        response.write(mb, (error) => (error ? undefined : setImmediate(more)));
      };
      more();
    });
    return { written, driver: open(url) };
  }

  it('to an accepted batch that is too long is cut off, and its outcome is unknown', async () => {
    const { written, driver } = await endless(200);
    expect(await failure(driver.send(batch, context))).toBeInstanceOf(UnknownOutcome);
    expect(written.mb).toBeLessThan(20);
  });

  it.each([404, 429, 503])('with %i says by its status that nothing was taken', async (status) => {
    const { written, driver } = await endless(status);
    expect(await failure(driver.send(batch, context))).toBeInstanceOf(ChannelDown);
    expect(written.mb).toBeLessThan(20);
  });

  it('of a thousand messages with long texts is read', async () => {
    const results = Array.from({ length: 1000 }, (_, n) => ({
      reference: String(n).padStart(36, '0'),
      result: 'rejected',
      text: 'x'.repeat(1000),
    }));
    const driver = await answering(200, JSON.stringify({ results }));
    expect(await driver.send(batch, context)).toHaveLength(1000);
  });
});

describe('a connection', () => {
  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
    'to %s, which nobody has allowed, is never made',
    async (host) => {
      let calls = 0;
      const url = await peer((_, response) => response.end(String(++calls)));
      const driver = open(url.replace('127.0.0.1', host), {}, '10.0.0.0/8');
      const error = await failure(driver.send(batch, context));
      expect(error).toBeInstanceOf(ChannelDown);
      expect(error.message).toContain('CHANNEL_ALLOWED_HOSTS');
      expect(calls).toBe(0);
    },
  );

  it('that is refused takes nothing', async () => {
    const server = createTcpServer();
    const url = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failure(open(url).send(batch, context))).toBeInstanceOf(ChannelDown);
  });

  it('that another request occupies takes nothing of the one that waits for it', async () => {
    let calls = 0;
    const url = await peer(() => calls++);
    const driver = open(url, { connections: 1 });
    const stop = new AbortController();
    const first = failure(driver.send(batch, { ...context, signal: stop.signal }));
    await expect.poll(() => calls).toBe(1);
    const next = driver.send(batch, { ...context, signal: AbortSignal.timeout(50) });
    expect(await failure(next)).toBeInstanceOf(ChannelDown);
    stop.abort();
    expect(await first).toBeInstanceOf(UnknownOutcome);
    expect(calls).toBe(1);
  });

  it('is not needed to know that a batch which cannot be written was not sent', async () => {
    let calls = 0;
    const driver = open(await peer(() => calls++));
    const unwritable = [{ ...message('a'), payload: { text: 'x', n: 1n } }];
    expect(await failure(driver.send(unwritable, context))).toBeInstanceOf(ChannelDown);
    expect(calls).toBe(0);
  });

  it('that ends before it is secure takes nothing', async () => {
    const server = createTcpServer((socket) => socket.destroy());
    const url = await listen(server);
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const secure = url.replace('http:', 'https:');
    expect(await failure(open(secure).send(batch, context))).toBeInstanceOf(ChannelDown);
  });

  it('that breaks after the request leaves an unknown outcome', async () => {
    const url = await peer((request) => request.on('data', () => request.socket.destroy()));
    expect(await failure(open(url).send(batch, context))).toBeInstanceOf(UnknownOutcome);
  });

  it('that breaks within the answer leaves an unknown outcome', async () => {
    const url = await peer((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"results":[');
      setTimeout(() => request.socket.destroy(), 20);
    });
    expect(await failure(open(url).send(batch, context))).toBeInstanceOf(UnknownOutcome);
  });

  it('that does not answer leaves an unknown outcome', async () => {
    const url = await peer(() => undefined);
    const driver = open(url, { timeoutMs: 2_000 });
    expect(await failure(driver.send(batch, context))).toBeInstanceOf(UnknownOutcome);
  });

  it('that is aborted leaves an unknown outcome, unless the request was not started', async () => {
    const stop = new AbortController();
    const driver = open(await peer(() => stop.abort()));
    const given = driver.send(batch, { ...context, signal: stop.signal });
    expect(await failure(given)).toBeInstanceOf(UnknownOutcome);
    const never = driver.send(batch, { ...context, signal: AbortSignal.abort() });
    expect(await failure(never)).toBeInstanceOf(ChannelDown);
  });
});

describe('a report that comes in', () => {
  const url = 'http://127.0.0.1:9';
  const { verify } = httpDriver.describe(
    parseOptions('carrier', httpDriver.options, { url, secret }),
  );
  const body = '{"statuses":[]}';
  const bytes = Buffer.from(body);
  const another = `whsec_${Buffer.alloc(32).toString('base64')}`;

  function at(offset: number): Record<string, string> {
    const when = new Date(Date.now() + offset);
    return {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(when.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', when, body),
    };
  }

  it.each([
    ['signed', () => ({ headers: signed(secret, body), body }), 'genuine'],
    ['signed, as bytes', () => ({ headers: signed(secret, body), body: bytes }), 'genuine'],
    ['signed by the library of the standard', () => ({ headers: at(0), body }), 'genuine'],
    ['four minutes old', () => ({ headers: at(-240_000), body }), 'genuine'],
    ['six minutes old', () => ({ headers: at(-360_000), body }), 'timestamp'],
    ['six minutes ahead', () => ({ headers: at(360_000), body }), 'timestamp'],
    [
      'of no time',
      () => ({ headers: { ...at(0), 'webhook-timestamp': '2026-01-01T00:00:00Z' }, body }),
      'timestamp',
    ],
    ['changed', () => ({ headers: signed(secret, body), body: `${body} ` }), 'signature'],
    ['changed and old', () => ({ headers: at(-360_000), body: `${body} ` }), 'signature'],
    ['signed by another', () => ({ headers: signed(another, body), body }), 'signature'],
    ['signed over nothing', () => ({ headers: signed(secret, ''), body }), 'signature'],
    ['not signed', () => ({ headers: {}, body }), 'unsigned'],
    [
      'signed by something unreadable',
      () => ({ headers: { ...signed(secret, body), 'webhook-signature': 'v1 , ,' }, body }),
      'signature',
    ],
    [
      'signed twice, as during a change of secrets',
      () => {
        const headers = signed(secret, body);
        const signature = `v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`;
        return { headers: { ...headers, 'webhook-signature': signature }, body };
      },
      'genuine',
    ],
  ])('%s', (_, request, expected) => {
    expect(verify!(request())).toBe(expected);
  });
});
