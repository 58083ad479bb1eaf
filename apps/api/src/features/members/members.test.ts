import {
  audit,
  auth,
  billings,
  contacts,
  members,
  notificationSettings,
  recovery,
  reports,
  secondFactor,
  sendings,
  sessions,
  settings,
  storage,
  tasks,
  tokens,
  users,
  webhooks,
  type ApiError,
  type NewMember,
} from '@heliograph/contract';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { until, World, type Person } from '../../../test/world.ts';
import { Events } from '../../core/events/events.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { BalanceLimitsService } from '../notification-settings/balance-limits.service.ts';
import { DailyBalanceService } from '../notification-settings/daily-balance.service.ts';

const PASSWORD = 'tea & 3 cups';

let world: World;
let owner: Person;
let other: Person;
let count = 0;

beforeAll(async () => {
  // Links are shown where there is no mail.
  world = await World.start({ MAIL_TRANSPORT: 'off', SENDERNAMES_CHECK: 'none' });
  owner = await world.person();
  other = await world.person();
});
afterAll(() => world.stop());

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );
const keyOf = (url: string | null) => url!.split('/').at(-1)!;
const invite = (by: Person, over: Partial<NewMember> = {}) =>
  by.api(members.create, {
    body: { email: `member-${++count}@tea.example`, role: 'sender', ...over },
  });
const setRole = (by: Person, { id }: { id: string }, role: NewMember['role']) =>
  by.api(members.update, { params: { id }, body: { role } });
const remove = (by: Person, { id }: { id: string }) => by.api(members.remove, { params: { id } });
const rolesOf = async (by: Person) =>
  Object.fromEntries((await by.api(members.find)).data.map(({ id, role }) => [id, role]));

test('a person is invited, chooses a password by the link, and works in the account with the role', async () => {
  const { member, invitation } = await invite(owner, { firstName: 'Anna', role: 'sender' });
  expect(member).toMatchObject({
    username: member.email,
    firstName: 'Anna',
    role: 'sender',
    isHolder: false,
    isActive: true,
    invitedAt: expect.any(String),
    hasSecondFactor: false,
    lastUsedAt: null,
  });
  expect(invitation).toMatchObject({ email: null, url: expect.stringContaining('/recover/') });
  // A further link replaces the first one.
  const params = { id: member.id };
  const second = await owner.api(members.invite, { params, body: {} });
  const visitor = world.client();
  const reset = (url: string | null) =>
    visitor(recovery.reset, { params: { key: keyOf(url) }, body: { password: PASSWORD } });
  expect(await codeOf(reset(invitation.url))).toBe('not_found');
  await reset(second.url);
  const api = world.client(await world.login(member.username, PASSWORD));
  const me = await api(users.me);
  expect(me).toMatchObject({ OwnerId: owner.id, level: 'me', role: 'sender' });
  expect(me).not.toHaveProperty('balance');
  await api(contacts.find);
  expect(await codeOf(api(billings.find))).toBe('forbidden');
  const { permissions, session } = await api(settings.get);
  expect(permissions).toHaveProperty(['sendings.generate']);
  expect(permissions).not.toHaveProperty(['billings.find']);
  expect(session).toMatchObject({ UserId: member.id, OwnerId: owner.id });
  expect(await codeOf(owner.api(members.invite, { params, body: {} }))).toBe('conflict');
  const { data } = await owner.api(members.find);
  expect(data[0]).toMatchObject({ id: owner.id, role: 'owner', isHolder: true });
  expect(data.find(({ id }) => id === member.id)).toMatchObject({
    invitedAt: null,
    lastUsedAt: expect.any(String),
  });
});

test('the invitation is sent by e-mail where there is one, and not shown', async () => {
  const sent: { to: string; url: string }[] = [];
  const mailer = world.api.get(Mailer);
  const { send } = mailer;
  Object.defineProperty(mailer, 'isEnabled', { value: true, configurable: true });
  mailer.assertReady = () => undefined;
  mailer.send = async (to, { link }) => void sent.push({ to, url: link!.url });
  const { member, invitation } = await invite(owner);
  await until(async () => sent.length, 'the letter is sent');
  delete (mailer as { isEnabled?: unknown }).isEnabled;
  mailer.send = send;
  expect(invitation).toMatchObject({ email: member.email, url: null });
  expect(sent).toEqual([{ to: member.email, url: expect.stringContaining('/recover/') }]);
});

test('a name that is taken is refused, and free again once its member is removed', async () => {
  const email = 'boris@tea.example';
  const { member } = await invite(owner, { email });
  await expect(invite(other, { email: 'BORIS@tea.example' })).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field: 'email', type: 'unique' }] },
  });
  await remove(owner, member);
  const again = await invite(other, { email });
  expect(again.member.id).not.toBe(member.id);
  expect(Object.keys(await rolesOf(owner))).not.toContain(member.id);
});

