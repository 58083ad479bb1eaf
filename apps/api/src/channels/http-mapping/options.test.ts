import { describe, expect, it } from 'vitest';

import { InvalidOptions, type OutgoingMessage } from '../channel.ts';
import { parseOptions } from '../options.ts';
import { isGenuine, readCallback } from './callbacks.ts';
import { Options } from './options.ts';
import { requestOf } from './requests.ts';
import { readVendorAnswer } from './answers.ts';
import { entryOf, readText, textAt, valueAt } from './values.ts';

const callback = { reference: '/r', status: '/s', statuses: {}, proof: { kind: 'basic' } };
const given = (options: Record<string, unknown>) =>
  parseOptions('one', Options, {
    url: 'https://carrier.example/send',
    request: '{"to":"{{recipient}}"}',
    response: '{"id":"/id"}',
    ...Object.fromEntries(
      Object.entries(options).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : value,
      ]),
    ),
  });

function issuesOf(options: Record<string, unknown>): string[] {
  try {
    given(options);
    return [];
  } catch (error) {
    return (error as InvalidOptions).issues.map(({ field, message }) => `${field}: ${message}`);
  }
}

describe('options', () => {
  it.each([
    [{ request: '{' }, 'request: This is not JSON'],
    [{ request: '[]' }, 'request: '],
    [{ request: { to: '{{number}}' } }, 'request: There is no variable number.'],
    [
      { request: { to: '{{recipient|upper}}' } },
      'request: After the variable recipient there may be',
    ],
    [{ request: { all: { $each: {} } } }, 'request: $each stands in a list.'],
    [{ request: { all: [{ $each: {}, more: 1 }] } }, 'request: $each stands alone'],
    [
      { request: { all: [{ $each: { to: '{{recipient}}' } }], from: '{{sender}}' } },
      'request: The variable sender belongs to a message',
    ],
    [{ request: { a: { b: 'c' } }, format: 'form' }, 'request: Forms and queries have no nested'],
    [{ method: 'GET' }, 'format: A GET has its fields in the query.'],
    [{ maxBatch: 2 }, 'maxBatch: A batch needs "$each"'],
    [{ headers: 'X Y' }, 'headers: A header is written as'],
    [{ headers: 'Authorization: Bearer open' }, 'headers: Who reads channels sees headers'],
    [{ headers: 'X: {{recipient}}' }, 'headers: The variable recipient belongs to a message'],
    [{ headers: 'X: a\r\nY: {{nothing}}' }, 'headers: There is no variable nothing.'],
    [{ response: { id: 'id' } }, 'response.id: '],
    [{ response: { results: { 1: 'stopped' } } }, 'response.results.1: '],
    [{ response: { pointer: '/x' } }, 'response.pointer: '],
    [{ callback }, 'callbackSecret: A callback is known by its secret.'],
    [
      { callback: { ...callback, reference: undefined }, callbackSecret: 'a-secret-of-it' },
      'callback: A report is matched by',
    ],
    [
      { callback: { ...callback, proof: { kind: 'twilio' } }, callbackSecret: 'a-secret-of-it' },
      'callbackUrl: The signature covers the address.',
    ],
    [{ callback: { ...callback, proof: { kind: 'none' } } }, 'callback.proof'],
    [
      { callback: { ...callback, proof: { kind: 'hmac-sha1', name: 'x', signed: '{x-y}' } } },
      'callback.proof.signed: The body has to be signed',
    ],
    [{ url: 'https://user:open@carrier.example/' }, 'url: Who reads channels sees the address'],
  ])('%j', (options, issue) => {
    expect(issuesOf(options).join(' ')).toContain(issue);
  });

  it('that work have no issue', () => {
    expect(issuesOf({ callback, callbackSecret: 'a-secret-of-it' })).toEqual([]);
  });
});

const message = (over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  reference: 'r1',
  type: 'viber',
  sender: 'Tea & Co',
  recipient: '+79001234567',
  payload: { text: 'a', button: { text: 'Open', url: 'https://tea.example' } },
  segments: 1,
  tries: 0,
  ...over,
});

