import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChannel } from '../channel.ts';
import { MESSAGE, PHONE } from '../scene.ts';
import { mutations } from './mutations.ts';
import { Target } from './target.ts';

let target: Target;
let channel: Awaited<ReturnType<typeof createChannel>>;
let reference: string;
beforeAll(async () => {
  target = await Target.start();
  channel = await createChannel(target.world);
  const person = await target.person();
  const { json } = await target.shoot('/api/sendings', {
    token: person.token,
    body: { ...MESSAGE, recipient: PHONE },
  });
  reference = json.id;
});
afterAll(() => target.stop());

type Headers = Record<string, string>;
function signedText(text: string, at = new Date(), id = `msg_${randomUUID()}`): Headers {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(channel.secret).sign(id, at, text),
  };
}
const path = (what: string, name = channel.name) => `/api/channels/${name}/${what}`;
const json = { 'content-type': 'application/json' };
const report = () => ({ statuses: [{ reference, status: 'failed' }] });
const post = (headers: Headers, bytes: string, what = 'statuses', name?: string) =>
  target.shoot(path(what, name), { headers: { ...json, ...headers }, bytes });
async function statusOf(): Promise<unknown> {
  const [row] = await target.world.db.query(`select status, outcome from sendings where id = $1`, [
    reference,
  ]);
  return row;
}

const FORGED: [name: string, change: (headers: Headers, body: string) => [Headers, string]][] = [
  ['no signature', (_, body) => [{}, body]],
  ['an empty signature', (headers, body) => [{ ...headers, 'webhook-signature': '' }, body]],
  [
    'a signature of another body',
    (headers) => [headers, JSON.stringify({ statuses: [{ reference, status: 'delivered' }] })],
  ],
  ['a signature with spaces in the body', (headers, body) => [headers, `${body} `]],
  ['another id', (headers, body) => [{ ...headers, 'webhook-id': 'msg_other' }, body]],
  [
    'another time',
    (headers, body) => [
      { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 5) },
      body,
    ],
  ],
  [
    'a time that is no number',
    (headers, body) => [{ ...headers, 'webhook-timestamp': 'now' }, body],
  ],
  [
    'another version',
    (headers, body) => [
      { ...headers, 'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v2,') },
      body,
    ],
  ],
  [
    'a signature that is cut',
    (headers, body) => [
      { ...headers, 'webhook-signature': headers['webhook-signature']!.slice(0, -3) },
      body,
    ],
  ],
  [
    'ten thousand signatures',
    (headers, body) => [{ ...headers, 'webhook-signature': 'v1,AAAA '.repeat(1000) }, body],
  ],
  [
    'a form',
    (headers, body) => [{ ...headers, 'content-type': 'application/x-www-form-urlencoded' }, body],
  ],
  [
    'a form signed over nothing',
    (_, body) => [{ ...signedText(''), 'content-type': 'application/x-www-form-urlencoded' }, body],
  ],
  ['text', (headers, body) => [{ ...headers, 'content-type': 'text/plain' }, body]],
];
describe.each(['statuses', 'incoming'])('%s', (what) => {
  test.each(FORGED)('with %s are refused and change nothing', async (_, change) => {
    const before = await statusOf();
    await target.attack(async () => {
      const body = JSON.stringify(report());
      const [headers, bytes] = change(signedText(body), body);
      const { status } = await post(headers, bytes, what);
      expect([401, 413, 415]).toContain(status);
    });
    expect(await statusOf()).toEqual(before);
  });

  test('with a time of yesterday or tomorrow are refused with the clock as the reason', async () => {
    await target.attack(async () => {
      for (const shift of [-3600, 3600]) {
        const at = new Date(Date.now() + shift * 1000);
        const body = JSON.stringify(report());
        const headers = signedText(body, at);
        const { status, json: answer } = await post(headers, body, what);
        expect(status).toBe(401);
        expect(JSON.stringify(answer)).toMatch(/time|clock/i);
      }
    });
  });

  test('are refused alike for an unknown channel and one without reports', async () => {
    await target.attack(async () => {
      for (const name of ['unknown', 'simulator', '__proto__', 'a'.repeat(40)]) {
        const body = JSON.stringify(report());
        const { status } = await post(signedText(body), body, what, name);
        expect([401, 404]).toContain(status);
      }
    });
  });
});

test('a wrong report does not affect the thousand others of its call', async () => {
  const good = { reference: randomUUID(), status: 'sent' };
  const odd = [
    { reference: 'x', status: 'exploded' },
    { status: 'sent' },
    { reference: 1, status: 'sent' },
    null,
    'text',
    [],
    { reference: 'y'.repeat(500), status: 'sent' },
    { reference: 'z', status: 'sent', at: 'never' },
  ];
  await target.attack(async () => {
    const body = JSON.stringify({ statuses: [...Array.from({ length: 900 }, () => good), ...odd] });
    const reply = await post(signedText(body), body);
    expect(reply.status).toBe(200);
    expect(reply.json.results).toHaveLength(900 + odd.length);
    const invalid = (reply.json.results as { result: string }[]).filter(
      ({ result }) => result === 'invalid',
    );
    expect(invalid).toHaveLength(odd.length);
  });
});

test('a report of every shape is answered', async () => {
  const right = {
    statuses: [
      { reference, externalId: 'x', status: 'sent', code: 'y', at: new Date().toISOString() },
    ],
  };
  await target.attack(async () => {
    for (const { name, value } of mutations(right)) {
      const body = JSON.stringify(value);
      const { status } = await post(signedText(body), body);
      expect(status, name).toBeLessThan(500);
    }
  });
});

test('an incoming message of every shape is answered', async () => {
  const right = { type: 'sms', from: PHONE, to: 'TEA', payload: { text: 'Yes' } };
  await target.attack(async () => {
    for (const { name, value } of mutations(right)) {
      const body = JSON.stringify(value);
      const { status } = await post(signedText(body), body, 'incoming');
      expect(status, name).toBeLessThan(500);
    }
  });
});

test('a report does not change messages of another channel', async () => {
  const before = await statusOf();
  const body = JSON.stringify(report());
  await post(signedText(body), body);
  const after = await statusOf();
  // The message went to the simulator, not to this carrier.
  expect(after).toEqual(before);
});
