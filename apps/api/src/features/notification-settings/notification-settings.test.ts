import {
  auth,
  billings,
  notifications,
  notificationSettings,
  sendernames,
  settingsUser,
  type ApiError,
} from '@heliograph/contract';
import type { NotificationType } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { deliver, notificationsOf, poll, serviceOf, withEmail } from '../../../test/notified.ts';
import {
  blocked,
  broken,
  TelegramPeer,
  tooManyRequests,
} from '../../../test/peers/telegram-peer.ts';
import { sidesOf } from '../../../test/samples/documents.ts';
import { type Person, World } from '../../../test/world.ts';
import { Db } from '../../core/db/db.ts';
import { Notifications } from '../../core/notifications.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { InvoiceEmailsService } from '../documents/invoices/invoice-emails.service.ts';
import { TelegramStore } from '../notifications/telegram/telegram.store.ts';
import { wordsOf } from '../notifications/words.ts';
import { BalanceLimitsService } from './balance-limits.service.ts';
import { DailyBalanceService } from './daily-balance.service.ts';

// No worker runs: the tests call what a worker does.
const sink = new SmtpSink();
const peer = new TelegramPeer();
let world: World;
let manager: Person;
let chat = 1000;

beforeAll(async () => {
  await peer.start();
  world = await World.start({
    ...peer.env(),
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: await sink.open(),
    MAIL_FROM: 'news@heliograph.example',
    PUBLIC_URL: 'https://cabinet.example',
  });
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  await poll(world);
});
afterAll(async () => {
  await world.stop();
  sink.close();
  peer.stop();
});
beforeEach(() => {
  peer.failures.length = 0;
  chat++;
});

const choose = (
  who: Person,
  type: NotificationType,
  channel: 'web' | 'telegram' | 'email',
  isOn: boolean,
) => who.api(notificationSettings.update, { params: { type }, body: { channel, isOn } });
const channelsOf = async (who: Person, type: NotificationType) =>
  (await who.api(notificationSettings.get)).events.find((event) => event.type === type)?.channels;
const notify = (who: Person, type: NotificationType, data: object) =>
  serviceOf(world.api, Notifications).notify(who.id, type, { ...data });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ApiError) => error.code,
  );

async function link(who: Person): Promise<string> {
  const { code } = await who.api(notificationSettings.linkTelegram);
  peer.sandbox.write(chat, `/start ${code}`);
  await poll(world);
  return code;
}

describe('channels', () => {
  test('a type has its defaults until a chip is changed; other types and users keep theirs', async () => {
    const [person, other] = [await world.person(), await world.person()];
    expect(await channelsOf(person, 'SendernameApproved')).toEqual(['web']);
    expect(await channelsOf(person, 'BalanceLimit')).toEqual(['web', 'telegram', 'email']);
    expect(await channelsOf(person, 'BalanceDaily')).toEqual([]);
    // Its e-mail is always sent, so it is no choice.
    expect(await channelsOf(person, 'AuthNewDevice')).toEqual(['web', 'telegram']);
    expect(await choose(person, 'SendernameApproved', 'email', true)).toEqual({
      type: 'SendernameApproved',
      channels: ['web', 'email'],
    });
    await choose(person, 'SendernameApproved', 'web', false);
    expect(await channelsOf(person, 'SendernameApproved')).toEqual(['email']);
    expect(await channelsOf(person, 'SendernameRejected')).toEqual(['web']);
    expect(await channelsOf(other, 'SendernameApproved')).toEqual(['web']);
    expect(await refusal(choose(person, 'AuthNewDevice', 'email', true))).toBe('validation');
  });

  test('chips changed at the same time are all saved', async () => {
    const person = await world.person();
    await Promise.all([
      choose(person, 'ReportReady', 'telegram', true),
      choose(person, 'ReportReady', 'email', true),
      choose(person, 'ReportReady', 'web', false),
    ]);
    expect(await channelsOf(person, 'ReportReady')).toEqual(['telegram', 'email']);
  });

  test('a notification is written for the chosen channels that have an address', async () => {
    const person = await world.person();
    await notify(person, 'PaymentsFailed', { amount: 10, method: 'stripe' });
    expect((await notificationsOf(world, person)).map((n) => n.channel)).toEqual(['web']);
    await withEmail(world, person, 'anna@tea.example');
    await notify(person, 'PaymentsFailed', { amount: 10, method: 'stripe' });
    await choose(person, 'PaymentsFailed', 'web', false);
    await notify(person, 'PaymentsFailed', { amount: 10, method: 'stripe' });
    expect((await notificationsOf(world, person)).map((n) => n.channel)).toEqual([
      'web',
      'web',
      'email',
      'email',
    ]);
    const { total } = await person.api(notifications.find, {
      query: { filter: { isRead: false } },
    });
    expect(total).toBe(2);
  });

  test('somebody signed in for the user cannot change them', async () => {
    const person = await world.person({ managerId: manager.id });
    const { token } = await manager.api(auth.loginAs, { params: { id: person.id } });
    const api = world.client(token);
    const body = { channel: 'email' as const, isOn: true };
    const choice = api(notificationSettings.update, { params: { type: 'ReportReady' }, body });
    expect(await refusal(choice)).toBe('borrowed_session');
    expect(await refusal(api(notificationSettings.linkTelegram))).toBe('borrowed_session');
  });
});