describe('a request', () => {
  it('keeps the types of values, leaves out what is unknown, and escapes the rest', () => {
    const request = {
      to: '{{recipient|digits}}',
      segments: '{{segments}}',
      said: '"{{sender}}"\n{{payload.nothing.of.it}}',
      kind: '{{type|sms=1|viber=2}}',
      none: '{{type|sms=1}}',
      button: '{{payload.button}}',
      url: '{{payload.button.url}}',
      proto: '{{payload.constructor}}',
      fixed: [1, true, null],
      callback: 'to {{callback}}',
    };
    const { body } = requestOf(given({ request }), [message()]);
    expect(JSON.parse(body!)).toEqual({
      to: '79001234567',
      segments: 1,
      said: '"Tea & Co"\n',
      kind: '2',
      button: { text: 'Open', url: 'https://tea.example' },
      url: 'https://tea.example',
      fixed: [1, true, null],
    });
  });

  it('says how long a message is valid, if that is limited', () => {
    const request = { ttl: '{{validSeconds}}', before: '{{validUntil}}' };
    const validity = { seconds: 600, until: '2026-07-01T12:00:00.000Z' };
    const bodyOf = (over: object) =>
      JSON.parse(requestOf(given({ request }), [{ ...message(), ...over }]).body!);
    expect(bodyOf({ validity })).toEqual({ ttl: 600, before: '2026-07-01T12:00:00.000Z' });
    expect(bodyOf({})).toEqual({});
  });

  it('has an element for each message of a batch', () => {
    const request = {
      key: '{{token}}',
      list: [{ $each: { to: '{{recipient}}', key: '{{token}}' } }],
    };
    const options = given({ request, response: { items: '/x' }, maxBatch: 2, token: 'k' });
    const { body } = requestOf(options, [message(), message({ recipient: '+7' })]);
    expect(JSON.parse(body!)).toEqual({
      key: 'k',
      list: [
        { to: '+79001234567', key: 'k' },
        { to: '+7', key: 'k' },
      ],
    });
  });

  it('repeats a field of a form, and adds a query to that of the address', () => {
    const request = { to: ['{{recipient}}', '{{sender}}'], text: '1 + 1 = {{text}}' };
    const form = requestOf(given({ request, format: 'form' }), [message()]);
    expect(form.body).toBe('to=%2B79001234567&to=Tea+%26+Co&text=1+%2B+1+%3D+a');
    const query = requestOf(
      given({ request, format: 'query', method: 'GET', url: 'https://carrier.example/?app=ws' }),
      [message()],
    );
    expect(query.url).toBe(`https://carrier.example/?app=ws&${form.body}`);
  });

  it('puts no line of a value into its headers', () => {
    const { headers } = requestOf(given({ headers: 'X: {{token}}', token: 'a' }), [message()]);
    expect(headers).toEqual({ 'content-type': 'application/json', accept: '*/*', x: 'a' });
  });
});