test('a removed member is out at once: session, token, socket, link; what names it stays', async () => {
  const member = await world.member(owner, 'owner');
  const made = await member.api(tokens.create, { body: { description: 'Shop' } });
  const program = world.client(made.token);
  await program(contacts.find);
  const socket = io(world.base, { auth: { token: member.token }, transports: ['websocket'] });
  const ofToken = io(world.base, { auth: { token: made.token }, transports: ['websocket'] });
  await world.db.query(
    `insert into passkeys (user_id, title, credential_id, public_key, sign_count, transports, is_synced, challenged_at)
     values ($1::uuid, 'Phone of Ann', $1::uuid::text, '', 0, '{}', false, now())`,
    [member.id],
  );
  const lost: string[] = [];
  for (const one of [socket, ofToken]) one.on('disconnect', (reason) => lost.push(reason));
  await until(async () => socket.connected && ofToken.connected, 'the sockets are connected');
  await remove(owner, member);
  expect(await codeOf(member.api(users.me))).toMatch(/session_ended|unauthorized/);
  expect(await codeOf(program(contacts.find))).toBe('unauthorized');
  await until(async () => lost.length === 2, 'the sockets are closed');
  socket.disconnect();
  ofToken.disconnect();
  expect(await codeOf(world.login(member.username))).not.toBe('answered');
  expect(await world.db.query(`select 1 from passkeys where user_id = $1`, [member.id])).toEqual(
    [],
  );
  const { data } = await owner.api(audit.find);
  expect(data.find(({ action }) => action === 'members.remove')).toMatchObject({
    Actor: { id: owner.id },
    before: { username: member.username, role: 'owner' },
  });
  expect(data.find(({ action }) => action === 'tokens.create')).toMatchObject({
    Actor: { id: member.id, username: expect.stringContaining(member.username) },
  });
  expect(await codeOf(owner.api(users.get, { params: { id: member.id } }))).toBe('not_found');
  expect(await codeOf(remove(owner, member))).toBe('not_found');
  const { invitation, member: invited } = await invite(owner);
  await remove(owner, invited);
  const key = keyOf(invitation.url);
  expect(await codeOf(world.client()(recovery.check, { params: { key } }))).toBe('not_found');
});

test('a changed role is that of requests, tokens and sockets at once', async () => {
  const member = await world.member(owner, 'accountant');
  const developer = await world.member(owner, 'developer');
  const made = await developer.api(tokens.create, { body: { description: 'Shop' } });
  const program = world.client(made.token);
  await member.api(billings.find);
  await program(webhooks.find);
  const [heard, ofContacts] = await Promise.all([
    listen(world, member, 'billings.created'),
    listen(world, member, 'contacts.created'),
  ]);
  const emit = (resource: 'billings' | 'contacts') =>
    world.api.get(Events).counted(resource, 'created', owner.id, null, 40);
  emit('billings');
  await until(async () => heard.length, 'the accountant hears of entries');
  await setRole(owner, member, 'sender');
  await setRole(owner, developer, 'analyst');
  expect(await codeOf(member.api(billings.find))).toBe('forbidden');
  expect(await codeOf(program(webhooks.find))).toBe('forbidden');
  await program(sendings.find);
  // The socket is in other rooms: what comes first is what it may hear now.
  await until(async () => {
    emit('billings');
    emit('contacts');
    return ofContacts.length;
  }, 'the sender hears of contacts');
  const before = heard.length;
  emit('billings');
  emit('contacts');
  const known = ofContacts.length;
  await until(async () => ofContacts.length > known, 'the later event arrives');
  expect(heard.length).toBe(before);
  const { data } = await owner.api(audit.find);
  const change = data.find(({ action }) => action === 'members.update');
  expect(change).toMatchObject({ before: { role: 'developer' }, after: { role: 'analyst' } });
  expect(await setRole(owner, member, 'sender')).toMatchObject({ role: 'sender' });
});

test('a token of a member has nothing that the member has not', async () => {
  const developer = await world.member(owner, 'developer');
  const asked = (permissions: string[]) =>
    developer.api(tokens.create, {
      body: { description: 'More', permissions: permissions as never },
    });
  expect(await codeOf(asked(['billings.find']))).toBe('validation');
  const { token } = await asked(['sendings.get']);
  expect(await codeOf(world.client(token)(billings.find))).toBe('forbidden');
  const all = await developer.api(tokens.create, { body: { description: 'All' } });
  const { permissions } = await world.client(all.token)(settings.get);
  expect(permissions).not.toHaveProperty(['billings.find']);
  expect(permissions).not.toHaveProperty(['contacts.remove']);
});

test('who may not work with files or contacts reads those that were made for it, no uploads', async () => {
  const body = new FormData();
  body.set('file', new File(['phone\n+79161234567\n'], 'guests.csv', { type: 'text/csv' }));
  const { id } = await owner.api(storage.create, { body: body as never });
  for (const [role, reads] of [
    ['analyst', false],
    ['accountant', false],
    ['sender', true],
    ['readOnly', true],
  ] as const) {
    const member = await world.member(owner, role);
    const { data } = await member.api(storage.find);
    expect([role, data.some((file) => file.id === id)]).toEqual([role, reads]);
    const got = await codeOf(
      member.api(storage.get, { params: { id }, query: { return: 'meta' } as never }),
    );
    expect([role, got]).toEqual([role, reads ? 'answered' : 'forbidden']);
  }
});

