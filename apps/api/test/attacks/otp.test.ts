import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCarrier } from '../factories.ts';
import { otpSent, otpWidget } from '../otp.ts';
import type { Person } from '../world.ts';
import { hostileTexts, mutations } from './mutations.ts';
import { Target, type Reply, type Shot } from './target.ts';

/** Strangers call the handler of one-time codes without a token: guesses, replays, addresses and origins that are not theirs. */

const HANDLER = '/api/n/otp-handler';
const CALLS_AT_ONCE = 200;
let target: Target;
let owner: Person;
let numbers = 0;
beforeAll(async () => {
  target = await Target.start({
    TRUST_PROXY: '1',
    OTP_WIDGET_PER_MINUTE: '100000',
    OTP_PREFIX_PER_MINUTE: '100000',
    OTP_UNCONFIRMED_PER_HOUR: '100000',
  });
  await setCarrier(target.world, {});
  owner = await target.person({ balance: 100_000 });
});
afterAll(() => target.stop());

/** Each of a range of its own. */
const newPhone = () => `+7902${1_000_000 + numbers++ * 1000}`;
const from = (address: string) => ({ 'x-forwarded-for': address });
const anywhere = (i: number) => from(`198.51.${i >> 8}.${i & 255}`);
const together = (one: (i: number) => Promise<Reply>, times = CALLS_AT_ONCE) =>
  Promise.all(Array.from({ length: times }, (_, i) => one(i)));
const count = (replies: Reply[], type?: string) =>
  replies.filter(({ status, json }) => (type ? json?.type === type : status === 201)).length;
const post = (path: string, shot: Shot) =>
  target.shoot(HANDLER + path, { method: 'POST', ...shot });
const check = (id: string, code: string, shot: Shot = {}) =>
  post(`/${id}/checkCode`, { body: { code }, ...shot });
const wrong = (code: string, i: number) =>
  String((Number(code) + 1 + (i % 9000)) % 10_000).padStart(4, '0');

const session = (widgetId: string, phone = newPhone()) => otpSent(target.world, widgetId, phone);

test('of 200 guesses at once, each from an address of its own, a session takes three', async () => {
  const widgetId = await otpWidget(owner);
  const { id, code } = await session(widgetId);
  await target.attack(async () => {
    const replies = await together((i) => check(id, wrong(code, i), { headers: anywhere(i) }));
    expect(count(replies)).toBe(0);
    expect(count(replies, 'InvalidCodeException')).toBeLessThanOrEqual(3);
  });
  expect((await check(id, code)).json.type).toBe('AttemptsExpiredException');
  const [row] = await target.world.db.query<{ tries: number }>(
    `select tries from otp_sessions where id = $1`,
    [id],
  );
  expect(row!.tries).toBe(3);
});

test('of 200 guesses at once over the sessions of a number, twenty are compared', async () => {
  const widgetId = await otpWidget(owner, ['viber'], {}, { numberOfTries: 10 });
  const phone = newPhone();
  const sessions: { id: string; code: string }[] = [];
  for (let i = 0; i < 3; i++) sessions.push(await session(widgetId, phone));
  const replies = await together((i) => {
    const { id, code } = sessions[i % 3]!;
    return check(id, wrong(code, i), { headers: anywhere(i) });
  });
  expect(count(replies, 'InvalidCodeException')).toBe(20);
  expect((await check(sessions[0]!.id, sessions[0]!.code)).status).not.toBe(201);
});

test('a code confirms once, a session is completed once, and neither can be replayed', async () => {
  const widgetId = await otpWidget(owner);
  const phone = newPhone();
  const { id, code } = await session(widgetId, phone);
  const other = await session(widgetId);
  expect(count(await together((i) => check(id, code, { headers: anywhere(i) }), 50))).toBe(1);
  const path = `/${id}/checkStatusAndComplete?recipient=${encodeURIComponent(phone)}`;
  const stranger = await target.person();
  const stolen = [await post(path, { token: stranger.token }), await post(path, {})];
  expect(stolen.map(({ status }) => status)).toEqual([404, 401]);
  const finished = await together(() => post(path, { token: owner.token }), 50);
  expect(count(finished)).toBe(1);
  const again = [
    await check(id, code),
    await post(`/${id}/resend`, {}),
    await target.shoot(`${HANDLER}/${id}/channel`),
    await post(path, { token: owner.token }),
  ];
  expect(new Set(again.map(({ json }) => json.type))).toEqual(new Set(['SessionClosedException']));
  // The code of one session in another, unless they are the same by chance.
  const elsewhere =
    code === other.code ? 'InvalidCodeException' : (await check(other.id, code)).json.type;
  expect(elsewhere).toBe('InvalidCodeException');
});