describe('an answer to a batch', () => {
  const batch = [message(), message({ reference: 'R2', recipient: '+7911' })];
  const read = (response: object, body: unknown, status = 200) =>
    readVendorAnswer(
      given({
        request: { all: [{ $each: {} }] },
        response: { items: '/list', id: '/id', ...response },
        maxBatch: 2,
      }).response,
      batch,
      { status, body: typeof body === 'string' ? body : JSON.stringify(body) },
    );

  it('is matched by our reference, in any order and case', () => {
    const list = [
      { ref: 'r2', id: 'b' },
      { ref: 'r1', id: 'a' },
      { ref: 'r9', id: 'c' },
    ];
    expect(read({ reference: '/ref' }, { list })).toEqual([
      { reference: 'r1', result: 'accepted', externalIds: ['a'] },
      { reference: 'R2', result: 'accepted', externalIds: ['b'] },
    ]);
  });

  it('is matched by place only when there are as many results as messages', () => {
    expect(read({}, { list: [{ id: 1 }, { id: 2 }] })).toHaveLength(2);
    expect(read({}, { list: [{ id: 1 }] })).toEqual([]);
  });

  it('throttles messages for which the carrier is down, unless it is for all', () => {
    const response = { code: '/code', results: { 7: 'down' } };
    expect(read(response, { list: [{ id: 'a' }, { code: 7 }] })).toEqual([
      { reference: 'r1', result: 'accepted', externalIds: ['a'] },
      { reference: 'R2', result: 'throttled', retryAfter: 60_000 },
    ]);
    expect(() => read(response, { list: [{ code: 7 }, { code: 7 }] })).toThrow('7');
  });

  it('without results speaks of all messages', () => {
    const response = { code: '/code', results: { 9: 'rejected' }, statuses: [400] };
    const rejected = { result: 'rejected', code: 'rejected', carrierCode: '9' };
    expect(read(response, { code: 9 }, 400)).toEqual([
      { reference: 'r1', ...rejected },
      { reference: 'R2', ...rejected },
    ]);
    for (const list of [[], {}])
      expect(read(response, { list, code: 9 })).toEqual([
        { reference: 'r1', ...rejected },
        { reference: 'R2', ...rejected },
      ]);
    // Nothing is said of any, or only that the call was understood.
    for (const code of [undefined, 0, 'OK']) expect(read(response, { list: [], code })).toEqual([]);
  });

  it.each<[string, object, unknown[], object[]]>([
    [
      'all accepted',
      {},
      [{ id: 'a' }, { id: 'b' }],
      [{ result: 'accepted', externalIds: ['a', 'b'] }],
    ],
    [
      'the first refused',
      {},
      [{ code: 9 }, { id: 'b' }],
      [{ result: 'rejected', code: 'rejected', carrierCode: '9' }],
    ],
    [
      'a later one refused',
      {},
      [{ id: 'a' }, { code: 9, text: 'No' }],
      [{ result: 'rejected', code: 'partial', carrierCode: '9', text: 'No' }],
    ],
    [
      'a later one throttled',
      {},
      [{ id: 'a' }, { code: 8 }],
      [{ result: 'rejected', code: 'partial' }],
    ],
    ['a later one unknown', {}, [{ id: 'a' }, {}], []],
    [
      'by our reference',
      { reference: '/ref' },
      [
        { ref: 'R1', id: 'a' },
        { ref: 'x', id: 'c' },
        { ref: 'r1', id: 'b' },
      ],
      [{ result: 'accepted', externalIds: ['a', 'b'] }],
    ],
  ])('of one message has a result for each of its parts: %s', (_, more, list, results) => {
    const { response } = given({
      response: {
        items: '/list',
        id: '/id',
        code: '/code',
        message: '/text',
        results: { 8: 'throttled', 9: 'rejected' },
        ...more,
      },
    });
    const answer = { status: 200, body: JSON.stringify({ list }) };
    expect(readVendorAnswer(response, [message()], answer)).toEqual(
      results.map((one) => ({ reference: 'r1', ...one })),
    );
  });

  it('has ids of any length as they are written', () => {
    const body = '{"list":[{"id":12345678901234567890},{"id":12345678901234567891}]}';
    expect(read({}, body)).toMatchObject([
      { externalIds: ['12345678901234567890'] },
      { externalIds: ['12345678901234567891'] },
    ]);
  });
});

describe('values', () => {
  it.each([
    ['/a/b', 1],
    ['/a~1b', 2],
    ['/l/1', 'y'],
    ['/a/b/c', undefined],
    ['/constructor', undefined],
    ['/l/length', undefined],
  ])('at %s', (pointer, value) => {
    expect(valueAt({ a: { b: 1 }, 'a/b': 2, l: ['x', 'y'] }, pointer)).toBe(value);
  });

  it('as texts have a length and no control characters', () => {
    expect(textAt({ a: 'x\ny\u0000\ud800' }, '/a', 10)).toBe('x y \ufffd');
    expect(textAt({ a: 'abc' }, '/a', 2)).toBe('ab');
    expect(textAt({ a: {} }, ['/b', '/a'], 2)).toBeUndefined();
  });

  it.each([
    [{ a: 1 }, 'a', 1],
    [{ 'a*': 1, 'ab*': 2, '*': 3 }, 'abc', 2],
    [{ 'a*': 1, '*': 3 }, 'x', 3],
    [{ a: 1 }, 'b', undefined],
    [{}, 'toString', undefined],
    [undefined, 'a', undefined],
  ])('in the table %j of %s', (table, code, value) => {
    expect(entryOf(table, code)).toBe(value);
  });

  it.each([
    [['OK {id} {n}'], 'OK 7 8', { id: '7', n: '8' }],
    [['OK {id}', '{rest}'], 'No', { rest: 'No' }],
    [['OK {id}'], 'no OK 7', undefined],
    [['{a}{b}'], 'x', { a: '', b: 'x' }],
    [['done'], ' done\n', {}],
    [['done'], 'done so', undefined],
  ])('by the patterns %j in %j', (patterns, text, values) => {
    expect(readText(patterns, text)).toEqual(values);
  });
});

