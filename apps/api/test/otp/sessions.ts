import {
  otpHandler,
  otpWidgets,
  phones,
  sendings,
  tokens,
  webhooks,
  type ApiError,
} from '@heliograph/contract';
import { STATUS_CODES, typeCode } from '@heliograph/domain';
import { expect, test } from 'vitest';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { OtpSessionsService } from '../../src/features/otp/handler/otp-sessions.service.ts';
import { Db } from '../../src/core/db/db.ts';
import { SealedChanges } from '../../src/features/sendings/sealed-changes.service.ts';
import { otpCode, otpSent, otpSession, otpStatus, otpWidget } from '../otp.ts';
import { reasonsOf } from '../settled.ts';
import { statementsOf } from '../statements.ts';
import { type Person, until, type World } from '../world.ts';
import { at, errorOf, refusal, wrong, type OtpScene } from './scene.ts';

/** Sessions from the request of a code to their end. */
export function sessionTests(scene: OtpScene): void {
  const { newPhone, visitor, sql, check, confirmed, finish } = scene;
  let world: World;
  let owner: Person;
  let phone: string;
  scene.beforeEach((given) => ({ world, owner, phone } = given));

  test('a test token confirms test numbers by a code of zeros, free of charge and for test tokens alone', async () => {
    const someone = await world.person({ balance: 0 });
    const widgetId = await otpWidget(someone, ['viber'], { captchaIsRequired: true });
    const { token } = await someone.api(tokens.create, {
      body: { description: 'Tests', isTest: true },
    });
    const tester = { ...someone, token, api: world.client(token) };
    const recipient = '+79990000000';
    const start = (of: Person, to = recipient) =>
      of.api(otpHandler.create, {
        body: { widgetId, recipient: to, idempotencyKey: 'order-1001' },
      });
    expect(await errorOf(start(someone))).toBe('CaptchaNotConfirmedException');
    expect(await refusal(start(tester, phone))).toMatchObject({
      type: 'ForbiddenException',
      message: 'A test token confirms test numbers only.',
    });
    const { requestId: id } = await start(tester);
    expect(await start(tester)).toEqual({ requestId: id });
    await otpStatus(world, id, 'sent');
    const [sent] = (await someone.api(sendings.find)).data;
    expect(sent).toMatchObject({ recipient, live: false, meta: { billing: null } });

    const code = (typed: string) =>
      tester.api(otpHandler.checkCode, { ...at(id), body: { code: typed } });
    expect(await refusal(code('1234'))).toMatchObject({
      type: 'InvalidCodeException',
      payload: { remainingCodeAttempts: 2 },
    });
    expect(await code('0000')).toEqual({ success: true });
    // A program with a real token never takes it for the number of a person.
    expect(await errorOf(finish(id, recipient, someone))).toBe('SessionNotFoundException');
    expect(await finish(id, recipient, tester)).toEqual({ success: true });
    expect(await errorOf(finish(id, recipient, tester))).toBe('SessionClosedException');

    await someone.api(otpWidgets.update, {
      params: { id: widgetId },
      body: { captchaIsRequired: false },
    });
    await world.db.query(`update balances set balance = 100 where owner_id = $1`, [someone.id]);
    const { requestId: real } = await start(someone);
    expect(real).not.toBe(id);
    expect(await errorOf(finish(real, recipient, tester))).toBe('SessionNotFoundException');
    expect(await errorOf(tester.api(otpHandler.channel, at(real)))).toBe(
      'SessionNotFoundException',
    );
    const counted = await someone.api(otpWidgets.statistics, { params: { id: widgetId } });
    expect(counted).toMatchObject({ sessions: 1, confirmed: 0 });
  });

  test('sessions of test tokens do not wait for each other, and use up nothing of real ones', async () => {
    const someone = await world.person();
    const widgetId = await otpWidget(someone);
    const body = { description: 'Tests', isTest: true };
    const { token } = await someone.api(tokens.create, { body });
    const started = (by?: string) =>
      world.client(by)(otpHandler.create, { body: { widgetId, recipient: '+79990000001' } });
    for (let i = 0; i < 8; i++)
      expect(await started(token)).toMatchObject({ requestId: expect.any(String) });
    expect(await started()).toMatchObject({ requestId: expect.any(String) });
  });

  test('a code is sent, checked and completed once', async () => {
    const widgetId = await otpWidget(owner, ['viber']);
    const info = await visitor()(otpHandler.widget, { params: { widgetId } });
    expect(info).toMatchObject({
      isBlocked: false,
      isActive: true,
      name: 'Tea shop',
      country: 'RU',
    });
    const id = await otpSession(world, widgetId, phone);
    const channel = await otpStatus(world, id, 'sent');
    expect(channel).toMatchObject({
      type: 'viber',
      label: 'viber',
      codeType: 'code',
      remainingCodeAttempts: 3,
      settings: { lifetime: 60, numberOfTries: 3, numberOfRestart: 1, code: { length: 4 } },
    });
    // Ids in any case.
    expect(await visitor()(otpHandler.channel, at(id.toUpperCase()))).toEqual(channel);
    const status = () => owner.api(otpHandler.status, { ...at(id), query: { recipient: phone } });
    expect(await status()).toEqual({ success: false });
    expect(await errorOf(finish(id, phone))).toBe('SessionNotConfirmedException');

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
    expect(await finish(id, phone)).toEqual({ success: true });
    expect(await errorOf(finish(id, phone))).toBe('SessionClosedException');
    expect(await errorOf(visitor()(otpHandler.channel, at(id)))).toBe('SessionClosedException');
  });

  test('a start that is repeated with its key returns the same session and sends nothing', async () => {
    const widgetId = await otpWidget(owner);
    const start = (key: string, recipient = phone) =>
      visitor()(otpHandler.create, { body: { widgetId, recipient, idempotencyKey: key } });
    const count = async () =>
      (await sql(`select id from otp_sessions where phone = $1`, [phone])).length;
    // The first answer is lost, or on its way.
    const [first, second] = await Promise.all([start('a-key-of-one'), start('a-key-of-one')]);
    expect(second).toEqual(first);
    expect(await start('a-key-of-one')).toEqual(first);
    expect(await count()).toBe(1);
    expect((await refusal(start('a-key-of-one', newPhone())))!.httpStatus).toBe(422);
    const both = await Promise.allSettled([
      start('a-key-of-both', newPhone()),
      start('a-key-of-both', newPhone()),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await start('a-key-of-two')).not.toEqual(first);
    expect(await count()).toBe(2);
    // After its lifetime a key is a new one, whether its row is deleted or not.
    await sql(
      `update idempotency_keys set created_at = now() - interval '25 hours' where answer->>'requestId' = $1`,
      [first.requestId],
    );
    const later = await start('a-key-of-one');
    expect(later).not.toEqual(first);
    expect(await start('a-key-of-one')).toEqual(later);
    // Another widget does not know the key.
    const other = await otpWidget(owner);
    const body = { widgetId: other, recipient: newPhone(), idempotencyKey: 'a-key-of-one' };
    expect(await visitor()(otpHandler.create, { body })).not.toEqual(first);
  });

  test('a start that was refused leaves nothing of its key', async () => {
    const poor = await world.person({ balance: 0 });
    const widgetId = await otpWidget(poor);
    const body = { widgetId, recipient: phone, idempotencyKey: 'refused-key' };
    const start = visitor()(otpHandler.create, { body });
    expect(await errorOf(start)).toBe('NoAvailableChannelsException');
    const kept = await sql(`select key from idempotency_keys where key like '%refused-key'`);
    expect(kept).toEqual([]);
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
    const { id, code } = await otpSent(world, widgetId, phone);
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

  test('a channel ends after its lifetime, whether it waits or was sent, and whatever follows it', async () => {
    const widgetId = await otpWidget(owner, ['viber', 'sms']);
    const id = await otpSession(world, widgetId, phone);
    const secondsLeft = (channel: { expiresAt: string }) =>
      (Date.parse(channel.expiresAt) - world.clock.now().getTime()) / 1000;
    // From its beginning a widget computes how wrong the clock of its device is.
    const first = secondsLeft(await visitor()(otpHandler.channel, at(id)));
    expect(first).toBeGreaterThan(50);
    expect(first).toBeLessThanOrEqual(60);
    const sent = secondsLeft(await otpStatus(world, id, 'sent'));
    expect(sent).toBeGreaterThan(45);
    expect(sent).toBeLessThanOrEqual(60);
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
    expect(await finish(id, phone)).toEqual({ success: true });
  });

  test('reports of any number of sessions take the same statements, and each counts', async () => {
    const widgetId = await otpWidget(owner, ['sim_push']);
    const changesOf = async (count: number) => {
      const ids = [];
      for (let i = 0; i < count; i++) ids.push(await otpSession(world, widgetId, newPhone()));
      const rows = await sql<{ chainId: string }>(
        `select chain_id as "chainId" from otp_sessions where id = any($1)`,
        [ids],
      );
      const type = typeCode('sim_push');
      const changes = rows.flatMap(({ chainId }) => [
        { id: chainId, chainId: null, type, status: null, isSent: true },
        { id: chainId, chainId: null, type, status: null, isSent: true },
        { id: chainId, chainId: null, type, status: STATUS_CODES.seen },
      ]);
      return { ids, changes };
    };
    const db = world.api.get(Db);
    const statements = (changes: Parameters<SealedChanges['changed']>[0]) =>
      statementsOf(db, () =>
        db.transaction(() => world.api.get(SealedChanges, { strict: false }).changed(changes)),
      );
    const one = await changesOf(1);
    const many = await changesOf(7);
    const ofOne = await statements(one.changes);
    expect(await statements(many.changes)).toBe(ofOne);
    expect(
      await sql(
        `select distinct state, confirmed_by, sent_by from otp_sessions where id = any($1)`,
        [many.ids],
      ),
    ).toEqual([{ state: 1, confirmed_by: 'sim_push', sent_by: { sim_push: 3 } }]);
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
    // The state is kept only for clients that do not send the version.
    const [row] = await sql<{ polled: string | null }>(
      `select polled from otp_sessions where id = $1`,
      [id],
    );
    expect(row!.polled).toBeNull();
  });

  test('a code can be sent again after a wait, and the former one is void', async () => {
    const widgetId = await otpWidget(owner, ['viber', 'vk']);
    const { id, code: former } = await otpSent(world, widgetId, phone);
    const resend = () => visitor()(otpHandler.resend, at(id));
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
    const { id, code } = await otpSent(world, widgetId, phone);
    await otpStatus(world, id, 'sent');
    world.clock.forward(20);
    expect(await errorOf(visitor()(otpHandler.channel, at(id)))).toBe('ResendChannelException');
    expect(await errorOf(check(id, code))).toBe('ResendChannelException');
    world.clock.forward(300);
    // A worker may be about to end it.
    const isClosed = async () => {
      await world.api.get(OtpSessionsService, { strict: false }).expire();
      return (await errorOf(check(id, code))) === 'SessionClosedException';
    };
    await until(isClosed, 'the session to end');
    phone = newPhone();
    const done = await confirmed(widgetId, phone);
    const events = await sql<{ key: string; data: object }>(
      `select key, data from webhook_events where key = any($1) order by seq`,
      [[id, done]],
    );
    expect(events).toEqual([
      { key: id, data: { widgetId, channel: null, state: 'failed', reason: 'expired' } },
      { key: done, data: { widgetId, channel: 'viber', state: 'confirmed', reason: null } },
    ]);
    const metrics = await world.api.get(Metrics).registry.metrics();
    for (const state of ['started', 'confirmed', 'expired'])
      expect(metrics).toMatch(
        new RegExp(`otp_sessions_total\\{state="${state}",type="viber"\\} \\d`),
      );
  });

  test('in a demo the owner reads the code on the simulated phone', async () => {
    const reader = await world.person();
    const { id, code } = await otpSent(world, await otpWidget(reader), phone);
    await otpStatus(world, id, 'sent');
    const read = async (by: Person) => JSON.stringify((await by.api(phones.simulated)).data);
    expect(await read(reader)).toContain(code);
    expect(await read(owner)).not.toContain(`"${phone}"`);
  });
}