describe('e-mail', () => {
  test('is in the language of the user, with a link, and is marked as sent', async () => {
    const person = await world.person();
    await withEmail(world, person, 'irina@tea.example');
    const params = { accountId: person.id, key: 'locale' as const };
    await person.api(settingsUser.update, { params, body: { value: 'ru' } });
    await notify(person, 'TokenExpired', { id: person.id, description: 'CRM', prefix: 'hg_1' });
    await deliver(world);
    const email = sink.emails.find(({ to }) => to.includes('irina@tea.example'));
    expect(email?.subject).toContain('токен');
    expect(email?.text).toContain('CRM');
    expect(email?.text).toContain('https://cabinet.example/account/tokens?id=');
    expect((await notificationsOf(world, person, 'email'))[0]).toMatchObject({
      isSent: true,
      error: null,
    });
  });

  test('is repeated after a temporary refusal, and given up after a final one', async () => {
    const person = await world.person();
    await withEmail(world, person, 'oleg@tea.example');
    const mine = () => sink.emails.filter(({ to }) => to.includes('oleg@tea.example')).length;
    sink.refuse = ['451 4.3.0 later', '451 4.3.0 later'];
    await notify(person, 'TokenExpired', { description: 'CRM', prefix: 'hg_1' });
    await deliver(world);
    expect(mine()).toBe(0);
    await deliver(world);
    expect(mine()).toBe(0);
    world.clock.forward(11);
    await deliver(world);
    expect(mine()).toBe(1);
    sink.refuse = ['550 5.1.1 no such mailbox'];
    await notify(person, 'TokenExpired', { description: 'CRM', prefix: 'hg_1' });
    await deliver(world);
    expect((await notificationsOf(world, person, 'email'))[1]).toMatchObject({
      isSent: false,
      error: 'refused',
    });
    expect(
      await world.db.query(`select 1 from notification_queue where user_id = $1`, [person.id]),
    ).toEqual([]);
  });

  test('a worker that stops while it sends leaves the e-mail to another one', async () => {
    const person = await world.person();
    await withEmail(world, person, 'vera@tea.example');
    await notify(person, 'TokenExpired', { description: 'CRM', prefix: 'hg_1' });
    // What a worker that was killed after taking the row has written.
    await world.db.query(
      `update notification_queue set due_at = $2::timestamptz + interval '120 seconds', tries = 1 where user_id = $1`,
      [person.id, world.clock.now()],
    );
    const mine = () => sink.emails.filter(({ to }) => to.includes('vera@tea.example')).length;
    await deliver(world);
    expect(mine()).toBe(0);
    world.clock.forward(121);
    await Promise.all([deliver(world), deliver(world), deliver(world)]);
    expect(mine()).toBe(1);
  });
});