test('members have a password, second factor and sessions of their own', async () => {
  const [one, two] = [await world.member(owner, 'readOnly'), await world.member(owner, 'readOnly')];
  expect((await one.api(sessions.find)).data).toHaveLength(1);
  expect(await one.api(secondFactor.get)).toMatchObject({ isEnabled: false });
  await one.api(auth.logout, { body: { everywhere: true } });
  await two.api(users.me);
  await owner.api(users.me);
});

test('what was taken from the account is taken from its members; what was added is not given to them', async () => {
  const account = await world.person({
    level: 'manager',
    grants: { add: ['users.all', 'channels.get'], remove: ['contacts.get'] },
  });
  const member = await world.member(account, 'owner');
  const { permissions } = await member.api(settings.get);
  expect(permissions['users.get']).toBe('me');
  for (const name of [
    'users.all',
    'channels.get',
    'contacts.get',
    'users.create',
    'secret.loginAs',
  ])
    expect(permissions).not.toHaveProperty([name]);
  const { data } = await member.api(users.find);
  expect(data.every(({ OwnerId }) => OwnerId === account.id)).toBe(true);
});

test('an account has a limited number of members, also when they are invited at the same time', async () => {
  const account = await world.person();
  await world.db.query(
    `insert into users (id, username, password_hash, owner_id, level, role)
     select id, 'm-' || id, '', $1, 'me', 'sender' from (select gen_random_uuid() as id from generate_series(1, 98)) m`,
    [account.id],
  );
  const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(invite(account))));
  expect(codes.filter((code) => code === 'answered')).toHaveLength(2);
  expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(3);
});

test('an estimate tells a member whether the funds suffice, not what they are', async () => {
  const body = { type: 'sms', payload: { sender: 'A', text: 'Tea' }, recipient: '+79161234567' };
  const estimate = (who: Person) => who.api(sendings.estimate, { body: body as never });
  expect(await estimate(owner)).toHaveProperty('balanceAfter');
  const seen = await estimate(await world.member(owner, 'sender'));
  expect(seen).toMatchObject({ enough: true });
  expect(seen).not.toHaveProperty('balanceAfter');
});

test('who may not see the balance is not told it either', async () => {
  const sender = await world.member(owner, 'sender');
  const set = (who: Person) =>
    who.api(notificationSettings.setLimits, { body: { limits: [{ balance: 1_000_000 }] } });
  expect(await codeOf(set(sender))).toBe('forbidden');
  const daily = { params: { type: 'BalanceDaily' }, body: { channel: 'web', isOn: true } } as const;
  expect(await codeOf(sender.api(notificationSettings.update, daily))).toBe('forbidden');
  const accountant = await world.member(owner, 'accountant');
  const offered = async (who: Person) =>
    (await who.api(notificationSettings.get)).events.map(({ type }) => type);
  expect(await offered(sender)).toContain('AuthNewDevice');
  expect(await offered(sender)).not.toContain('BalanceDaily');
  expect(await offered(accountant)).toContain('BalanceDaily');
  expect(await offered(accountant)).not.toContain('SendingsBulkCompleted');
  await set(accountant);
  await accountant.api(notificationSettings.update, daily);
  await setRole(owner, accountant, 'sender');
  world.clock.forward(2 * 86_400);
  const sweep = async () => {
    await world.api.get(BalanceLimitsService, { strict: false }).sweep();
    await world.api.get(DailyBalanceService, { strict: false }).sweep();
  };
  const told = async () => {
    const rows = await world.db.query<{ type: string }>(
      `select type from notifications where user_id = $1 and type like 'Balance%' order by type`,
      [accountant.id],
    );
    return [...new Set(rows.map(({ type }) => type))];
  };
  await sweep();
  expect(await told()).toEqual([]);
  await setRole(owner, accountant, 'accountant');
  await sweep();
  expect(await told()).toEqual(['BalanceDaily', 'BalanceLimit']);
});

test('nothing that a member configures acts beyond its role', async () => {
  const [developer, analyst, accountant] = [
    await world.member(owner, 'developer'),
    await world.member(owner, 'analyst'),
    await world.member(owner, 'accountant'),
  ];
  const hook = { title: 'Money', url: 'https://thief.example', event: 'billings.balance' } as const;
  expect(await codeOf(developer.api(webhooks.create, { body: hook }))).toBe('forbidden');
  const report = (by: Person, preset: 'billings.details' | 'sendings.details') =>
    by.api(reports.create, { body: { preset } });
  expect(await codeOf(report(analyst, 'billings.details'))).toBe('forbidden');
  expect(await codeOf(report(accountant, 'sendings.details'))).toBe('forbidden');
  expect(await codeOf(accountant.api(tasks.find))).toBe('forbidden');
});
