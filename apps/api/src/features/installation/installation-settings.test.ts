import {
  ADMINISTRATOR_GRANTS,
  audit,
  INSTALLATION_SETTINGS,
  installation,
  registration,
  settings,
  type InstallationSettingsInput,
} from '@heliograph/contract';
import { SENDING_TYPES } from '@heliograph/domain';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { until, World, type Person } from '../../../test/world.ts';
import { Config, loadConfig, settingNames } from '../../core/config.ts';
import { InstallationSettings } from '../../core/installation-settings.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { TelemetryService } from '../telemetry/telemetry.service.ts';

let world: World;
let administrator: Person;
/** An older process of the installation, with a configuration of its own. */
let other: Awaited<ReturnType<World['startApi']>>;

beforeAll(async () => {
  world = await World.start({
    MAIL_TRANSPORT: '',
    PUBLIC_URL: 'https://cabinet.example',
    QUOTA_TOKENS: '7',
    SENDERNAMES_CHECK: '',
  });
  other = await world.startApi({ REGISTRATION: 'open' });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());

const change = (body: InstallationSettingsInput) =>
  administrator.api(installation.update, { body });
const setting = async (name: string) =>
  (await administrator.api(installation.settings, {})).data.find((one) => one.name === name)!;
let n = 0;
const register = () => {
  const data = { email: `anna-${n}@tea.example`, phone: `8 (900) 123-45-1${n}`, firstName: 'Anna' };
  const body = { username: `new-user-${n++}`, password: 'tea & 2 cups', data };
  return world.client()(registration.create, { body });
};

test('every setting of the table is one of the configuration, with the same default', () => {
  const config = loadConfig({ DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' });
  for (const [name, { default: otherwise }] of Object.entries(INSTALLATION_SETTINGS)) {
    expect(settingNames()).toContain(name);
    expect(config[name as 'REGISTRATION'] ?? null, name).toBe(otherwise);
  }
});

test('a change applies at once, is shown with its author, and null puts the default back', async () => {
  const anna = await world.person();
  const types = async () => (await anna.api(settings.get, {})).frontend.registration;
  expect(await types()).toBe(true);
  await change({ REGISTRATION: 'closed' });
  expect(await types()).toBe(false);
  expect(await setting('REGISTRATION')).toMatchObject({
    value: 'closed',
    default: 'open',
    isSet: true,
    lockedBy: null,
    changedBy: administrator.username,
  });
  await change({ REGISTRATION: null });
  expect(await types()).toBe(true);
  expect(await setting('REGISTRATION')).toMatchObject({
    value: 'open',
    isSet: false,
    changedAt: null,
  });
});

test('other processes follow while they run, and have the settings from their start', async () => {
  const title = async (base: string) =>
    (await world.client(administrator.token, base)(settings.get, {})).features.blog;
  other.app.get(InstallationSettings).start();
  await change({ BLOG_URL: 'https://blog.example/news' });
  await until(async () => (await title(other.base)) !== null, 'the other process to follow');
  expect(await title(other.base)).toBe('https://blog.example/news');
  const { base } = await world.startApi();
  expect(await title(base)).toBe('https://blog.example/news');
  await change({ BLOG_URL: null });
});

test('the types that require an approved sender name are a list, which applies to accounts without one', async () => {
  const anna = await world.person();
  const checked = async (who = anna) => (await who.api(settings.get, {})).sendings.sendernamesCheck;
  const applies = (types: readonly string[]) =>
    until(async () => (await checked()).join() === types.join(), types.join());
  await applies(SENDING_TYPES);
  const own = await world.person();
  await world.db.query(
    `update users set settings = jsonb_set(settings, '{sendings}', '{"sendernamesCheck": ["email"]}') where id = $1`,
    [own.id],
  );
  await change({ SENDERNAMES_CHECK: ['sms', 'viber'] });
  await applies(['sms', 'viber']);
  expect(await checked(own)).toEqual(['email']);
  expect(await setting('SENDERNAMES_CHECK')).toMatchObject({
    value: ['sms', 'viber'],
    default: [...SENDING_TYPES],
    isSet: true,
    changedBy: administrator.username,
  });
  await expect(change({ SENDERNAMES_CHECK: ['sms', 'sms'] })).rejects.toMatchObject({
    status: 422,
  });
  await change({ SENDERNAMES_CHECK: [] });
  await applies([]);
  const { data } = await administrator.api(audit.find, {
    query: { action: 'installation.update', limit: 1 } as never,
  });
  expect(data[0]).toMatchObject({
    before: { SENDERNAMES_CHECK: ['sms', 'viber'] },
    after: { SENDERNAMES_CHECK: [] },
  });
  const locked = await world.startApi({
    given: new Set(['SENDERNAMES_CHECK']),
    SENDERNAMES_CHECK: ['voice'],
  });
  const client = world.client(administrator.token, locked.base);
  const found = await client(installation.settings, {});
  expect(found.data.find(({ name }) => name === 'SENDERNAMES_CHECK')).toMatchObject({
    value: ['voice'],
    lockedBy: 'SENDERNAMES_CHECK',
  });
  await expect(
    client(installation.update, { body: { SENDERNAMES_CHECK: ['sms'] } }),
  ).rejects.toMatchObject({ status: 422 });
  await change({ SENDERNAMES_CHECK: null });
  await applies(SENDING_TYPES);
});

test('what the environment gives is locked, and named', async () => {
  expect(await setting('QUOTA_TOKENS')).toMatchObject({
    value: 7,
    default: 100,
    lockedBy: 'QUOTA_TOKENS',
  });
  const refused = await change({ QUOTA_TOKENS: 50, QUOTA_LISTS: 900 }).catch((e: unknown) => e);
  expect(refused).toMatchObject({ status: 422 });
  expect(JSON.stringify(refused)).toContain('QUOTA_TOKENS');
  // Nothing of the call applies.
  expect(await setting('QUOTA_LISTS')).toMatchObject({ value: 1000, isSet: false });
});

test('a stored value that the environment locks later does not apply', async () => {
  await change({ QUOTA_LINKS: 12 });
  expect(world.api.get(Config).QUOTA_LINKS).toBe(12);
  const locked = await world.startApi({ given: new Set(['QUOTA_LINKS']), QUOTA_LINKS: 34 });
  const { data } = await world.client(administrator.token, locked.base)(installation.settings, {});
  expect(data.find(({ name }) => name === 'QUOTA_LINKS')).toMatchObject({
    value: 34,
    lockedBy: 'QUOTA_LINKS',
    changedAt: null,
  });
  await change({ QUOTA_LINKS: null });
});

test.each([
  ['RETENTION_TEXTS_DAYS', -1],
  ['RETENTION_WEBHOOKS_DAYS', 1],
  ['PASSWORD_MIN', 3],
  ['REGISTRATION', 'ajar'],
  ['REGISTRATION_CREDIT', 0.123_45],
  ['MAIL_TRANSPORT', 'log'],
  ['SMTP_URL', 'smtps://name:password@mail.example'],
  ['SMTP_URL', 'https://mail.example'],
  ['MAIL_FROM', 'Beacon'],
  ['MAIL_FROM', 'Beacon <a@b.example> <c@d.example'],
  ['BLOG_URL', 'javascript:alert(1)'],
  ['SENDERNAMES_CHECK', 'sms'],
  ['SENDERNAMES_CHECK', ['sms', 'telegraph']],
  ['DATABASE_URL', 'postgres://x'],
])('%s does not take %s', async (name, value) => {
  const refused = await change({ [name]: value } as never).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 422 });
});

test('the captcha and the limit of registrations follow the settings', async () => {
  await change({ CAPTCHA_AFTER: 2, REGISTRATION_LIMIT: 4 });
  const codes: string[] = [];
  for (let i = 0; i < 6; i++)
    codes.push(
      await register().then(
        () => 'opened',
        (error: { code: string }) => error.code,
      ),
    );
  expect(codes).toEqual([
    'opened',
    'opened',
    'captcha_required',
    'captcha_required',
    'rate_limited',
    'rate_limited',
  ]);
  await change({ CAPTCHA_AFTER: null, REGISTRATION_LIMIT: null });
});

test('retention follows the settings', async () => {
  const { id } = await world.person();
  const old = uuidFloor(new Date(world.clock.now().getTime() - 20 * 86_400_000));
  await world.db.query(
    `insert into visits (id, user_id, owner_id, ip, action, useragent) values ($1, $2, $2, '192.0.2.1', 'open', '')`,
    [old, id],
  );
  const kept = () => world.db.query(`select 1 from visits where id = $1`, [old]);
  const telemetry = world.api.get(TelemetryService, { strict: false });
  await telemetry.deleteOld();
  expect(await kept()).toHaveLength(1);
  await change({ RETENTION_VISITS_DAYS: 10 });
  await telemetry.deleteOld();
  expect(await kept()).toEqual([]);
  await change({ RETENTION_VISITS_DAYS: null });
});

test('each change is audited with the values before and after, and without secrets', async () => {
  await change({ QUOTA_LISTS: 800, SMTP_PASSWORD: 'open sesame' });
  await change({ QUOTA_LISTS: 700, SMTP_PASSWORD: 'open barley' });
  const { data } = await administrator.api(audit.find, {
    query: { action: 'installation.update', limit: 1 } as never,
  });
  expect(data[0]).toMatchObject({
    action: 'installation.update',
    before: { QUOTA_LISTS: 800, SMTP_PASSWORD: '[redacted]' },
    after: { QUOTA_LISTS: 700, SMTP_PASSWORD: '[redacted]' },
  });
  expect(JSON.stringify(data)).not.toContain('barley');
  expect(await setting('SMTP_PASSWORD')).toMatchObject({ value: null, isSet: true });
  const [row] = await world.db.query<{ sealed: Buffer; value: unknown }>(
    `select sealed, value from installation_settings where name = 'SMTP_PASSWORD'`,
  );
  expect(row!.value).toBeNull();
  expect(row!.sealed.toString('latin1')).not.toContain('barley');
  await change({ QUOTA_LISTS: null, SMTP_PASSWORD: null });
});

/** A mail server that asks for a password, refuses senders of `refused`, and tells what it got. */
async function mailServer(): Promise<{ url: string; said: string[] }> {
  const said: string[] = [];
  const server: Server = createServer((socket) => {
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.write('220 mail.example\r\n');
    let isData = false;
    socket.on('data', (chunk: string) => {
      for (const line of chunk.split('\r\n').filter(Boolean)) {
        said.push(line);
        if (isData) {
          if (line !== '.') continue;
          isData = false;
          socket.write('250 queued as 4711\r\n');
        } else if (line.startsWith('EHLO')) socket.write('250-mail.example\r\n250 AUTH PLAIN\r\n');
        else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n');
        else if (line.startsWith('DATA')) {
          isData = true;
          socket.write('354 go on\r\n');
        } else if (line.includes('refused@')) socket.write('550 we do not relay for you\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return { url: `smtp://tea@127.0.0.1:${(server.address() as AddressInfo).port}`, said };
}

test('e-mail is set up and tested without a restart; the answer of the server is shown', async () => {
  const test = () => administrator.api(installation.testMail, {});
  await expect(test()).rejects.toMatchObject({ code: 'mail_off' });
  const server = await mailServer();
  await expect(change({ MAIL_TRANSPORT: 'smtp' })).rejects.toMatchObject({ status: 422 });
  const MAIL_FROM = 'Tea <no@tea.example>';
  await change({ MAIL_TRANSPORT: 'smtp', SMTP_URL: server.url, SMTP_PASSWORD: 'p/4 ü', MAIL_FROM });
  await expect(test()).rejects.toMatchObject({ status: 422 });
  await world.db.query(
    `update users set data = data || '{"email":"captain@tea.example"}' where id = $1`,
    [administrator.id],
  );
  expect(await test()).toEqual({
    to: 'captain@tea.example',
    isAccepted: true,
    answer: '250 queued as 4711',
  });
  const login = Buffer.from('\0tea\0p/4 ü').toString('base64');
  expect(server.said).toContain(`AUTH PLAIN ${login}`);
  expect(server.said).toContain('RCPT TO:<captain@tea.example>');

  await change({ MAIL_FROM: 'refused@tea.example' });
  const refused = await test();
  expect(refused).toMatchObject({ isAccepted: false });
  expect(refused.answer).toContain('550 we do not relay for you');

  // The password of one server is not for another.
  const second = await mailServer();
  await change({ SMTP_URL: second.url, MAIL_FROM });
  expect(await setting('SMTP_PASSWORD')).toMatchObject({ isSet: false });
  await test();
  expect(second.said.filter((line) => line.startsWith('AUTH'))).toEqual([]);
  await change({ MAIL_TRANSPORT: null, SMTP_URL: null, MAIL_FROM: null });
  await expect(test()).rejects.toMatchObject({ code: 'mail_off' });
});

test('a mail server of the cabinet is not one of the private networks', async () => {
  await expect(change({ SMTP_URL: 'smtp://169.254.169.254:80' })).rejects.toMatchObject({
    status: 422,
  });
  await expect(change({ SMTP_URL: 'smtp://10.0.0.1' })).rejects.toMatchObject({ status: 422 });
});

test('a mail server of the environment locks the whole of it, and its password is not shown', async () => {
  const locked = await world.startApi({
    given: new Set(['SMTP_URL']),
    SMTP_URL: 'smtps://tea:secret@mail.example',
  });
  const client = world.client(administrator.token, locked.base);
  const { data } = await client(installation.settings, {});
  const of = (name: string) => data.find((one) => one.name === name);
  expect(of('SMTP_URL')).toMatchObject({ value: 'smtps://tea@mail.example', lockedBy: 'SMTP_URL' });
  expect(of('SMTP_PASSWORD')).toMatchObject({ lockedBy: 'SMTP_URL' });
  expect(JSON.stringify(data)).not.toContain('secret@');
  await expect(
    client(installation.update, { body: { SMTP_PASSWORD: 'another' } }),
  ).rejects.toMatchObject({ status: 422 });
});

test('settings are for administrators only', async () => {
  const manager = await world.person({ level: 'manager' });
  await expect(manager.api(installation.settings, {})).rejects.toMatchObject({ status: 403 });
  await expect(
    manager.api(installation.update, { body: { QUOTA_LISTS: 1 } }),
  ).rejects.toMatchObject({ status: 403 });
  await expect(manager.api(installation.testMail, {})).rejects.toMatchObject({ status: 403 });
});
