import {
  audit,
  auth,
  notifications,
  passkeys,
  sessions,
  tokens,
  users,
  type PasskeyRequest,
  type Session,
  type SignedCredential,
} from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Authenticator, withPasskey } from '../../../test/authenticator.ts';
import { refusal } from '../../../test/refusal.ts';
import { withSecondFactor } from '../../../test/second-factor.ts';
import { PASSWORD, type Person, World } from '../../../test/world.ts';
import { Refusals } from '../../core/audit/refusals.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const guest = () => world.client();
const begin = ({ api }: Person) => api(passkeys.begin, { body: { password: PASSWORD } });
const ask = (): Promise<PasskeyRequest> => guest()(passkeys.signInOptions);
const signIn = (credential: SignedCredential) => guest()(passkeys.signIn, { body: { credential } });
const typesOf = async ({ api }: Person) =>
  (await api(notifications.find)).data.map(({ type }) => type);
const actionsOf = async ({ api }: Person) =>
  (await api(audit.find)).data.map(({ action }) => action);

describe('passkeys of a user', () => {
  test('are added with the password, listed, renamed and removed, and the user is told', async () => {
    const who = await world.person();
    const wrong = who.api(passkeys.begin, { body: { password: 'not-this-one' } });
    expect(await refusal(wrong)).toBe('wrong');
    const options = await begin(who);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Heliograph' },
      user: { name: who.username },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const device = await withPasskey(world, who, 'Office laptop');
    const expected = { title: 'Office laptop', isSynced: true, lastUsedAt: null };
    expect(await who.api(passkeys.find)).toMatchObject([expected]);
    expect((await begin(who)).excludeCredentials).toMatchObject([{ id: device.id }]);
    const params = { id: device.passkey.id };
    const renamed = await who.api(passkeys.update, { params, body: { title: 'Phone' } });
    expect(renamed).toMatchObject({ ...expected, title: 'Phone' });
    await who.api(passkeys.remove, { params });
    expect(await who.api(passkeys.find)).toEqual([]);
    expect(await refusal(who.api(passkeys.remove, { params }))).toBe('not_found');
    expect((await typesOf(who)).slice(0, 2)).toEqual(['AuthPasskeyRemoved', 'AuthPasskeyAdded']);
    expect(await actionsOf(who)).toEqual(
      expect.arrayContaining(['passkeys.create', 'passkeys.update', 'passkeys.remove']),
    );
    expect(await refusal(signIn(device.sign(await ask())))).toBe('wrong_passkey');
  });

  test('answer a challenge of their own user, in time, for this site, with a verified person', async () => {
    const [who, other] = [await world.person(), await world.person()];
    const create = async (by: Person, make: (device: Authenticator) => unknown) => {
      const credential = make(new Authenticator(world));
      return refusal(by.api(passkeys.create, { body: { title: 'A', credential } as never }));
    };
    const options = await begin(who);
    expect(await create(other, (device) => device.create(options))).toBe('wrong');
    const forSignIn = { ...options, challenge: (await ask()).challenge };
    expect(await create(who, (device) => device.create(forSignIn))).toBe('wrong');
    for (const answers of [
      { origin: 'https://elsewhere.example' },
      { host: 'elsewhere.example' },
      { isVerified: false },
      { type: 'webauthn.get' },
    ])
      expect(await create(who, (device) => device.create(options, answers))).toBe('wrong');
    world.clock.forward(301);
    expect(await create(who, (device) => device.create(options))).toBe('wrong');
    expect(await who.api(passkeys.find)).toEqual([]);
  });

  test('are of one user each, and not more than twenty', async () => {
    const [who, other] = [await world.person(), await world.person()];
    const device = new Authenticator(world);
    const add = async (by: Person, key = new Authenticator(world)) => {
      const credential = key.create(await begin(by));
      return refusal(by.api(passkeys.create, { body: { title: 'A', credential } }));
    };
    expect(await add(who, device)).toBe('accepted');
    expect(await add(who, device)).toBe('conflict');
    expect(await add(other, device)).toBe('conflict');
    await world.db.query(
      `insert into passkeys (user_id, title, credential_id, public_key, sign_count, transports, is_synced, challenged_at)
       select $1, 'B', $2 || n, '', 0, '{}', false, now() from generate_series(1, 17) n`,
      [who.id, device.id],
    );
    const results = await Promise.all(Array.from({ length: 4 }, () => add(who)));
    expect(results.toSorted()).toEqual([
      'accepted',
      'accepted',
      'quota_exceeded',
      'quota_exceeded',
    ]);
  });

  test('are changed by nobody who has borrowed the session, and by no token', async () => {
    const manager = await world.person({ level: 'manager' });
    const who = await world.person({ ManagerId: manager.id } as never);
    await world.db.query(`update users set manager_id = $2 where id = $1`, [who.id, manager.id]);
    const { passkey } = await withPasskey(world, who);
    const { token } = await manager.api(auth.loginAs, { params: { id: who.id } });
    const borrowed = { ...who, api: world.client(token) };
    const params = { id: passkey.id };
    expect(await refusal(begin(borrowed))).toBe('borrowed_session');
    expect(await refusal(borrowed.api(passkeys.remove, { params }))).toBe('borrowed_session');
    const update = borrowed.api(passkeys.update, { params, body: { title: 'Mine' } });
    expect(await refusal(update)).toBe('borrowed_session');
    const secret = await who.api(tokens.create, { body: { description: 'A' } });
    const program = { ...who, api: world.client(secret.token) };
    expect(await refusal(begin(program))).toBe('session_required');
    expect(await refusal(program.api(passkeys.find))).toBe('session_required');
  });
});