describe('a callback about a call', () => {
  it.each([
    ['d', 12, 12],
    ['d', '12.4', 13],
    ['d', 0, 0],
    ['d', '0:12', undefined],
    ['d', -1, undefined],
    ['d', null, undefined],
    ['d', 90_000, undefined],
    // Of what was not delivered there is no length.
    ['f', 12, undefined],
  ])('with the status %s and the length %j', (s, length, seconds) => {
    const statuses = { d: 'delivered', f: 'failed' };
    const options = given({
      callback: { ...callback, statuses, seconds: ['/duration', '/billsec'] },
      callbackSecret: 'a-secret-of-it',
    });
    const fields = { r: 'id', s, billsec: length };
    const [report] = readCallback(options.callback!, fields, new Date(0)).reports;
    expect(report?.seconds).toBe(seconds);
  });
});

describe('a callback about a look-up', () => {
  const statuses = {
    ok: 'delivered',
    off: 'absent_subscriber',
    none: 'number_not_found',
    '?': 'unknown',
  };
  const read = (lookup: object, fields: object) => {
    const options = given({
      callback: { ...callback, statuses, lookup },
      callbackSecret: 'a-secret-of-it',
    });
    return readCallback(options.callback!, { r: 'id', ...fields }, new Date(0)).reports[0];
  };
  const one = { network: '/net', origin: '/orig', ported: '/p', roaming: '/abroad' };

  it.each([
    [one, { s: 'ok', net: '25001', orig: '25002', p: true, abroad: 0 }, 'delivered', undefined],
    [one, { s: 'off', net: 25001 }, 'failed', 'absent_subscriber'],
    [one, { s: 'none' }, 'failed', 'number_not_found'],
    [one, { s: '?', net: 'hidden', p: null }, 'failed', 'unknown'],
  ])('%j of %j', (lookup, fields, status, code) => {
    const report = read(lookup, fields);
    expect([report?.status, report?.code]).toEqual([status, code]);
  });

  it.each([
    [
      one,
      { net: '25001', orig: '25002', p: 'true', abroad: 0 },
      { network: '25001', origin: '25002', ported: true, roaming: false },
    ],
    [one, { net: 'hidden', p: 'maybe' }, undefined],
    [{ network: { mcc: '/mcc', mnc: '/mnc' } }, { mcc: 250, mnc: '1' }, { network: '25001' }],
    [{ network: { mcc: '/mcc', mnc: '/mnc' } }, { mcc: 250 }, undefined],
    [{ network: ['/now', '/net'] }, { net: '250 99' }, { network: '25099' }],
    [{}, { net: '25001' }, undefined],
  ])('by %j of %j is %j', (lookup, fields, found) => {
    expect(read(lookup, { s: 'off', ...fields })?.lookup).toEqual(found);
  });
});

