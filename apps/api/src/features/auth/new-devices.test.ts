import { auth, notifications } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { until } from '../../../test/until.ts';
import { PASSWORD, type Person, World } from '../../../test/world.ts';
import { clientOf, clientText } from '../../core/http/user-agent.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const sink = new SmtpSink();
let world: World;

beforeAll(async () => {
  const url = await sink.open();
  world = await World.start({
    TRUST_PROXY: '1',
    MAIL_TRANSPORT: 'smtp',
    MAIL_FROM: 'Beacon <noreply@beacon.example>',
    SMTP_URL: url,
    PUBLIC_URL: 'https://beacon.example',
    TITLE: 'Beacon',
  });
});
afterAll(async () => {
  await world.stop();
  sink.close();
});

/** The device cookie of a sign-in. */
async function signIn(
  username: string,
  { useragent = FIREFOX, cookie = '', address = '203.0.113.7', language = 'en' } = {},
): Promise<string> {
  const answer = await fetch(`${world.base}/api/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': useragent,
      'accept-language': language,
      'x-forwarded-for': address,
      cookie,
    },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

async function withEmail(who: Person): Promise<string> {
  const email = `${who.username}@tea.example`;
  await world.db.query(
    `update users set data = data || jsonb_build_object('email', $2::text) where id = $1`,
    [who.id, email],
  );
  return email;
}
const noticesOf = async ({ api }: Person) =>
  (await api(notifications.find, { query: { filter: { type: ['AuthNewDevice'] } } })).data;
const emailsTo = (email: string) => sink.emails.filter(({ to }) => to.includes(email));

test('a sign-in from an unknown device is told by notification and by e-mail', async () => {
  const who = await world.person();
  const email = await withEmail(who);
  const cookie = await signIn(who.username, { language: 'de' });
  const [notice] = await noticesOf(who);
  const device = 'Firefox 143, Linux';
  expect(notice!.data).toMatchObject({ username: who.username, device, ip: '203.0.113.7' });
  await until(async () => emailsTo(email).length === 1, 'the e-mail');
  const { subject, text } = emailsTo(email)[0]!;
  expect(subject).toBe('Neue Anmeldung: Beacon');
  for (const fact of [device, '203.0.113.7', 'UTC', 'https://beacon.example/account/telemetry'])
    expect(text).toContain(fact);
  expect(text).toContain('https://beacon.example/recover');
  // The same device is known afterwards, from every address.
  await signIn(who.username, { cookie, address: '203.0.113.99' });
  expect(await noticesOf(who)).toHaveLength(1);
  // The cookie of another user makes no device known.
  await signIn(who.username, { cookie: await signIn((await world.person()).username) });
  expect(await noticesOf(who)).toHaveLength(2);
});

test('the first sign-in after the registration is not told; one after a long absence is', async () => {
  const username = `new-${crypto.randomUUID()}@tea.example`;
  const register = await fetch(`${world.base}/api/registration`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username,
      password: PASSWORD,
      data: { phone: '+79005550199', firstName: 'Anna' },
    }),
  });
  const { id } = (await register.json()) as { id: string };
  const notificationCount = async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from notifications where user_id = $1 and type = 'AuthNewDevice'`,
      [id],
    );
    return row!.n;
  };
  await signIn(username);
  expect(await notificationCount()).toBe(0);
  // Sessions are deleted a month after they ended.
  await world.db.query(`delete from sessions where user_id = $1`, [id]);
  await signIn(username);
  expect(await notificationCount()).toBe(1);
});

test('a program without cookies is known by its address and user agent', async () => {
  const who = await world.person();
  const program = { useragent: 'curl/8.14.1' };
  for (let i = 0; i < 3; i++) await signIn(who.username, program);
  expect(await noticesOf(who)).toHaveLength(1);
  await signIn(who.username, { ...program, address: '203.0.113.8' });
  expect(await noticesOf(who)).toHaveLength(2);
  // A /64 is one address.
  await signIn(who.username, { ...program, address: '2001:db8::5' });
  await signIn(who.username, { ...program, address: '2001:db8::6' });
  expect(await noticesOf(who)).toHaveLength(3);
});

test('login-as is not told, and a device of an impersonator is no known one', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  await reseller.api(auth.loginAs, { params: { id: customer.id } });
  expect(await noticesOf(customer)).toEqual([]);
  await signIn(customer.username);
  expect(await noticesOf(customer)).toHaveLength(1);
});

test('somebody who knows the password cannot flood the mailbox', async () => {
  const who = await world.person();
  const email = await withEmail(who);
  for (let i = 0; i < 8; i++) await signIn(who.username, { address: `203.0.113.${i}` });
  expect(await noticesOf(who)).toHaveLength(5);
  await until(async () => emailsTo(email).length >= 5, 'five e-mails');
  expect(emailsTo(email)).toHaveLength(5);
});

test('a user agent is shown only as a known browser and system', () => {
  const text = (useragent: string) => clientText(clientOf(useragent));
  expect(text(FIREFOX)).toBe('Firefox 143, Linux');
  expect(
    text(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari 18, iOS 18.6');
  for (const hostile of [
    '',
    'Call +1 555 0100 now/1.0 (x)',
    'https://phish.example/1 ',
    'x'.repeat(1e6),
  ])
    expect(text(hostile)).toBeNull();
  expect(text('Chrome/https://phish.example Mozilla/5.0 (Windows NT 10.0)')).not.toContain('phish');
});

test('a user agent is parsed in linear time', () => {
  const started = process.threadCpuUsage().user;
  for (const part of ['Mozilla/', '(', 'Chrome/1.', ' ', 'Version/1;', 'android '])
    clientOf(part.repeat(500).slice(0, 500));
  expect(process.threadCpuUsage().user - started).toBeLessThan(1_000_000);
});