describe('Telegram', () => {
  test('a code links the chat of its user, once', async () => {
    const [person, thief] = [await world.person(), await world.person()];
    expect((await person.api(notificationSettings.get)).telegram).toMatchObject({
      state: 'unlinked',
      bot: 'HeliographDemoBot',
    });
    const code = await link(person);
    expect(peer.textsOf(chat)[0]).toContain(person.username);
    expect((await person.api(notificationSettings.get)).telegram).toMatchObject({
      state: 'linked',
      chat: 'Demo',
    });
    // The same code in another chat.
    const first = chat++;
    peer.sandbox.write(chat, `/start ${code}`);
    await poll(world);
    expect(peer.textsOf(chat)[0]).toMatch(/wrong or has expired/);
    expect((await thief.api(notificationSettings.get)).telegram.state).toBe('unlinked');
    const rows = await world.db.query<{ id: number }>(
      `select chat_id::float8 as id from telegram_chats where user_id = $1`,
      [person.id],
    );
    expect(rows).toEqual([{ id: first }]);
    const [stored] = await world.db.query(`select * from telegram_codes where user_id = $1`, [
      person.id,
    ]);
    expect(stored).toBeUndefined();
  });

  test('a code is stored as a hash, expires after ten minutes, and a new one replaces it', async () => {
    const person = await world.person();
    const { code, url, expiresAt } = await person.api(notificationSettings.linkTelegram);
    expect(url).toBe(`https://t.me/HeliographDemoBot?start=${code}`);
    expect(Date.parse(expiresAt) - world.clock.now().getTime()).toBeLessThanOrEqual(600_000);
    const [row] = await world.db.query(`select t::text from telegram_codes t where user_id = $1`, [
      person.id,
    ]);
    expect(JSON.stringify(row)).not.toContain(code);
    const next = await person.api(notificationSettings.linkTelegram);
    peer.sandbox.write(chat, code);
    world.clock.forward(601);
    peer.sandbox.write(chat, next.code);
    await poll(world);
    expect(peer.textsOf(chat)).toHaveLength(2);
    expect((await person.api(notificationSettings.get)).telegram.state).toBe('unlinked');
  });

  test('codes cannot be guessed: after five wrong ones the chat has to wait, with the right one too', async () => {
    const person = await world.person();
    for (let i = 0; i < 5; i++) peer.sandbox.write(chat, `/start AAAABBBBCCCCDDD${i}`);
    await poll(world);
    await link(person);
    expect(peer.textsOf(chat).at(-1)).toMatch(/Too many/);
    expect((await person.api(notificationSettings.get)).telegram.state).toBe('unlinked');
  });

  test('an update that two workers read has one effect', async () => {
    peer.sandbox.write(chat, 'hello');
    await Promise.all([poll(world), poll(world), poll(world)]);
    expect(peer.textsOf(chat)).toHaveLength(1);
  });

  test('a moderation result arrives in the linked chat', async () => {
    const person = await world.person({ managerId: manager.id });
    await link(person);
    await choose(person, 'SendernameApproved', 'telegram', true);
    const body = { name: 'MIRTEA', type: 'sms' as const, comment: 'Tea House LLC, INN 7700000009' };
    const { id } = await person.api(sendernames.create, { body });
    await manager.api(sendernames.moderate, { params: { id }, body: { moderation: 'approved' } });
    await deliver(world);
    expect(peer.textsOf(chat).at(-1)).toContain('MIRTEA');
    // Others may get what was left for them, too.
    const own = peer.sent.filter(({ chat_id }) => chat_id === chat);
    expect(own.at(-1)).toMatchObject({ parse_mode: 'HTML' });
    expect((await notificationsOf(world, person, 'telegram')).at(-1)).toMatchObject({
      type: 'SendernameApproved',
      isSent: true,
    });
  });

  test('429 stops the bot for the time that Telegram names, and counts as no attempt', async () => {
    const person = await world.person();
    await link(person);
    await deliver(world);
    const before = peer.sent.length;
    peer.failures.push(tooManyRequests(7));
    await notify(person, 'TokenExpired', { description: 'CRM', prefix: 'hg_1' });
    await deliver(world);
    await deliver(world);
    expect(peer.sent).toHaveLength(before + 1);
    world.clock.forward(6);
    await deliver(world);
    expect(peer.sent).toHaveLength(before + 1);
    world.clock.forward(2);
    await deliver(world);
    expect(peer.sent).toHaveLength(before + 2);
    expect((await notificationsOf(world, person, 'telegram')).at(-1)!.isSent).toBe(true);
  });

  test('a failure is repeated; after a day it is given up', async () => {
    const person = await world.person();
    await link(person);
    await deliver(world);
    await notify(person, 'TokenExpired', { description: 'CRM', prefix: 'hg_1' });
    for (let i = 0; i < 12; i++) {
      peer.failures.length = 0;
      peer.failures.push(broken);
      await deliver(world);
      world.clock.forward(28_801);
    }
    expect((await notificationsOf(world, person, 'telegram')).at(-1)).toMatchObject({
      isSent: false,
      error: 'unreachable',
    });
  });

  test('a blocked bot unlinks the chat and says so in the cabinet', async () => {
    const person = await world.person();
    await link(person);
    await deliver(world);
    peer.failures.push(blocked);
    await notify(person, 'TokenExpired', { description: 'CRM', prefix: 'hg_1' });
    await deliver(world);
    expect((await person.api(notificationSettings.get)).telegram.state).toBe('unlinked');
    expect((await notificationsOf(world, person, 'web')).at(-1)).toMatchObject({
      type: 'TelegramUnlinked',
      data: { reason: 'blocked' },
    });
    const sent = peer.sent.length;
    await notify(person, 'TokenExpired', { description: 'CRM', prefix: 'hg_1' });
    await deliver(world);
    expect(peer.sent).toHaveLength(sent);
  });

  test('unlinking reads what waits for its user alone', async () => {
    const [person, other] = [await world.person(), await world.person()];
    await world.db.query(
      `insert into telegram_chats (user_id, chat_id, name, created_at) values ($1, 77, 'x', now())`,
      [person.id],
    );
    await world.db.query(
      `with n as (insert into notifications (user_id, owner_id, type, channel)
         select $1, $1, 'TariffUpdate', 'telegram' from generate_series(1, 3000) returning id)
       insert into notification_queue (notification_id, user_id, channel, due_at)
       select id, $1, 'telegram', now() + interval '1 day' from n`,
      [other.id],
    );
    await world.db.query(`analyze notification_queue`);
    const store = serviceOf(world.api, TelegramStore);
    const db = serviceOf(world.api, Db);
    const query = vi.spyOn(db, 'query');
    await store.unlink({ userId: person.id });
    const [sql, values] = query.mock.calls.find(([text]) => text.includes('notification_queue'))!;
    query.mockRestore();
    const plan = await db.queryUnprepared<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) ${sql}`,
      values,
    );
    await world.db.query(`delete from notifications where user_id = $1`, [other.id]);
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).not.toMatch(/Removed by Filter: \d{3,}/);
  });

  test('/stop in the chat and the cabinet unlink it', async () => {
    const person = await world.person();
    await link(person);
    peer.sandbox.write(chat, '/stop');
    await poll(world);
    expect((await person.api(notificationSettings.get)).telegram.state).toBe('unlinked');
    await link(person);
    expect(await person.api(notificationSettings.unlinkTelegram)).toEqual({ wasLinked: true });
    expect(await person.api(notificationSettings.unlinkTelegram)).toEqual({ wasLinked: false });
  });
});

describe('balance limits', () => {
  const sweep = () => serviceOf(world.api, BalanceLimitsService).sweep();
  const set = (who: Person, limits: object[]) =>
    who.api(notificationSettings.setLimits, { body: { limits: limits as never } });
  const fired = async (who: Person) =>
    (await notificationsOf(world, who, 'web')).filter(({ type }) => type === 'BalanceLimit');
  const move = (who: Person, source: 'accrual' | 'subtract', amount: number) =>
    manager.api(billings.create, { body: { OwnerId: who.id, source, amount } });

  test('notify once for each crossing, by any of several workers', async () => {
    const person = await world.person({ balance: 100, managerId: manager.id });
    await set(person, [{ balance: 50 }]);
    await sweep();
    expect(await fired(person)).toEqual([]);
    await move(person, 'subtract', 60);
    await Promise.all([sweep(), sweep(), sweep()]);
    await sweep();
    expect(await fired(person)).toHaveLength(1);
    expect((await fired(person))[0]!.data).toMatchObject({
      limit: 50,
      balance: 40,
      currency: 'RUB',
    });
    await move(person, 'accrual', 60);
    await sweep();
    await move(person, 'subtract', 60);
    await sweep();
    expect(await fired(person)).toHaveLength(2);
  });

  test('the overdraft counts where it is included', async () => {
    const person = await world.person({ balance: 100, managerId: manager.id });
    await world.db.query(`update balances set overdraft = 1000 where owner_id = $1`, [person.id]);
    await set(person, [
      { balance: 200, includeOverdraft: true },
      { balance: 150, includeOverdraft: false },
    ]);
    await sweep();
    expect((await fired(person)).map(({ data }) => data.limit)).toEqual([150]);
    const { limits } = await person.api(notificationSettings.get);
    expect(limits.map(({ isReached }) => isReached)).toEqual([false, true]);
  });

  test('saving the same limits again does not notify again; a sub-zero limit is refused', async () => {
    const person = await world.person({ balance: 10 });
    await set(person, [{ balance: 50 }]);
    await sweep();
    await set(person, [{ balance: 50 }, { balance: 5 }]);
    await sweep();
    expect(await fired(person)).toHaveLength(1);
    expect(await refusal(set(person, [{ balance: -1 }]))).toBe('validation');
    expect(await refusal(set(person, Array(11).fill({ balance: 1 }) as object[]))).toBe(
      'validation',
    );
  });

  test('limits that have changed since they were read are not replaced', async () => {
    const person = await world.person({ balance: 10 });
    const sides = await sidesOf(world, person);
    const invoice = { ...sides, type: 'invoice', data: { SERVICE_PRICE: 1500 } };
    const change = (former: object[], limits: object[]) =>
      person.api(notificationSettings.setLimits, { body: { former, limits } as never });
    await change([], [{ balance: 50, invoice }]);
    // That it was reached meanwhile is no change.
    await sweep();
    const former = [{ balance: 50, invoice }];
    const both = [20, 30].map((balance) => change(former, [...former, { balance }]));
    const results = await Promise.allSettled(both);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { status: 409, body: { code: 'conflict' } } }]);
    const [saved] = results.filter((result) => result.status === 'fulfilled');
    const { limits } = await person.api(notificationSettings.get);
    expect(limits).toEqual(saved!.value.limits);
    expect(await refusal(change([], []))).toBe('conflict');
    await change(
      limits.map(({ isReached: _, ...limit }) => limit),
      [],
    );
  });

  test('an automatic invoice is issued once, and sent by e-mail', async () => {
    const person = await world.person({ balance: 10 });
    await withEmail(world, person, 'boss@tea.example');
    const sides = await sidesOf(world, person);
    const invoice = { ...sides, type: 'invoice', data: { SERVICE_PRICE: 1500 } };
    await set(person, [{ balance: 50, invoice }]);
    await Promise.all([sweep(), sweep(), sweep()]);
    const rows = await world.db.query<{ number: string; amount: string; source: string }>(
      `select doc_number as number, amount::text, source from invoices where owner_id = $1`,
      [person.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ source: 'system' });
    expect(Number(rows[0]!.amount)).toBe(1500);
    const { number } = rows[0]!;
    expect((await fired(person))[0]!.data).toMatchObject({
      invoice: number,
      email: 'boss@tea.example',
    });
    await serviceOf(world.api, InvoiceEmailsService).sendDue();
    expect(sink.emails.some(({ to }) => to.includes('boss@tea.example'))).toBe(true);
  });

  test('an installation that has become one for individuals issues none, and keeps other limits open to changes', async () => {
    const person = await world.person({ balance: 10 });
    const sides = await sidesOf(world, person);
    const invoice = { ...sides, type: 'invoice' as const, data: { SERVICE_PRICE: 1500 } };
    await set(person, [{ balance: 50, invoice }]);
    const restricted = await world.startApi({ RESTRICTED_MODE: true });
    const call = world.client(person.token, restricted.base);
    const change = (limits: object[]) =>
      call(notificationSettings.setLimits, { body: { limits: limits as never } });
    await change([{ balance: 50, invoice }, { balance: 5 }]);
    const other = { ...invoice, data: { SERVICE_PRICE: 1600 } };
    await expect(change([{ balance: 50, invoice: other }])).rejects.toMatchObject({ status: 422 });
    await serviceOf(restricted.app, BalanceLimitsService).sweep();
    const { data } = (await fired(person))[0]!;
    expect(data).toMatchObject({ limit: 50, reason: 'no_legal_payers' });
    const rows = await world.db.query(`select 1 from invoices where owner_id = $1`, [person.id]);
    expect(rows).toEqual([]);
  });

  test('an invoice is not said to arrive where there is no address', async () => {
    const person = await world.person({ balance: 10 });
    const invoice = {
      ...(await sidesOf(world, person)),
      type: 'invoice',
      data: { SERVICE_PRICE: 15 },
    };
    await set(person, [{ balance: 50, invoice }]);
    await sweep();
    const { data } = (await fired(person))[0]!;
    expect(data).toMatchObject({ invoice: expect.any(String) });
    const reader = { locale: 'en' as const, timeZone: null, currency: 'RUB' };
    expect(wordsOf('BalanceLimit', data, reader).lines.slice(2)).toEqual([
      `Invoice ${String(data.invoice)} was issued.`,
    ]);
  });

  test('an invoice that cannot be issued is refused when it is set, and named when it is due', async () => {
    const person = await world.person({ balance: 10 });
    const sides = await sidesOf(world, person);
    const invoice = { ...sides, type: 'invoice', data: { SERVICE_PRICE: 100 } };
    const unknown = { ...invoice, companyId: person.id };
    expect(await refusal(set(person, [{ balance: 50, invoice: unknown }]))).toBe('validation');
    const stranger = await world.person();
    expect(await refusal(set(stranger, [{ balance: 50, invoice }]))).toBe('validation');
    await set(person, [{ balance: 50, invoice }]);
    await world.db.query(`delete from requisites where id = $1`, [sides.requisiteId]);
    await sweep();
    expect((await fired(person))[0]!.data).toMatchObject({ reason: 'not_found', balance: 10 });
  });
});

describe('the daily balance', () => {
  const sweep = () => serviceOf(world.api, DailyBalanceService).sweep();

  test('comes once a day at the morning of the user, with what the day before cost', async () => {
    const person = await world.person({ balance: 500 });
    const zone = 'Asia/Vladivostok';
    await person.api(notificationSettings.update, {
      params: { type: 'BalanceDaily' },
      body: { channel: 'web', isOn: true, timeZone: zone },
    });
    const due = async () =>
      (
        await world.db.query<{ at: Date }>(
          `select next_at as at from notification_settings where user_id = $1`,
          [person.id],
        )
      )[0]!.at;
    const first = await due();
    const hour = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hour: 'numeric',
      hourCycle: 'h23',
    });
    expect(hour.format(first)).toBe('09');
    const mine = async () =>
      (await notificationsOf(world, person, 'web')).filter(({ type }) => type === 'BalanceDaily');
    await sweep();
    expect(await mine()).toEqual([]);
    const yesterday = new Date(first.getTime() - 24 * 3_600_000);
    await world.db.query(
      `insert into billings (id, owner_id, source, amount) values ($2, $1, 1, -12.5), ($3, $1, 1, -7)`,
      [person.id, uuidv7(yesterday), uuidv7(new Date(yesterday.getTime() - 24 * 3_600_000))],
    );
    world.clock.forward((first.getTime() - world.clock.now().getTime()) / 1000 + 1);
    await Promise.all([sweep(), sweep(), sweep()]);
    await sweep();
    expect((await mine()).map(({ data }) => data)).toEqual([
      { balance: 500, spent: 12.5, currency: 'RUB' },
    ]);
    // Three mornings without a worker are one notification.
    world.clock.forward(3 * 86_400);
    await sweep();
    expect(await mine()).toHaveLength(2);
    await choose(person, 'BalanceDaily', 'web', false);
    world.clock.forward(2 * 86_400);
    await sweep();
    expect(await mine()).toHaveLength(2);
  });
});
