import {
  notifications,
  otpChannels,
  otpHandler,
  otpTemplates,
  otpWidgets,
  persons,
  phones,
  sendings,
  webhooks,
  type ApiError,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { OTP_CHANNEL_TYPES } from '@heliograph/domain';
import { approve, setCarrier } from '../../../test/factories.ts';
import { otpChannel, otpCode, otpSession, otpStatus, otpWidget } from '../../../test/otp.ts';
import { reasonsOf } from '../../../test/settled.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { verifyOtp } from './verify.store.ts';
import { OtpSessionsService } from './handler/otp-sessions.service.ts';
import { OtpStatisticsService } from './settings/otp-statistics.service.ts';

let world: World;
let owner: Person;
let n = 0;
let phone: string;

beforeAll(async () => {
  world = await World.start({ TRUST_PROXY: '1', OTP_POLL_SECONDS: '2', DEMO: '1' });
  await setCarrier(world, {});
  await world.startWorker();
  owner = await world.person();
});
afterAll(() => world.stop());
beforeEach(() => {
  phone = newPhone();
});

const newPhone = () => `+7902${String(1_000_000 + n++ * 1000)}`;
const visitor = () => world.client();
const from = (ip: string) => ({ 'x-forwarded-for': ip });
const sql = <R extends object>(text: string, values: unknown[] = []) =>
  world.db.query<R>(text, values);
const at = (requestId: string) => ({ params: { requestId } });
const check = (requestId: string, code: string) =>
  visitor()(otpHandler.checkCode, { ...at(requestId), body: { code } });
const confirmed = async (widgetId: string) => {
  const id = await otpSession(world, widgetId, phone);
  await check(id, (await otpCode(world, id))!);
  return id;
};
const finish = (id: string, recipient = phone, by = owner) =>
  by.api(otpHandler.checkStatusAndComplete, { ...at(id), query: { recipient } });
/** The body of the refusal. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: ApiError) => error.body as { type: string; httpStatus: number; payload?: object },
  );
const wrong = (code: string) => (code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`);
const errorOf = async (call: Promise<unknown>) => (await refusal(call))?.type;

test('a code is sent, checked and completed once', async () => {
  const widgetId = await otpWidget(owner, ['viber']);
  const info = await visitor()(otpHandler.widget, { params: { widgetId } });
  expect(info).toMatchObject({ isBlocked: false, isActive: true, name: 'Tea shop', country: 'RU' });
  const id = await otpSession(world, widgetId, phone);
  const channel = await otpStatus(world, id, 'sent');
  expect(channel).toMatchObject({
    type: 'viber',
    label: 'viber',
    codeType: 'code',
    remainingCodeAttempts: 3,
    settings: { lifetime: 60, numberOfTries: 3, numberOfRestart: 1, code: { length: 4 } },
  });
  const status = () => owner.api(otpHandler.status, { ...at(id), query: { recipient: phone } });
  expect(await status()).toEqual({ success: false });
  expect(await errorOf(finish(id))).toBe('SessionNotConfirmedException');

  const code = (await otpCode(world, id))!;
  expect(code).toMatch(/^\d{4}$/);
  expect(await refusal(check(id, wrong(code)))).toMatchObject({
    type: 'InvalidCodeException',
    httpStatus: 400,
    payload: { remainingCodeAttempts: 2 },
  });
  expect(await check(id, code)).toEqual({ success: true });
  expect(await status()).toEqual({ success: true });
  expect(await errorOf(check(id, code))).toBe('SessionAlreadyConfirmedException');
  expect(await finish(id)).toEqual({ success: true });
  expect(await errorOf(finish(id))).toBe('SessionClosedException');
  expect(await errorOf(visitor()(otpHandler.channel, at(id)))).toBe('SessionClosedException');
});

test('the code is nowhere but at the carrier: not in rows, lists, webhooks and logs', async () => {
  const hook = await owner.api(webhooks.create, {
    body: { title: 'Shop', event: 'sendings.status', url: 'http://127.0.0.1:9/hook' },
  });
  const widgetId = await otpWidget(
    owner,
    ['viber', 'voice'],
    {},
    { code: { length: 8, beautify: true } },
  );
  const id = await otpSession(world, widgetId, phone);
  const code = (await otpCode(world, id))!;
  expect(code).toHaveLength(8);
  await otpStatus(world, id, 'sent');
  const page = await owner.api(sendings.find, {
    query: { filter: { recipient: phone }, scope: ['full'] },
  });
  expect(page.data[0]!.payload.text).toMatch(/\*{4}-\*{4}$/);
  const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
  const tables = ['sendings', 'batches', 'otp_sessions', 'sealed_texts', 'webhook_events'];
  for (const table of tables) {
    const rows = JSON.stringify(await sql(`select to_jsonb(t)::text as row from ${table} t`));
    expect(rows).not.toContain(code);
    expect(rows).not.toContain(shown);
  }
  await owner.api(webhooks.remove, { params: { id: hook.id } });
  await check(id, shown);
  expect(await otpCode(world, id)).toBeNull();
});

test('every channel has a sender that an account with checked sender names may use', async () => {
  const customer = await world.person();
  await approve(world, customer.id);
  await sql(`update users set settings = jsonb_set(settings, '{sendings}', $2) where id = $1`, [
    customer.id,
    { sendernamesCheck: OTP_CHANNEL_TYPES },
  ]);
  const widgetId = await otpWidget(customer, [...OTP_CHANNEL_TYPES]);
  const id = await otpSession(world, widgetId, phone);
  const [session] = await sql<{ steps: { type: string; sender: string }[] }>(
    `select steps from otp_sessions where id = $1`,
    [id],
  );
  // The name of a call is a phone, that of a push the client id: neither is approved here.
  const others = OTP_CHANNEL_TYPES.filter((type) => type !== 'voice' && type !== 'sim_push');
  const senders = session!.steps.map(({ type, sender }) => [type, sender]);
  expect(senders).toEqual(others.map((type) => [type, 'MIRTEA']));
});

test('the cascade goes on by failure, each channel is charged, and nothing is sent after the confirmation', async () => {
  const widgetId = await otpWidget(owner, ['viber', 'flashcall', 'telegramcode']);
  await sql(`delete from otp_counters`);
  // Not a user of messengers.
  phone = '+79990000008';
  const id = await otpSession(world, widgetId, phone);
  const channel = await until(async () => {
    const now = await visitor()(otpHandler.channel, at(id));
    return now.type === 'flashcall' && now.status === 'sent' && now;
  }, 'the second channel');
  expect(channel.settings.code).toEqual({ length: 4, beautify: false });
  await check(id, (await otpCode(world, id))!);
  world.clock.forward(120);
  const attempts = await sql<{ type: number; paid: boolean; status: number }>(
    `select s.type, b.status <> 2 as paid, s.status from otp_sessions o join sendings s on o.chain_id in (s.id, s.chain_id)
       join billings b on b.id = s.id where o.id = $1 order by s.attempt`,
    [id],
  );
  expect(attempts).toHaveLength(2);
  const { channels } = await owner.api(otpWidgets.statistics, { params: { id: widgetId } });
  expect(channels).toEqual([
    { channelType: 'flashcall', sent: 1, confirmed: 1, conversion: 1 },
    { channelType: 'viber', sent: 1, confirmed: 0, conversion: 0 },
  ]);
});

test('a channel without a code is confirmed by its status', async () => {
  const widgetId = await otpWidget(owner, ['sim_push']);
  // Seen by the person.
  phone = '+79990000001';
  const id = await otpSession(world, widgetId, phone);
  const first = await visitor()(otpHandler.channel, at(id));
  expect(first).toMatchObject({ codeType: 'codeless' });
  expect(await errorOf(check(id, '1234'))).toBe('IsCodelessChannelException');
  world.clock.forward(10);
  await otpStatus(world, id, 'confirmed');
  expect(await finish(id)).toEqual({ success: true });
});

test('a long poll returns the next state, and 408 without one', async () => {
  const widgetId = await otpWidget(owner);
  const id = await otpSession(world, widgetId, phone);
  const poll = (version?: string) =>
    visitor()(otpHandler.pollChannel, { ...at(id), query: { version } });
  const sent = await until(async () => {
    const state = await poll();
    return state.status === 'sent' && state;
  }, 'sent');
  expect(await refusal(poll())).toMatchObject({
    type: 'LongPollingTimeoutException',
    httpStatus: 408,
  });
  const next = poll(sent.version);
  const status = owner.api(otpHandler.pollStatus, { ...at(id), query: { recipient: phone } });
  await check(id, (await otpCode(world, id))!);
  expect(await next).toMatchObject({ status: 'confirmed' });
  expect(await status).toEqual({ success: true });
});

test('a long poll of another API process is woken', async () => {
  const other = await world.startApi();
  const widgetId = await otpWidget(owner);
  const id = await otpSession(world, widgetId, phone);
  const { version } = await otpStatus(world, id, 'sent');
  const next = world.client(undefined, other.base)(otpHandler.pollChannel, {
    ...at(id),
    query: { version },
  });
  await check(id, (await otpCode(world, id))!);
  expect(await next).toMatchObject({ status: 'confirmed' });
});

test('a code can be sent again after a wait, and the former one is void', async () => {
  const widgetId = await otpWidget(owner, ['viber', 'vk']);
  const id = await otpSession(world, widgetId, phone);
  const resend = () => visitor()(otpHandler.resend, at(id));
  const former = (await otpCode(world, id))!;
  expect(await refusal(resend())).toMatchObject({
    type: 'RestartCooldownActiveException',
    httpStatus: 409,
  });
  await sql(`update otp_sessions set resend_at = now() where id = $1`, [id]);
  const results = await Promise.allSettled([resend(), resend(), resend()]);
  expect(reasonsOf(results).map((error) => (error as ApiError).status)).toEqual([409, 409]);
  const code = (await otpCode(world, id))!;
  const ofFormer = former === code ? 'InvalidCodeException' : await errorOf(check(id, former));
  expect(ofFormer).toBe('InvalidCodeException');
  await sql(`update otp_sessions set resend_at = now() where id = $1`, [id]);
  await resend();
  expect(await visitor()(otpHandler.channel, at(id))).toMatchObject({ type: 'vk' });
  expect(
    await sql(`select 1 from otp_sessions where id = $1 and restarts = '{1,0}'`, [id]),
  ).toHaveLength(1);
  expect(await check(id, (await otpCode(world, id))!)).toEqual({ success: true });
});

test('an expired code is void, and a session ends with an event', async () => {
  await owner.api(webhooks.create, {
    body: { title: 'Codes', event: 'otpSessions.state', url: 'http://127.0.0.1:9/hook' },
  });
  const widgetId = await otpWidget(owner, ['viber'], {}, { lifetime: 10 });
  const id = await otpSession(world, widgetId, phone);
  await otpStatus(world, id, 'sent');
  const code = (await otpCode(world, id))!;
  world.clock.forward(20);
  expect(await errorOf(visitor()(otpHandler.channel, at(id)))).toBe('ResendChannelException');
  expect(await errorOf(check(id, code))).toBe('ResendChannelException');
  world.clock.forward(300);
  await world.api.get(OtpSessionsService, { strict: false }).expire();
  expect(await errorOf(check(id, code))).toBe('SessionClosedException');
  phone = newPhone();
  const done = await confirmed(widgetId);
  const events = await sql<{ key: string; data: object }>(
    `select key, data from webhook_events where key = any($1) order by seq`,
    [[id, done]],
  );
  expect(events).toEqual([
    { key: id, data: { widgetId, channel: null, state: 'failed', reason: 'expired' } },
    { key: done, data: { widgetId, channel: 'viber', state: 'confirmed', reason: null } },
  ]);
});

test('texts and senders come from the template whose conditions hold', async () => {
  const template = (name: string, conditions: object[], senderId: string) =>
    owner.api(otpTemplates.create, {
      body: {
        name,
        channelType: 'vk',
        conditions: conditions as never,
        additionalSettings: { senderId, template: `${name} {code}.` },
      },
    });
  await template('Any', [], 'TEA');
  await template('Russia', [{ tag: 'country', value: ['RU'] }], 'TEA-RU');
  await template('Georgia', [{ tag: 'country', value: ['GE'] }], 'TEA-GE');
  const widgetId = await otpWidget(owner, ['vk']);
  await otpSession(world, widgetId, phone);
  const { data } = await owner.api(sendings.find, { query: { filter: { recipient: phone } } });
  expect(data[0]).toMatchObject({ payload: { sender: 'TEA-RU', text: 'Russia ****.' } });
});

test('guesses are counted per session, also at once and from many addresses', async () => {
  const widgetId = await otpWidget(owner);
  const id = await otpSession(world, widgetId, phone);
  const code = (await otpCode(world, id))!;
  const guesses = Array.from({ length: 12 }, (_, i) =>
    visitor()(otpHandler.checkCode, {
      ...at(id),
      body: { code: wrong(code) },
      headers: from(`10.1.0.${i}`),
    }),
  );
  const types = reasonsOf(await Promise.allSettled(guesses)).map(
    (error) => ((error as ApiError).body as { type: string }).type,
  );
  expect(types.filter((type) => type === 'InvalidCodeException')).toHaveLength(3);
  expect(await errorOf(check(id, code))).toBe('AttemptsExpiredException');
});

test('guesses are counted per number over all sessions', async () => {
  const widgetId = await otpWidget(owner, ['viber'], {}, { numberOfTries: 10 });
  await sql(`delete from otp_counters`);
  const types: (string | undefined)[] = [];
  for (let i = 0; i < 3; i++) {
    const id = await otpSession(world, widgetId, phone);
    const code = (await otpCode(world, id))!;
    for (let j = 0; j < 9; j++) types.push(await errorOf(check(id, wrong(code))));
  }
  expect(types.filter((type) => type === 'InvalidCodeException')).toHaveLength(20);
  expect(types.at(-1)).toBe('RateLimitException');
});

test('a confirmed session is of its number and its account only, and one of concurrent calls completes it', async () => {
  const widgetId = await otpWidget(owner);
  const id = await confirmed(widgetId);
  const stranger = await world.person();
  expect(await refusal(finish(id, phone, stranger))).toMatchObject({
    type: 'SessionNotFoundException',
    httpStatus: 404,
  });
  expect(await refusal(finish(id, newPhone()))).toMatchObject({
    type: 'PhoneNumberMismatchException',
    httpStatus: 409,
  });
  expect(await errorOf(visitor()(otpHandler.complete, at(id)))).toBe('UnauthorizedException');
  expect(
    await errorOf(stranger.api(otpHandler.create, { body: { widgetId, recipient: newPhone() } })),
  ).toBe('WidgetNotFoundException');
  // The number in another format, raw and with Bearer.
  const results = await Promise.allSettled(
    ['', 'Bearer '].map((scheme) =>
      fetch(
        `${world.base}/api/n/otp-handler/${id}/checkStatusAndComplete?recipient=${phone.replace('+7', '8')}`,
        { method: 'POST', headers: { authorization: scheme + owner.token } },
      ).then(({ status }) => status),
    ),
  );
  expect(results.map((r) => (r as { value: number }).value).toSorted()).toEqual([201, 400]);
});

test('limits: per number and minute, with a wait that grows, in Postgres', async () => {
  const widgetId = await otpWidget(owner);
  const ask = () => otpSession(world, widgetId, phone);
  const results = await Promise.allSettled([ask(), ask(), ask(), ask(), ask(), ask()]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const [error] = reasonsOf(results) as ApiError[];
  expect(error!.body).toMatchObject({ type: 'RateLimitException', httpStatus: 429 });
  world.clock.forward(61);
  // Three sessions without a confirmation: half a minute from the last one, which is over. Then a minute.
  await ask();
  world.clock.forward(40);
  expect(await errorOf(ask())).toBe('RateLimitException');
  world.clock.forward(30);
  await ask();
});

test('only the countries of the widget, and only its addresses', async () => {
  const widgetId = await otpWidget(owner, ['viber'], { ipWhitelist: ['10.0.0.0/8'] });
  const ask = (ip: string, recipient = phone, extra: object = {}) =>
    visitor()(otpHandler.create, { body: { widgetId, recipient, ...extra }, headers: from(ip) });
  expect(await errorOf(ask('192.0.2.1'))).toBe('ForbiddenException');
  // Only the last address was written by the trusted proxy; `ip` is for callers with a token.
  expect(await errorOf(ask('10.1.1.1, 192.0.2.1'))).toBe('ForbiddenException');
  expect(await errorOf(ask('192.0.2.1', phone, { ip: '10.1.1.1' }))).toBe('ForbiddenException');
  const { requestId } = await ask('10.1.1.1');
  const look = (ip: string) =>
    visitor()(otpHandler.channel, { ...at(requestId), headers: from(ip) });
  expect(await errorOf(look('192.0.2.1'))).toBe('ForbiddenException');
  await look('10.2.2.2');
  expect(await errorOf(ask('10.1.1.1', '+995555123456'))).toBe('ForbiddenException');
  await owner.api(otpWidgets.update, {
    params: { id: widgetId },
    body: { countries: ['GE'], ipWhitelist: ['{ip}/0'] },
  });
  await ask('192.0.2.1', '+995555123456');
});

test('widgets that are blocked or off refuse; only a manager blocks', async () => {
  const widgetId = await otpWidget(owner);
  const update = (by: Person, body: object) =>
    by.api(otpWidgets.update, { params: { id: widgetId }, body });
  await expect(update(owner, { isBlocked: true })).rejects.toMatchObject({ code: 'forbidden' });
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  await update(manager, { isBlocked: true });
  expect(await errorOf(otpSession(world, widgetId, phone))).toBe('WidgetIsBlockedException');
  await update(manager, { isBlocked: false });
  await update(owner, { isActive: false });
  expect(await errorOf(otpSession(world, widgetId, phone))).toBe('ForbiddenException');
});

test('the captcha: free requests of an address, then a proof of work that counts once', async () => {
  const widgetId = await otpWidget(owner, ['viber'], {
    captchaIsRequired: true,
    captchaFirstFreeRequestsPerIp: 1,
  });
  const ask = (captchaToken?: string) =>
    visitor()(otpHandler.create, { body: { widgetId, recipient: newPhone(), captchaToken } });
  await ask();
  expect(await refusal(ask())).toMatchObject({
    type: 'CaptchaNotConfirmedException',
    httpStatus: 403,
  });
  const challenge = await visitor()(otpHandler.captcha, { params: { widgetId } });
  const solution = await solveChallenge({ challenge: challenge as never, deriveKey });
  const token = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  const results = await Promise.allSettled([ask(token), ask(token)]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await errorOf(ask(token))).toBe('CaptchaNotConfirmedException');
});

test('pumping: a range that nobody confirms is blocked, longer each time, and the owner is told', async () => {
  const own = await world.person();
  const widgetId = await otpWidget(own);
  phone = '+79031234567';
  await otpSession(world, widgetId, phone);
  const flood = () =>
    sql(
      `insert into otp_sessions (owner_id, widget_id, phone, prefix, steps, restarts, resend_at, created_at, expires_at, state)
       select owner_id, id, '+7903123' || n, '+790312', '[]', '{}', $2, $2, $2, 3 from otp_widgets, generate_series(1000, 1030) n where id = $1`,
      [widgetId, world.clock.now()],
    );
  const sweep = () => world.api.get(OtpStatisticsService, { strict: false }).blockPumped();
  await flood();
  world.clock.forward(300);
  await sweep();
  const { data } = await own.api(otpWidgets.prefixes);
  expect(data).toEqual([
    expect.objectContaining({ prefix: '+790312', confirmed: 0, blockedUntil: expect.any(String) }),
  ]);
  expect(await refusal(otpSession(world, widgetId, '+79031230000'))).toMatchObject({
    type: 'RateLimitException',
    payload: { expires_at: data[0]!.blockedUntil },
  });
  const told = await own.api(notifications.find);
  expect(told.data.filter(({ type }) => type === 'OtpPrefixBlocked')).toHaveLength(1);
  await own.api(otpWidgets.unblockPrefix, { params: { prefix: '+790312' } });
  await sweep();
  await otpSession(world, widgetId, '+79031230000');
});

test('an account without funds sends nothing and keeps nothing', async () => {
  const poor = await world.person({ balance: 0 });
  const widgetId = await otpWidget(poor);
  expect(await refusal(otpSession(world, widgetId, phone))).toMatchObject({
    type: 'NoAvailableChannelsException',
    payload: { code: 'insufficient_funds' },
  });
  expect(await sql(`select 1 from sendings where owner_id = $1`, [poor.id])).toEqual([]);
  expect(await sql(`select 1 from otp_sessions where owner_id = $1`, [poor.id])).toEqual([]);
});

test('pages of other sites call the handler, and nothing else', async () => {
  const origin = { origin: 'https://shop.example' };
  const preflight = await fetch(`${world.base}/api/n/otp-handler`, {
    method: 'OPTIONS',
    headers: { ...origin, 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  const widgetId = await otpWidget(owner);
  const answer = await fetch(`${world.base}/api/n/otp-handler/widget/${widgetId}`, {
    headers: origin,
  });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const other = await fetch(`${world.base}/api/settings`, { headers: origin });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
});

test('bodies are limited, and codes of any length are compared', async () => {
  const widgetId = await otpWidget(owner);
  const id = await otpSession(world, widgetId, phone);
  const post = (body: string) =>
    fetch(`${world.base}/api/n/otp-handler/${id}/checkCode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  expect((await post(JSON.stringify({ code: '1'.repeat(5000) }))).status).toBe(413);
  expect((await post(JSON.stringify({ code: '1'.repeat(21) }))).status).toBe(422);
  expect((await post(JSON.stringify({ code: 'x' }))).status).toBe(400);
  const answer = await post('{');
  expect(await answer.json()).toMatchObject({ type: 'BadRequestException', httpStatus: 400 });
});

test('settings: channels in use stay, addresses are checked, types have their rules', async () => {
  const widgetId = await otpWidget(owner, ['flashcall']);
  const { otpWidgetChannelSettings: channels } = await owner.api(otpWidgets.get, {
    params: { id: widgetId },
  });
  expect(channels).toEqual([
    {
      otpChannelSettingsId: expect.any(String),
      priority: 1,
      otpChannelSettings: { name: 'flashcall', channelType: 'flashcall' },
    },
  ]);
  const id = channels[0]!.otpChannelSettingsId;

  await expect(owner.api(otpChannels.remove, { params: { id } })).rejects.toMatchObject({
    code: 'in_use',
  });
  const additionalSettings = {
    code: { length: 6, beautify: false },
    lifetime: 60,
    numberOfTries: 3,
    numberOfRestart: 1,
  };
  await expect(
    owner.api(otpChannels.update, { params: { id }, body: { additionalSettings } }),
  ).rejects.toMatchObject({ code: 'validation' });
  const bad = { body: { name: 'Tea', ipWhitelist: ['10.0.0.0/8', 'shop'] } };
  await expect(owner.api(otpWidgets.create, bad)).rejects.toMatchObject({ code: 'validation' });
  const off = { body: { name: 'Tea', captchaProvider: 'google' as const } };
  await expect(owner.api(otpWidgets.create, off)).rejects.toMatchObject({ code: 'validation' });
  const foreign = await otpChannel(await world.person(), 'viber');
  await expect(
    owner.api(otpWidgets.setChannels, {
      params: { id: widgetId },
      body: { otpWidgetChannelSettings: [{ otpChannelSettingsId: foreign, priority: 1 }] },
    }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('an erased person is in no session, and the data is consistent', async () => {
  const widgetId = await otpWidget(owner);
  const id = await otpSession(world, widgetId, phone);
  await owner.api(persons.erase, { body: { address: phone } });
  const erased = () =>
    sql(`select 1 from otp_sessions where id = $1 and phone like 'erased-%' and state = 3`, [id]);
  await until(async () => (await erased()).length > 0, 'the erasure');
  expect((await verifyOtp(world.db)).filter(({ id: one }) => one === id)).toEqual([]);
});

test('in a demo the owner reads the code on the simulated phone', async () => {
  const reader = await world.person();
  const id = await otpSession(world, await otpWidget(reader), phone);
  const code = (await otpCode(world, id))!;
  await otpStatus(world, id, 'sent');
  const read = async (by: Person) => JSON.stringify((await by.api(phones.simulated)).data);
  expect(await read(reader)).toContain(code);
  expect(await read(owner)).not.toContain(`"${phone}"`);
});

test('without Redis codes are checked and limits hold', async () => {
  const other = await world.startApi({ REDIS_URL: 'redis://127.0.0.1:1' });
  const api = world.client(undefined, other.base);
  const widgetId = await otpWidget(owner);
  const ask = () => api(otpHandler.create, { body: { widgetId, recipient: phone } });
  const [{ requestId }] = [await ask(), await ask(), await ask()] as [
    { requestId: string },
    ...unknown[],
  ];
  expect(await errorOf(ask())).toBe('RateLimitException');
  const code = (await otpCode(world, requestId))!;
  const wait = api(otpHandler.pollStatus, {
    ...at(requestId),
    query: { recipient: phone },
    headers: { authorization: owner.token },
  });
  await api(otpHandler.checkCode, { ...at(requestId), body: { code } });
  expect(await wait).toEqual({ success: true });
});
