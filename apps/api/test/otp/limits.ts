import { notifications, otpHandler, otpWidgets, type ApiError } from '@heliograph/contract';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { expect, test } from 'vitest';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { OtpCounters } from '../../src/features/otp/handler/otp-counters.ts';
import { OtpStatisticsService } from '../../src/features/otp/settings/otp-statistics.service.ts';
import { otpCode, otpSent, otpSession, otpWidget } from '../otp.ts';
import { reasonsOf } from '../settled.ts';
import { type Person, type World } from '../world.ts';
import { at, errorOf, from, refusal, wrong, type OtpScene } from './scene.ts';

/** What limits and protects the calls that strangers may make. */
export function limitTests(scene: OtpScene): void {
  const { newPhone, visitor, sql, check, confirmed, finish } = scene;
  let world: World;
  let owner: Person;
  let phone: string;
  scene.beforeEach((given) => ({ world, owner, phone } = given));

  test('guesses are counted per session, also at once and from many addresses', async () => {
    const widgetId = await otpWidget(owner);
    const { id, code } = await otpSent(world, widgetId, phone);
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
      const { id, code } = await otpSent(world, widgetId, phone);
      for (let j = 0; j < 9; j++) types.push(await errorOf(check(id, wrong(code))));
    }
    expect(types.filter((type) => type === 'InvalidCodeException')).toHaveLength(20);
    expect(types.at(-1)).toBe('RateLimitException');
  });

  test('a confirmed session is of its number and its account only, and one of concurrent calls completes it', async () => {
    const widgetId = await otpWidget(owner);
    const id = await confirmed(widgetId, phone);
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
    const metrics = await world.api.get(Metrics).registry.metrics();
    for (const reason of ['phone', 'cooldown'])
      expect(metrics).toMatch(new RegExp(`otp_refusals_total\\{reason="${reason}"\\} \\d`));
  });

  test('a stranger in one network uses up what the number has there, not what its owner has elsewhere', async () => {
    const widgetId = await otpWidget(owner, ['viber'], {}, { numberOfTries: 10 });
    const ask = async (ip: string, n = phone) =>
      (
        await visitor()(otpHandler.create, {
          body: { widgetId, recipient: n },
          headers: from(ip),
        })
      ).requestId;
    world.clock.forward(60 - ((world.clock.now().getTime() / 1000) % 60));
    // Three at once, and three more after the minute and the first wait.
    const first = [await ask('192.0.2.1'), await ask('192.0.2.1'), await ask('192.0.2.1')];
    expect(await errorOf(ask('192.0.2.1'))).toBe('RateLimitException');
    for (const id of first) {
      const code = (await otpCode(world, id))!;
      for (let i = 0; i < 9; i++) await errorOf(check(id, wrong(code)));
      expect(await errorOf(check(first[2]!, wrong(code)))).toBeDefined();
    }
    expect(await errorOf(check(first[2]!, '0000'))).toBe('RateLimitException');
    world.clock.forward(61);
    await ask('192.0.2.1');
    world.clock.forward(10);
    expect(await errorOf(ask('192.0.2.1'))).toBe('RateLimitException');
    // The person: another address, or the next /64 of the same provider.
    const id = await ask('192.0.2.77');
    await check(id, (await otpCode(world, id))!);
    await ask('2001:db8:0:1::5');
    // The server of the account, which does not know the network of its person.
    await owner.api(otpHandler.create, { body: { widgetId, recipient: phone } });
  });

  test('addresses of one /64 are one network, and all networks together have three times as much', async () => {
    const widgetId = await otpWidget(owner);
    world.clock.forward(60 - ((world.clock.now().getTime() / 1000) % 60));
    const ask = (ip: string, recipient: string) =>
      errorOf(visitor()(otpHandler.create, { body: { widgetId, recipient }, headers: from(ip) }));
    const within: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) within.push(await ask(`2001:db8:0:2::${i + 1}`, phone));
    expect(within).toEqual([undefined, undefined, undefined, 'RateLimitException']);
    const other = newPhone();
    const over: (string | undefined)[] = [];
    for (let i = 0; i < 10; i++) over.push(await ask(`192.0.2.${100 + i}`, other));
    expect(over).toEqual([...Array(9).fill(undefined), 'RateLimitException']);
  });

  test('sending again counts for the network of the session, no matter who asks for it', async () => {
    const widgetId = await otpWidget(owner);
    world.clock.forward(60 - ((world.clock.now().getTime() / 1000) % 60));
    const ask = (ip: string) =>
      visitor()(otpHandler.create, { body: { widgetId, recipient: phone }, headers: from(ip) });
    const ids = [await ask('192.0.2.1'), await ask('192.0.2.1'), await ask('192.0.2.1')];
    const again = at(ids[0]!.requestId);
    await sql(`update otp_sessions set resend_at = $2 where id = $1`, [
      ids[0]!.requestId,
      world.clock.now(),
    ]);
    const resent = visitor()(otpHandler.resend, { ...again, headers: from('192.0.2.9') });
    expect(await errorOf(resent)).toBe('RateLimitException');
    await ask('192.0.2.9');
  });

  test('a new widget asks for a captcha, one that exists keeps its setting', async () => {
    const withCaptcha = await otpWidget(owner, ['viber'], { captchaIsRequired: undefined });
    expect(await errorOf(otpSession(world, withCaptcha, phone))).toBe(
      'CaptchaNotConfirmedException',
    );
    const without = await otpWidget(owner);
    const params = { id: without };
    const renamed = await owner.api(otpWidgets.update, { params, body: { name: 'Tea house' } });
    expect(renamed.captchaIsRequired).toBe(false);
    await otpSession(world, without, phone);
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

  test('free requests are a positive number that fits its column, or null', async () => {
    const most = 2 ** 31 - 1;
    const widgetId = await otpWidget(owner, ['viber'], {
      captchaIsRequired: true,
      captchaFirstFreeRequestsPerIp: most,
    });
    const free = async (captchaFirstFreeRequestsPerIp: number | null) => {
      const call = { params: { id: widgetId }, body: { captchaFirstFreeRequestsPerIp } };
      return (await owner.api(otpWidgets.update, call)).captchaFirstFreeRequestsPerIp;
    };
    for (const valid of [1, 1001, null, most]) expect(await free(valid)).toBe(valid);
    for (const wrong of [0, -1, 1.5, most + 1])
      await expect(free(wrong)).rejects.toMatchObject({ status: 422 });
    await otpSession(world, widgetId, phone);
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
    const results = await Promise.allSettled([ask(token), ask(token), ask(token)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await errorOf(ask(token))).toBe('CaptchaNotConfirmedException');
    // In the next hour by the clock, which may begin a second after the solution was used.
    world.clock.forward(3600);
    expect(await errorOf(ask(token))).toBe('CaptchaNotConfirmedException');
    world.clock.forward(-3600);
    // Of many that come at once exactly one is the first.
    const counters = world.api.get(OtpCounters, { strict: false });
    for (let i = 0; i < 20; i++) {
      const once = { kind: 'captcha' as const, key: `token ${i}`, seconds: 3600 };
      const firsts = await Promise.all([1, 2, 3, 4].map(() => counters.isFirst(once)));
      expect(firsts.filter(Boolean)).toHaveLength(1);
    }
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
      expect.objectContaining({
        prefix: '+790312',
        confirmed: 0,
        blockedUntil: expect.any(String),
      }),
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
}