test('a stranger with a token has no part in the sessions and widgets of another account', async () => {
  const widgetId = await otpWidget(owner);
  const { id, code } = await session(widgetId);
  const { token } = await target.person();
  const recipient = newPhone();
  const replies = [
    await target.shoot(`${HANDLER}/widget/${widgetId}`, { token }),
    await post('', { token, body: { widgetId, recipient } }),
    await target.shoot(`${HANDLER}/${id}/channel`, { token }),
    await target.shoot(`${HANDLER}/longPolling/${id}/channel`, { token }),
    await check(id, code, { token }),
    await post(`/${id}/resend`, { token }),
    await post(`/${id}/complete`, { token }),
  ];
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
});

test('every field of a visitor may be hostile', async () => {
  const widgetId = await otpWidget(owner);
  const { id } = await session(widgetId);
  const bodies: [string, object][] = [
    [
      '',
      {
        widgetId,
        recipient: newPhone(),
        ip: '192.0.2.1',
        captchaToken: 'token',
        captcha: 'captcha',
        locale: 'en',
      },
    ],
    [`/${id}/checkCode`, { code: '1234' }],
    [`/${id}/resend`, {}],
  ];
  await target.attack(async () => {
    for (const [path, body] of bodies) {
      for (const { name, value } of mutations(body)) {
        const { status, text } = await post(path, { body: value });
        expect(status, `${path} ${name}: ${text.slice(0, 200)}`).toBeLessThan(500);
      }
    }
    const long = JSON.stringify({ code: '1'.repeat(10 << 20) });
    const headers = { 'content-type': 'application/json' };
    for (const path of ['', `/${id}/checkCode`]) {
      // A server may close the connection before it has read what it refuses.
      const refused = await post(path, { bytes: long, headers }).catch(() => null);
      expect([413, undefined]).toContain(refused?.status);
    }
    for (const [name, text] of hostileTexts) {
      const value = encodeURIComponent(text.slice(0, 4000).toWellFormed());
      for (const path of [
        `/${value}/channel`,
        `/longPolling/${id}/channel?version=${value}`,
        `/widget/${value}`,
      ]) {
        const { status } = await target.shoot(HANDLER + path);
        expect(status, `${path.slice(0, 30)} ${name}`).toBeLessThan(500);
      }
    }
  });
});

test('an allow-list is not passed by headers, and knows IPv4 in the form of IPv6', async () => {
  const widgetId = await otpWidget(owner, ['viber'], {
    ipWhitelist: ['10.0.0.0/8', '2001:db8::/32'],
  });
  const look = async (headers: Record<string, string>) =>
    (await target.shoot(`${HANDLER}/widget/${widgetId}`, { headers })).status;
  const inside = ['10.1.1.1', '::ffff:10.1.1.1', '::ffff:a01:101', '2001:db8::1'];
  for (const address of inside) expect(await look(from(address)), address).toBe(200);
  const outside = [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '10.1.1.1, 192.0.2.1',
    '10.1.1.1,,192.0.2.1',
    '::10.1.1.1',
    '64:ff9b::10.1.1.1',
    '2001:db9::1',
    '10.1.1.1.evil.example',
    '10.1.1.1/8',
    '',
    'unknown',
  ];
  for (const address of outside) expect(await look(from(address)), address).toBe(403);
  const names = [
    'x-real-ip',
    'forwarded',
    'client-ip',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'x-forwarded',
  ];
  for (const name of names) {
    const value = name === 'forwarded' ? 'for=10.1.1.1' : '10.1.1.1';
    expect(await look({ ...from('192.0.2.1'), [name]: value }), name).toBe(403);
  }
});

test('any page may call the handler without credentials, and no page anything else', async () => {
  const widgetId = await otpWidget(owner);
  const { origin: own } = new URL(target.base);
  const origins = [
    'null',
    'https://evil-example.com',
    `${own}.evil.example`,
    'file://',
    `https://x@${own.slice(7)}`,
  ];
  const cors = (reply: Reply) => reply.headers.get('access-control-allow-origin');
  for (const origin of origins) {
    const headers = { origin };
    const open = [
      await target.shoot(`${HANDLER}/widget/${widgetId}`, { headers }),
      await target.shoot(HANDLER, {
        method: 'OPTIONS',
        headers: { ...headers, 'access-control-request-method': 'POST' },
      }),
    ];
    for (const reply of open) {
      expect(cors(reply), origin).toBe('*');
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const paths = [
      '/api/users/me',
      '/api/n/otp-settings/widgets',
      '/api/n/otp-handlers',
      `/api/n/otp-handler%2f..%2fusers`,
    ];
    for (const path of paths) {
      const closed = [
        await target.shoot(path, { headers, token: owner.token }),
        await target.shoot(path, {
          method: 'OPTIONS',
          headers: { ...headers, 'access-control-request-method': 'GET' },
        }),
      ];
      for (const reply of closed) expect(cors(reply), `${origin} ${path}`).toBeNull();
    }
  }
});

test('200 requests of codes at once delay no other caller', async () => {
  const widgetId = await otpWidget(owner);
  await target.attack(async () => {
    const replies = await together((i) =>
      post('', { body: { widgetId, recipient: newPhone() }, headers: anywhere(i) }),
    );
    for (const { status, text } of replies) expect([201, 503], text).toContain(status);
  });
});