describe('a proof', () => {
  const call = (headers: Record<string, string>, search = '', body = 'text') => ({
    headers,
    search,
    body: Buffer.from(body),
  });
  const genuine = (proof: object, ...args: Parameters<typeof call>) =>
    isGenuine(
      given({
        callback: { ...callback, proof },
        callbackSecret: 'name:a-secret',
        callbackUrl: 'https://sms.example/api/callbacks/one',
      }),
      call(...args),
    );
  const sha256 = '4ac7b1a77bb7a4ff4dd1f31ae5ee15b4aeafbf6b6f2cb5e0d7a7d1a4f4f2fbba';

  it('is a parameter, a header or a password', () => {
    expect(genuine({ kind: 'query', name: 't' }, {}, '?t=name%3Aa-secret')).toBe(true);
    expect(genuine({ kind: 'query', name: 't' }, {}, '?t=name')).toBe(false);
    expect(genuine({ kind: 'query', name: 't' }, {})).toBe(false);
    expect(genuine({ kind: 'header', name: 'X-Key' }, { 'x-key': 'name:a-secret' })).toBe(true);
    expect(
      genuine({ kind: 'header', name: 'Authorization' }, { authorization: 'Bearer name:a-secret' }),
    ).toBe(true);
    expect(genuine({ kind: 'header', name: 'x-key' }, { 'x-key': '' })).toBe(false);
    const basic = Buffer.from('name:a-secret').toString('base64');
    expect(genuine({ kind: 'basic' }, { authorization: `Basic ${basic}` })).toBe(true);
    expect(genuine({ kind: 'basic' }, { authorization: 'Basic x' })).toBe(false);
  });

  it.each(['hex', 'base64'] as const)('is an HMAC in %s', async (encoding) => {
    const { createHmac } = await import('node:crypto');
    const hmac = (text: string) =>
      createHmac('sha256', 'name:a-secret').update(text).digest(encoding);
    const proof = { kind: 'hmac-sha256', name: 'x-sign' };
    expect(genuine(proof, { 'x-sign': `sha256=${hmac('text')}` })).toBe(true);
    expect(genuine(proof, { 'x-sign': hmac('text') })).toBe(true);
    expect(genuine(proof, { 'x-sign': hmac('texts') })).toBe(false);
    expect(genuine(proof, { 'x-sign': sha256 })).toBe(false);
    const stamped = { ...proof, signed: '{body}.{x-nonce}' };
    expect(genuine(stamped, { 'x-sign': hmac('text.n1'), 'x-nonce': 'n1' })).toBe(true);
    expect(genuine(stamped, { 'x-sign': hmac('text.n1'), 'x-nonce': 'n2' })).toBe(false);
  });

  it('is an HMAC with the hash of the secret', async () => {
    const { createHash, createHmac } = await import('node:crypto');
    const key = createHash('sha256').update('name:a-secret').digest();
    const sign = createHmac('sha256', key).update('17\ntext').digest('hex');
    const signed = '{x-request-timestamp}\n{body}';
    const proof = { kind: 'hmac-sha256', name: 'x-sign', signed, key: 'sha256' };
    expect(genuine(proof, { 'x-sign': sign, 'x-request-timestamp': '17' })).toBe(true);
    expect(genuine(proof, { 'x-sign': sign, 'x-request-timestamp': '18' })).toBe(false);
  });

  it('is not asked of a challenge, which is answered and says nothing else', () => {
    const mapping = { ...callback, challenge: 'hub.challenge' };
    const options = given({ callback: mapping, callbackSecret: 'name:a-secret' });
    const search = '?hub.mode=subscribe&hub.challenge=42&hub.verify_token=x';
    expect(isGenuine(options, call({}, search, ''))).toBe(true);
    for (const forged of [
      `${search}&r=id&s=failed`,
      `?r=id&s=failed${'&a=1'.repeat(2_000)}&hub.challenge=42`,
      '?hub.mode=subscribe',
      '?hub[challenge]=42',
      '',
    ])
      expect(isGenuine(options, call({}, forged, ''))).toBe(false);
    expect(isGenuine(options, call({}, search, '{"r":"id","s":"failed"}'))).toBe(false);
    const said = { reports: [], messages: [], ignored: 0 };
    const read = (challenge: unknown) =>
      readCallback(
        options.callback!,
        { 'hub.challenge': challenge, r: 'id', s: 'failed' },
        new Date(),
      );
    expect(read('42')).toEqual({ ...said, answer: '42' });
    expect(read('<script>')).toEqual({ ...said, answer: 'OK' });
    expect(read(['1', '2'])).toEqual({ ...said, answer: 'OK' });
  });

  it('by a signature of the body says nothing of a query', async () => {
    const { createHmac } = await import('node:crypto');
    const sign = createHmac('sha256', 'name:a-secret').update('').digest('hex');
    const proof = { kind: 'hmac-sha256', name: 'x-sign' };
    expect(genuine(proof, { 'x-sign': sign }, '?r=id&s=failed', '')).toBe(false);
  });
});
