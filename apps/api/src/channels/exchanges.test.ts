import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_FILES } from '../../test/peers/message-files.ts';
import { NO_CHATS } from '../../test/peers/chats.ts';
import { NO_DEVICES } from '../../test/peers/push-devices.ts';
import { Outbound } from '../core/http/outbound.ts';
import {
  ChannelDown,
  type DriverContext,
  type OutgoingMessage,
  type SubmitResult,
} from './channel.ts';
import { logged, redactor, secretsOf, type Exchange } from './exchanges.ts';
import { presets } from './http-mapping/presets.ts';
import { Options as MappingOptions } from './http-mapping/options.ts';
import { shownRequest } from './http-mapping/requests.ts';
import { optionsOf, shownOptions } from './options.ts';
import { drivers, openDriver } from './registry.ts';
import { SmppOptions } from './smpp/options.ts';
import { Submits } from './smpp/submit.ts';

const TEXT = 'Ihr Code: 482913, bitte';
const message: OutgoingMessage = {
  reference: '01930000-0000-7000-8000-0000000000a1',
  type: 'sms',
  sender: 'MIRTEA',
  recipient: '+4915112345678',
  payload: { text: TEXT, subject: 'Geheime Sache' },
  segments: 1,
  tries: 0,
};
/** What nobody may read in the log. */
const PRIVATE = [TEXT, '482913', 'Geheime Sache', '15112345678', encodeURIComponent(TEXT)];
const context: DriverContext = {
  now: new Date(0),
  signal: new AbortController().signal,
  progress: () => undefined,
};

class Log {
  readonly exchanges: Exchange[] = [];
  takes = () => true;
  takesFailed = () => true;
  add = (exchange: Exchange) => void this.exchanges.push(exchange);
  get text(): string {
    return JSON.stringify(this.exchanges);
  }
}
const expectClean = (text: string, secrets: string[] = []) => {
  for (const one of [...PRIVATE, ...secrets]) {
    expect(text).not.toContain(one);
    expect(text).not.toContain(Buffer.from(one).toString('base64').split('=')[0]);
  }
};

describe.each(drivers.map((driver) => [driver.name, driver] as const))('%s', (_, driver) => {
  const names = optionsOf(driver).flatMap(({ name, isSecret }) => (isSecret ? [name] : []));
  const options = Object.fromEntries(names.map((name) => [name, `S3cret/${name} ü"x`]));
  const values = Object.values(options);
  const shown = shownOptions(driver, options).options;
  const secrets = secretsOf(options, (name) => name in shown);

  test.each([
    [
      'an answer',
      (all: string) =>
        Promise.resolve<SubmitResult[]>([
          { reference: message.reference, result: 'rejected', code: 'unknown', text: all },
        ]),
    ],
    ['an error', (all: string) => Promise.reject(new ChannelDown(all, 0))],
    ['an unexpected error', (all: string) => Promise.reject(new Error(all))],
  ])('whatever is in %s, no secret, text or number is logged', async (_what, answer) => {
    const log = new Log();
    const all = [...values, ...PRIVATE, message.recipient].join(' ');
    for (const form of [all, encodeURIComponent(all), JSON.stringify(all)]) {
      const send = logged('main', { send: () => answer(form) }, secrets, log);
      await send([message], context).catch(() => undefined);
    }
    expect(log.exchanges).toHaveLength(3);
    expectClean(log.text, values);
    expect(log.exchanges[0]).toMatchObject({ references: [message.reference], tails: ['5678'] });
  });
});

describe('over HTTP', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    // A carrier that repeats all that it is told.
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () =>
        response.end(JSON.stringify({ headers: request.headers, url: request.url, body })),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close());
  const shared = {
    outbound: new Outbound('127.0.0.0/8', 'CHANNEL_ALLOWED_HOSTS'),
    senders: { send: () => Promise.reject(new Error('no senders')) },
    files: NO_FILES,
    devices: NO_DEVICES,
    chats: () => NO_CHATS,
    inbox: () => ({ reports: () => Promise.resolve(), messages: () => Promise.resolve() }),
  };

  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const mapping = {
    method: 'POST',
    format: 'json',
    headers: 'Authorization: Basic {{basic}}\nX-Key: {{token}}',
    request: JSON.stringify({
      to: '{{recipient}}',
      from: '{{sender}}',
      text: '{{text}}',
      key: '{{token}}',
    }),
    response: JSON.stringify({ id: '/id' }),
    username: 'operator-7',
    password: 'Tr0ub4dor&3',
    token: 'k3y-of-the-carrier',
  };
  test.each([
    ['http', { secret }, [secret]],
    ['http-mapping', mapping, [mapping.username, mapping.password, mapping.token]],
  ])(
    '%s: what was sent and answered is logged without what is private',
    async (driver, options, secrets) => {
      const log = new Log();
      const settings = { name: 'main', driver, options: { url, ...options }, revision: 1 };
      const open = openDriver(settings, { ...shared, exchanges: log });
      await open.send([message], context).catch(() => undefined);
      await open.close?.();
      const [exchange] = log.exchanges;
      expect(exchange!.request).toContain('POST http://127.0.0.1');
      expect(exchange!.request).toContain('MIRTEA');
      expect(exchange!.request).toContain('…5678');
      expect(exchange!.answer).toMatch(/^200\n\{/);
      expectClean(log.text, secrets);
      expect(log.text).not.toContain(
        Buffer.from(`${mapping.username}:${mapping.password}`).toString('base64'),
      );
    },
  );
});