test('a new passkey needs a code while the second factor is on, and uses it up', async () => {
  const who = await world.person();
  const app = await withSecondFactor(world, who);
  const ask = (code?: string) =>
    refusal(who.api(passkeys.begin, { body: { password: PASSWORD, code } }));
  expect(await ask()).toBe('required');
  expect(await ask('WRONG-CODES')).toBe('code_wrong');
  const code = app.next();
  expect(await ask(code)).toBe('accepted');
  expect(await ask(code)).toBe('code_wrong');
  expect(await ask(app.recovery[0])).toBe('accepted');
});

describe('signing in', () => {
  test('needs neither a username nor a password nor a code, and is told of on a new device', async () => {
    const who = await world.person();
    const device = await withPasskey(world, who);
    await withSecondFactor(world, who);
    const answer = await fetch(`${world.base}/api/login/passkey`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0',
      },
      body: JSON.stringify({ credential: device.sign(await ask()) }),
    });
    expect(answer.headers.get('set-cookie')).toMatch(/^device=/);
    const session = (await answer.json()) as Session;
    expect(session).toMatchObject({ id: who.id, username: who.username });
    const own = world.client(session.token);
    expect((await own(users.me)).id).toBe(who.id);
    const [used] = await own(passkeys.find);
    expect(used!.lastUsedAt).not.toBeNull();
    expect((await own(sessions.find)).data.some(({ isCurrent }) => isCurrent)).toBe(true);
    expect(await actionsOf(who)).toContain('auth.login');
    expect(await typesOf(who)).toContain('AuthNewDevice');
  });

  test('uses each answer up, and none that is older than one that was used', async () => {
    const device = await withPasskey(world, await world.person());
    const former = device.sign(await ask());
    world.clock.forward(1);
    const answer = device.sign(await ask());
    const results = await Promise.all([refusal(signIn(answer)), refusal(signIn(answer))]);
    expect(results.toSorted()).toEqual(['accepted', 'wrong_passkey']);
    expect(await refusal(signIn(answer))).toBe('wrong_passkey');
    expect(await refusal(signIn(former))).toBe('wrong_passkey');
  });

  test('refuses wrong signatures, sites, challenges and counts, and a person who was not verified', async () => {
    const who = await world.person();
    const [device, other] = [await withPasskey(world, who), await withPasskey(world, who)];
    const strange = new Authenticator(world);
    const options = await ask();
    const forged = { ...other.sign(options), id: device.id };
    const wrong = [
      strange.sign(options),
      forged,
      device.sign(options, { origin: 'https://elsewhere.example' }),
      device.sign(options, { host: 'elsewhere.example' }),
      device.sign(options, { isVerified: false }),
      device.sign(options, { type: 'webauthn.create' }),
      device.sign({ ...options, challenge: Buffer.from('1.a.b').toString('base64url') }),
      device.sign({ ...options, challenge: (await begin(who)).challenge }),
    ];
    for (const credential of wrong) expect(await refusal(signIn(credential))).toBe('wrong_passkey');
    expect(await refusal(signIn(device.sign(options)))).toBe('accepted');
    // A copy of the key counts less than the key itself.
    world.clock.forward(1);
    device.count = 1;
    expect(await refusal(signIn(device.sign(await ask())))).toBe('wrong_passkey');
    const late = await ask();
    world.clock.forward(301);
    expect(await refusal(signIn(other.sign(late)))).toBe('wrong_passkey');
    await world.api.get(Refusals).flush();
    expect(await actionsOf(who)).toContain('auth.failed');
  });

  test('is for active users', async () => {
    const who = await world.person();
    const device = await withPasskey(world, who);
    await world.db.query(`update users set is_active = false where id = $1`, [who.id]);
    expect(await refusal(signIn(device.sign(await ask())))).toBe('wrong_passkey');
  });
});

test('an installation without a host name or without TLS has no passkeys', async () => {
  const found: [string, string | null][] = [
    ['https://cabinet.example', 'cabinet.example'],
    ['http://cabinet.example', null],
    ['http://localhost:3000', 'localhost'],
    ['https://192.0.2.1', null],
    ['https://[2001:db8::1]', null],
  ];
  const hostOf = (PUBLIC_URL: string) =>
    Object.create(world.config, { PUBLIC_URL: { value: PUBLIC_URL } }).passkeyHost as string | null;
  expect(found.map(([url]) => [url, hostOf(url)])).toEqual(found);
});
