import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Carrier } from './carrier.ts';
import { runCli } from './cli.ts';
import { type Config, readConfig } from './config.ts';
import { serve } from './server.ts';

const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const webhook = new Webhook(secret);
const fast = { failed: 0, temporary: 0, replies: 0, sentDelay: [0, 0], deliveredDelay: [0, 0] };

let folder: string;
let platform: Awaited<ReturnType<typeof startPlatform>>;
const closing: (() => void)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carrier-'));
  platform = await startPlatform();
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  rmSync(folder, { recursive: true });
});

function listen(server: Server): Promise<string> {
  closing.push(() => server.close().closeAllConnections());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** The platform: checks signatures and records the requests. */
async function startPlatform() {
  const received = {
    statuses: [] as Record<string, string>[],
    incoming: [] as unknown[],
    /** Ids of requests to /incoming, of every attempt. */
    ids: [] as unknown[],
    status: 200,
  };
  const url = await listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = webhook.verify(Buffer.concat(chunks), request.headers as never) as {
        statuses: [];
      };
      if (request.url === '/incoming') received.ids.push(request.headers['webhook-id']);
      if (received.status === 200 && request.url === '/incoming') received.incoming.push(body);
      else if (received.status === 200) received.statuses.push(...body.statuses);
      response.writeHead(received.status).end('{}');
    }),
  );
  return { received, url };
}

async function start(over: Partial<Config> = {}) {
  const config: Config = {
    ...readConfig({ LOG_FILE: join(folder, 'submissions.log'), SECRET: secret }),
    callbackUrl: `${platform.url}/statuses`,
    incomingUrl: `${platform.url}/incoming`,
    ...over,
  };
  const carrier = new Carrier(config);
  const server = serve(carrier, config.secret);
  const url = await listen(server);
  carrier.start();
  let stopped = false;
  const stop = () => {
    if (!stopped) carrier.stop();
    stopped = true;
    server.close().closeAllConnections();
  };
  closing.unshift(stop);
  return { url, stop, carrier, get: (path: string) => getJson(url + path) };
}

async function getJson(url: string) {
  return (await fetch(url)).json() as Promise<Record<string, never>>;
}

function message(reference: string, recipient = '+79001234567', tries = 0) {
  return { reference, type: 'sms', sender: 'Helio', recipient, tries };
}

function submit(url: string, messages: unknown, key = webhook): Promise<Response> {
  const body = JSON.stringify({ channel: 'test', messages });
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': key.sign('msg_1', now, body),
  };
  return fetch(`${url}/messages`, { method: 'POST', body, headers });
}

function put(url: string, body: unknown, headers = {}): Promise<Response> {
  return fetch(`${url}/profile`, { method: 'PUT', body: JSON.stringify(body), headers });
}

const soon = { timeout: 60_000, interval: 20 };

describe('POST /messages', () => {
  it('returns a result for each message and reports until delivered', async () => {
    const { url, get } = await start();
    await put(url, fast);
    const numbers = ['+79990000006', '+79990000014', '+79990000015', '+79990000000'];
    const answer = await submit(url, [
      message('a'),
      ...numbers.map((number) => message(number.slice(-2), number)),
    ]);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      results: [
        { reference: 'a', result: 'accepted' },
        { reference: '06', result: 'rejected', code: 'rejected_sender' },
        { reference: '14', result: 'throttled', retryAfter: 1_000 },
        { reference: '00', result: 'accepted' },
      ],
    });
    await vi.waitFor(() => {
      const { statuses } = platform.received;
      const of = (reference: string) => statuses.filter((r) => r.reference === reference);
      expect(of('a').map((r) => r.status)).toEqual(['sent', 'delivered']);
      // The response was lost, but the message was delivered.
      expect(of('15').map((r) => r.status)).toEqual(['sent', 'delivered']);
      expect(Object.keys(of('00')[0]!)).toEqual(['reference', 'status', 'at']);
      expect(of('06')).toEqual([]);
    }, soon);
    const summary = await get('/log/summary');
    expect(summary).toMatchObject({
      total: 5,
      distinct: 5,
      accepted: 2,
      lost: 1,
      rejected: 1,
      throttled: 1,
    });
  });

  it('posts replies', async () => {
    const { url } = await start();
    await submit(url, [message('10', '+79990000010')]);
    const reply = { from: '+79990000010', to: 'Helio', type: 'sms', payload: { text: 'да' } };
    await vi.waitFor(() => expect(platform.received.incoming).toEqual([reply]), soon);
  });

  it('posts a reply with the same id until it is accepted, also after a restart', async () => {
    platform.received.status = 503;
    const first = await start();
    await submit(first.url, [message('10', '+79990000010')]);
    await vi.waitFor(() => expect(platform.received.ids.length).toBeGreaterThan(1), soon);
    first.stop();
    const { ids } = platform.received;
    // What is still on its way reaches the former one.
    platform = await startPlatform();
    await start();
    await vi.waitFor(() => expect(platform.received.incoming).toHaveLength(1), soon);
    expect(new Set([...ids, ...platform.received.ids])).toEqual(new Set(['reply_10']));
  });

  it('records repeated submissions and delivers once', async () => {
    const { url, get } = await start();
    await put(url, fast);
    await submit(url, [message('a'), message('b'), message('b')]);
    const again = await submit(url, [message('a', undefined, 1), message('c')]);
    expect(await again.json()).toEqual({
      results: [
        { reference: 'a', result: 'accepted' },
        { reference: 'c', result: 'accepted' },
      ],
    });
    await vi.waitFor(() => expect(platform.received.statuses).toHaveLength(6), soon);
    expect(await get('/log/summary')).toMatchObject({ total: 5, distinct: 3, repeats: 2 });
    const { data, total } = await get('/log?offset=0&limit=2');
    expect(total).toBe(3);
    expect(data).toMatchObject([
      { reference: 'a', count: 2, repeats: 1 },
      { reference: 'b', count: 2, repeats: 1 },
    ]);
    const lines = await (await fetch(`${url}/log?format=ndjson`)).text();
    expect(lines.trim().split('\n')).toHaveLength(3);
  });

  it('refuses unsigned requests, invalid JSON and invalid messages', async () => {
    const { url, get } = await start();
    const other = new Webhook(`whsec_${Buffer.alloc(24).toString('base64')}`);
    expect((await submit(url, [message('a')], other)).status).toBe(401);
    expect((await submit(url, 'a')).status).toBe(400);
    expect((await submit(url, [message('a'), {}])).status).toBe(400);
    expect(await get('/log/summary')).toMatchObject({ total: 0 });
    const open = await start({ secret: undefined, logFile: join(folder, 'open.log') });
    const post = (body: string) => fetch(`${open.url}/messages`, { method: 'POST', body });
    expect((await post('{')).status).toBe(400);
    expect((await post('{"messages":[]}')).status).toBe(200);
  });

  it('refuses submissions when it is down', async () => {
    const { url, get } = await start({ profile: 'dead' });
    const answer = await submit(url, [message('a')]);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await get('/log/summary')).toMatchObject({ total: 0 });
  });
});