test.each(presets.map((preset) => [preset.name, preset] as const))(
  'the request of the preset %s is shown without its access data',
  (_, preset) => {
    const access = { username: 'us3r-name', password: 'pa55-word', token: 't0ken-value' };
    const callbackSecret = 'c4llback-secret';
    const callbackUrl = 'https://sms.example/api/callbacks/main';
    const given = {
      ...preset.options,
      ...access,
      callbackSecret,
      callbackUrl,
      url: preset.options.url ?? 'https://carrier.example/',
    };
    const options = MappingOptions.parse(given);
    const shown = shownRequest(options, [message]);
    expectClean(shown, [...Object.values(access), callbackSecret]);
    expect(shown).toMatch(/^(POST|GET|PUT) https?:/);
  },
);

test('smpp: PDUs are logged by name and fields', async () => {
  const options = SmppOptions.parse({
    url: 'smpp://smsc.example',
    systemId: 'helio',
    password: 'secret',
  });
  const parts: string[] = [];
  const trace: DriverContext['trace'] = (part) => {
    const { request = '', answer = '' } = part();
    parts.push(request, answer);
  };
  const link = {
    submit: () => Promise.resolve([{ outcome: 'accepted' as const, messageId: '77' }]),
  };
  await new Submits(options).submit(link, message, context.signal, trace);
  const [request, answer] = parts;
  expect(request).toMatch(
    /^submit_sm destination_addr=…5678 .*source_addr=MIRTEA.* data_coding=0.* sm_length=\d+$/,
  );
  expect(answer).toBe(`submit_sm_resp ${message.reference} command_status=ESME_ROK message_id=77`);
  expectClean(parts.join(' '), [options.password]);
});

test('a call that was accepted is logged if it is one of the sample, one that failed anyway', async () => {
  const log = new Log();
  log.takes = () => false;
  const accepted = logged(
    'main',
    {
      send: () => Promise.resolve([{ reference: message.reference, result: 'accepted' as const }]),
    },
    [],
    log,
  );
  await accepted([message], context);
  expect(log.exchanges).toEqual([]);
  const failing = logged(
    'main',
    { send: () => Promise.reject(new ChannelDown('answered 503', 0)) },
    [],
    log,
  );
  await expect(failing([message], context)).rejects.toThrow('answered 503');
  expect(log.exchanges).toMatchObject([{ outcome: 'down', answer: 'answered 503' }]);
  log.takesFailed = () => false;
  await expect(failing([message], context)).rejects.toThrow('answered 503');
  expect(log.exchanges).toHaveLength(1);
});

test('a long answer is cut, and a secret at the cut is not half of one', () => {
  const secret = 'abcdefghij';
  const redact = redactor([secret], []);
  expect(redact('x'.repeat(100_000))).toHaveLength(2000);
  expect(redact(`${'abcdefghij'.repeat(799)}abcdefghi!abcdefghij`)).not.toContain('abcdef');
});

test('what a carrier repeats of any of a thousand messages is hidden, however it is written', () => {
  const batch = Array.from({ length: 1000 }, (_, n) => ({
    ...message,
    recipient: `+49151${10_000_000 + n * 7919}`,
    payload: { text: `Code "${700_000 + n}" für Gast ${n}` },
  }));
  const redact = redactor([], batch);
  for (const n of [0, 500, 999]) {
    const { recipient, payload } = batch[n]!;
    const forms = [
      payload.text,
      JSON.stringify(payload.text),
      encodeURIComponent(payload.text),
      Buffer.from(payload.text).toString('base64'),
      `${700_000 + n}`,
      recipient,
      recipient.slice(3),
      encodeURIComponent(recipient),
    ];
    for (const form of forms) {
      const shown = redact(`<${form}>`);
      expect(shown.length).toBeLessThan(12);
      expect(shown).not.toContain(`${700_000 + n}`);
      expect(shown).not.toContain(recipient.slice(-8));
    }
  }
  expect(redactor(['half \ud83d'], batch)('ok')).toBe('ok');
  expect(redact('{"id":"a-1","error":"queue is full"}')).toBe(
    '{"id":"a-1","error":"queue is full"}',
  );
});