describe('a restart', () => {
  it('keeps submissions and unacknowledged reports', async () => {
    platform.received.status = 503;
    const first = await start();
    await put(first.url, { ...fast, profile: 'slow', seed: 'x' });
    const messages = Array.from({ length: 2_500 }, (_, i) => message(`m${i}`));
    await submit(first.url, messages);
    await vi.waitFor(() => expect(first.carrier.reports.failures).toBeGreaterThan(0), soon);
    first.stop();
    // An incomplete line, as a killed process leaves it.
    appendFileSync(join(folder, 'submissions.log'), '{"at":"2026-01-01T00:00:00.000Z","mess');

    // Posts in progress still reach the failing one.
    platform = await startPlatform();
    const second = await start();
    expect(await second.get('/profile')).toMatchObject({ seed: 'x', options: { profile: 'slow' } });
    await submit(second.url, [message('m0', undefined, 1), message('new')]);
    await vi.waitFor(() => expect(platform.received.statuses).toHaveLength(5_002), soon);
    // A report counts as posted when its answer has arrived.
    await expect
      .poll(() => second.get('/log/summary'))
      .toMatchObject({
        total: 2_502,
        distinct: 2_501,
        repeats: 1,
        reports: { posted: 5_002, waiting: 0 },
      });
    second.stop();

    const third = await start();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(platform.received.statuses).toHaveLength(5_002);
    expect(await third.get('/log/summary')).toMatchObject({ reports: { posted: 5_002 } });
  });
});

describe('the profile', () => {
  it('changes, and refuses invalid values with a reason', async () => {
    const { url, get } = await start({ profile: 'slow' });
    expect(await get('/profile')).toMatchObject({ options: { profile: 'slow' }, seed: '1' });
    const wrong = await put(url, { profile: 'flaky', silent: 3 });
    expect([wrong.status, await wrong.json()]).toEqual([
      422,
      { message: 'silent: must be a number from 0 to 1' },
    ]);
    expect((await put(url, null)).status).toBe(400);
    expect((await put(url, {}, { origin: 'http://elsewhere.example' })).status).toBe(403);
    const changed = await (await put(url, { profile: 'flaky', silent: 0.5, seed: 7 })).json();
    expect(changed).toMatchObject({ seed: '7', effective: { silent: 0.5, throttled: 0.05 } });
  });

  it('changes from the command line', async () => {
    const { url, get } = await start();
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const error = vi.spyOn(console, 'error').mockReturnValue();
    expect(await runCli(url, ['profile', 'flaky', 'silent=0.3', 'sentDelay=[0,9]'])).toBe(0);
    expect(await get('/profile')).toMatchObject({
      options: { profile: 'flaky', silent: 0.3, sentDelay: [0, 9] },
    });
    expect(await runCli(url, ['profile'])).toBe(0);
    expect(await runCli(url, ['profile', 'brisk'])).toBe(1);
    expect(await runCli(url, ['dance'])).toBe(2);
    log.mockRestore();
    error.mockRestore();
  });

  it('is kept by POST /reset, which deletes the submissions', async () => {
    const { url, get } = await start();
    await put(url, { ...fast, seed: 'y' });
    await submit(url, [message('a')]);
    expect((await fetch(`${url}/reset`, { method: 'POST' })).status).toBe(204);
    expect(await get('/log/summary')).toMatchObject({ total: 0, reports: { waiting: 0 } });
    expect(await get('/profile')).toMatchObject({ seed: 'y' });
    expect(readFileSync(join(folder, 'submissions.log'), 'utf8').split('\n')).toHaveLength(2);
    await submit(url, [message('a')]);
    await vi.waitFor(() => expect(platform.received.statuses.length).toBeGreaterThan(1), soon);
  });

  it('is shown on a page', async () => {
    const { url } = await start();
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain('<option>throttling</option>');
    expect((await fetch(`${url}/favicon.ico`)).status).toBe(404);
  });
});

describe('readConfig', () => {
  it.each([
    [{ PORT: 'x' }, 'PORT'],
    [{ PROFILE: 'brisk' }, 'PROFILE'],
    [{ SECRET: 'hunter2' }, 'SECRET'],
    [{ CALLBACK_URL: 'nowhere' }, 'CALLBACK_URL'],
  ])('refuses %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });
});
