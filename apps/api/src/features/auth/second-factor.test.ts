import { audit, auth, notifications, secondFactor, settings, users } from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticatorOf, withSecondFactor } from '../../../test/second-factor.ts';
import { PASSWORD, type Person, World } from '../../../test/world.ts';
import { resetSecondFactor } from './reset-second-factor.ts';

let world: World;

beforeAll(async () => {
  world = await World.start({ TRUST_PROXY: '1' });
});
afterAll(() => world.stop());

interface Reply {
  status: number;
  remaining: number;
  body: { token?: string; code?: string; message?: string };
}

async function signIn(
  username: string,
  { password = PASSWORD, code, address = '127.0.0.1' }: Record<string, string> = {},
  base = world.base,
): Promise<Reply> {
  const answer = await fetch(`${base}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ username, password, code }),
  });
  const remaining = Number(answer.headers.get('x-ratelimit-remaining') ?? NaN);
  return { status: answer.status, remaining, body: (await answer.json()) as Reply['body'] };
}
const outcome = async (...call: Parameters<typeof signIn>) => {
  const { status, body } = await signIn(...call);
  return status === 200 ? 'in' : body.code;
};
const typesOf = async ({ api }: Pick<Person, 'api'>) =>
  (await api(notifications.find)).data.map(({ type }) => type);
const actionsOf = async (who: Person) =>
  (await who.api(audit.find)).data.map(({ action }) => action);
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: { body: { code: string; data?: { type: string }[] } }) =>
      error.body.data?.[0]?.type ?? error.body.code,
  );

describe('setting up', () => {
  test('needs the password and a right code, and gives ten recovery codes', async () => {
    const who = await world.person();
    const { api } = who;
    const wrong = api(secondFactor.setUp, { body: { password: 'not-this-one' } });
    expect(await refusal(wrong)).toBe('wrong');
    const { secret, url } = await api(secondFactor.setUp, { body: { password: PASSWORD } });
    expect(url).toMatch(/^otpauth:\/\/totp\/Heliograph:user-\w+\?issuer=Heliograph&secret=/);
    expect(new URL(url).searchParams.get('secret')).toBe(secret);
    expect(await api(secondFactor.get)).toMatchObject({ isEnabled: false, codesLeft: 0 });
    expect(await outcome(who.username)).toBe('in');
    const app = authenticatorOf(world, secret);
    const guess = String((Number(app.code()) + 1) % 1e6).padStart(6, '0');
    expect(await refusal(api(secondFactor.enable, { body: { code: guess } }))).toBe('code_wrong');
    const { codes } = await api(secondFactor.enable, { body: { code: app.code() } });
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/);
    const state = await api(secondFactor.get);
    expect(state).toMatchObject({ isEnabled: true, codesLeft: 10, isRequired: false });
    expect(await typesOf(who)).toContain('AuthSecondFactorEnabled');
    expect(await actionsOf(who)).toContain('secondFactor.enable');
    const again = api(secondFactor.setUp, { body: { password: PASSWORD } });
    expect(await refusal(again)).toBe('conflict');
  });

  test('expires, and is replaced by another one', async () => {
    const { api } = await world.person();
    const begin = async () =>
      authenticatorOf(
        world,
        (await api(secondFactor.setUp, { body: { password: PASSWORD } })).secret,
      );
    const [former, current] = [await begin(), await begin()];
    const enable = (code: string) => refusal(api(secondFactor.enable, { body: { code } }));
    expect(await enable(former.code())).toBe('code_wrong');
    world.clock.forward(1801);
    expect(await enable(current.code())).toBe('not_found');
    expect(await enable((await begin()).code())).toBe('accepted');
  });

  test('is completed once, by one of two requests at once', async () => {
    const { api } = await world.person();
    const { secret } = await api(secondFactor.setUp, { body: { password: PASSWORD } });
    const code = authenticatorOf(world, secret).code();
    const both = [1, 2].map(() => refusal(api(secondFactor.enable, { body: { code } })));
    expect((await Promise.all(both)).filter((result) => result === 'accepted')).toHaveLength(1);
    expect((await api(secondFactor.get)).codesLeft).toBe(10);
  });
});

describe('signing in', () => {
  test('needs the code besides the password', async () => {
    const who = await world.person();
    const app = await withSecondFactor(world, who);
    expect(await outcome(who.username)).toBe('second_factor_required');
    expect(await outcome(who.username, { code: app.next() })).toBe('in');
    const spelled = app.next();
    expect(
      await outcome(who.username, { code: ` ${spelled.slice(0, 3)} ${spelled.slice(3)}` }),
    ).toBe('in');
  });

  test('a time step is accepted once, also by two requests at once and in two processes', async () => {
    const who = await world.person();
    const app = await withSecondFactor(world, who);
    const { base } = await world.startApi();
    const code = app.next();
    const both = await Promise.all([
      outcome(who.username, { code }),
      outcome(who.username, { code }, base),
    ]);
    expect(both.sort()).toEqual(['in', 'wrong_code']);
    expect(await outcome(who.username, { code })).toBe('wrong_code');
    // One before an accepted one is not accepted either.
    expect(await outcome(who.username, { code: app.code(-1) })).toBe('wrong_code');
  });

  test('accepts the step before and after the current one, and no other', async () => {
    const who = await world.person();
    const app = await withSecondFactor(world, who);
    world.clock.forward(300);
    for (const steps of [-2, 2])
      expect(await outcome(who.username, { code: app.code(steps) })).toBe('wrong_code');
    for (const steps of [-1, 0, 1])
      expect(await outcome(who.username, { code: app.code(steps) })).toBe('in');
  });

  test('takes a recovery code once, in any spelling, and tells the owner how many are left', async () => {
    const who = await world.person();
    const { recovery } = await withSecondFactor(world, who);
    const [first = '', second = ''] = recovery;
    const code = first.toLowerCase().replace('-', ' ');
    const both = await Promise.all([1, 2].map(() => outcome(who.username, { code })));
    expect(both.sort()).toEqual(['in', 'wrong_code']);
    expect(await outcome(who.username, { code: first })).toBe('wrong_code');
    expect((await who.api(secondFactor.get)).codesLeft).toBe(9);
    const { data } = await who.api(notifications.find, {
      query: { filter: { type: ['AuthRecoveryCodeUsed'] } },
    });
    expect(data).toMatchObject([{ data: { left: 9 } }]);
    const records = await who.api(audit.find, {
      query: { filter: { action: ['secondFactor.useRecoveryCode'] } },
    });
    expect(records.data).toMatchObject([{ after: { left: 9 } }]);
    expect(await outcome(who.username, { code: second })).toBe('in');
  });

  test('a code of another account is wrong', async () => {
    const [one, other] = [await world.person(), await world.person()];
    const [own, foreign] = [
      await withSecondFactor(world, one),
      await withSecondFactor(world, other),
    ];
    expect(await outcome(one.username, { code: foreign.recovery[0]! })).toBe('wrong_code');
    expect(await outcome(one.username, { code: foreign.next() })).toBe('wrong_code');
    expect(await outcome(one.username, { code: own.code() })).toBe('in');
    // A stored secret is bound to its user.
    await world.db.query(
      `update second_factors set secret = (select secret from second_factors where user_id = $2) where user_id = $1`,
      [one.id, other.id],
    );
    expect(await outcome(one.username, { code: foreign.next() })).toBe('internal');
  });

  test('a code tells nothing of a wrong password, nor of an account without a second factor', async () => {
    const who = await world.person();
    const app = await withSecondFactor(world, who);
    const plain = await world.person();
    const password = 'not-this-one';
    const right = app.next();
    for (const code of [right, '000000', undefined])
      for (const { username } of [who, plain, { username: 'nobody-here' }])
        expect(await outcome(username, { password, ...(code && { code }) })).toBe(
          'wrong_credentials',
        );
    // The wrong password did not use the code up.
    expect(await outcome(who.username, { code: right })).toBe('in');
    expect(await outcome(plain.username, { code: '000000' })).toBe('in');
  });

  test('wrong codes count like wrong passwords; asking for the code does not', async () => {
    const who = await world.person();
    const app = await withSecondFactor(world, who);
    for (let i = 0; i < 7; i++)
      expect(await signIn(who.username)).toMatchObject({ status: 401, remaining: 5 });
    for (const remaining of [4, 3, 2])
      expect(await signIn(who.username, { code: '12' })).toMatchObject({ status: 401, remaining });
    expect(await signIn(who.username, { password: 'wrong' })).toMatchObject({ remaining: 1 });
    expect(await signIn(who.username)).toMatchObject({ status: 401, remaining: 1 });
    expect(await signIn(who.username, { code: '34' })).toMatchObject({ remaining: 0 });
    expect(await outcome(who.username, { code: app.next() })).toBe('rate_limited');
    expect(await actionsOf(who)).toContain('auth.failed');
  });

  test('codes cannot be guessed from many addresses', async () => {
    const who = await world.person();
    const app = await withSecondFactor(world, who);
    const guess = (i: number, code = 'x') =>
      outcome(who.username, { code, address: `10.0.1.${i}` });
    for (let i = 0; i < 10; i++) expect(await guess(i)).toBe('wrong_code');
    expect(await guess(11, app.next())).toBe('rate_limited');
  });

  test('a hostile code is refused', async () => {
    const who = await world.person();
    await withSecondFactor(world, who);
    expect(await outcome(who.username, { code: '1'.repeat(41) })).toBe('validation');
    expect(await outcome(who.username, { code: '' })).toBe('validation');
    for (const code of ['\u0661\u0662\u0663\u0664\u0665\u0666', '1e5', '------'])
      expect(await outcome(who.username, { code })).toBe('wrong_code');
  });
});

describe('turning off', () => {
  test('needs password and code; afterwards the password is enough', async () => {
    const who = await world.person();
    const app = await withSecondFactor(world, who);
    const off = (password: string, code: string) =>
      refusal(who.api(secondFactor.disable, { body: { password, code } }));
    const code = app.next();
    expect(await off('not-this-one', code)).toBe('wrong');
    expect(await off(PASSWORD, '000000')).toBe('code_wrong');
    expect(await off(PASSWORD, code)).toBe('accepted');
    expect(await outcome(who.username)).toBe('in');
    expect(await typesOf(who)).toContain('AuthSecondFactorDisabled');
    expect(await actionsOf(who)).toContain('secondFactor.disable');
    expect(await off(PASSWORD, app.next())).toBe('not_found');
  });

  test('a session cannot guess codes without limit', async () => {
    const who = await world.person();
    const app = await withSecondFactor(world, who);
    const body = { password: PASSWORD, code: '000000' };
    for (let i = 0; i < 10; i++)
      expect(await refusal(who.api(secondFactor.disable, { body }))).toBe('code_wrong');
    const right = { password: PASSWORD, code: app.next() };
    expect(await refusal(who.api(secondFactor.disable, { body: right }))).toBe('rate_limited');
  });

  test('new recovery codes replace the former ones', async () => {
    const who = await world.person();
    const { recovery, next } = await withSecondFactor(world, who);
    const body = { password: PASSWORD, code: next() };
    const { codes } = await who.api(secondFactor.replaceCodes, { body });
    expect(await refusal(who.api(secondFactor.replaceCodes, { body }))).toBe('code_wrong');
    expect(await outcome(who.username, { code: recovery[0]! })).toBe('wrong_code');
    expect(await outcome(who.username, { code: codes[0]! })).toBe('in');
    expect(await actionsOf(who)).toContain('secondFactor.replaceCodes');
  });
});

describe('resetting it of another user', () => {
  const reset = ({ api }: Pick<Person, 'api'>, id: string, password = PASSWORD) =>
    refusal(api(secondFactor.reset, { params: { id }, body: { password } }));

  test('is for managers of the account, with their password, and is told to the user', async () => {
    const manager = await world.person({ level: 'manager' });
    const customer = await world.person({ managerId: manager.id });
    await withSecondFactor(world, customer);
    expect(await reset(manager, customer.id, 'not-this-one')).toBe('wrong');
    expect(await reset(await world.person({ level: 'manager' }), customer.id)).toBe('not_found');
    expect(await reset(customer, customer.id)).toBe('forbidden');
    expect(await reset(manager, customer.id)).toBe('accepted');
    expect(await outcome(customer.username)).toBe('in');
    const { data } = await customer.api(notifications.find);
    expect(data[0]).toMatchObject({
      type: 'AuthSecondFactorReset',
      data: { by: manager.username },
    });
    expect(await actionsOf(customer)).toContain('secondFactor.reset');
    expect(await reset(manager, customer.id)).toBe('conflict');
  });

  test('is refused for equals, for oneself, and to resellers and impersonated sessions', async () => {
    const admin = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
    const equal = await world.person({ level: 'manager' });
    const reseller = await world.person({ level: 'reseller' });
    const customer = await world.person({ resellerId: reseller.id });
    for (const who of [admin, equal, customer]) await withSecondFactor(world, who);
    expect(await reset(admin, equal.id)).toBe('forbidden');
    expect(await reset(admin, admin.id)).toBe('forbidden');
    expect(await reset(reseller, customer.id)).toBe('forbidden');
    const { token } = await admin.api(auth.loginAs, { params: { id: reseller.id } });
    const borrowed = { api: world.client(token) };
    expect(await reset(borrowed, customer.id)).toBe('forbidden');
    const { api } = borrowed;
    const setUp = refusal(api(secondFactor.setUp, { body: { password: PASSWORD } }));
    expect(await setUp).toBe('borrowed_session');
  });

  test('is shown to those above', async () => {
    const manager = await world.person({ level: 'manager' });
    const customer = await world.person({ managerId: manager.id });
    await withSecondFactor(world, customer);
    const call = { params: { id: customer.id }, query: { scope: ['full' as const] } };
    expect(await manager.api(users.get, call)).toMatchObject({ hasSecondFactor: true });
    expect(await customer.api(users.get, call)).not.toHaveProperty('hasSecondFactor');
  });
});

test('the operator resets it of anybody, also of a manager', async () => {
  const manager = await world.person({ level: 'manager' });
  await withSecondFactor(world, manager);
  await resetSecondFactor(world.db, manager.username.toUpperCase());
  expect(await outcome(manager.username)).toBe('in');
  expect(await actionsOf(manager)).toContain('secondFactor.reset');
  for (const name of [manager.username, 'nobody-here'])
    await expect(resetSecondFactor(world.db, name)).rejects.toThrow(name);
});

test('login-as needs no code of the customer', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  await withSecondFactor(world, customer);
  const { token } = await reseller.api(auth.loginAs, { params: { id: customer.id } });
  expect(await world.client(token)(users.me)).toMatchObject({ id: customer.id });
  expect((await world.client(token)(secondFactor.get)).isEnabled).toBe(true);
});

test('a password that is set by e-mail leaves the second factor on', async () => {
  const who = await world.person();
  const app = await withSecondFactor(world, who);
  const key = crypto.randomUUID();
  await world.db.query(
    `insert into recovery_keys values ($1, sha256($2::bytea), now() + interval '1 hour')`,
    [who.id, Buffer.from(key)],
  );
  // It asks for the code while the password is changed.
  expect(await outcome(who.username)).toBe('second_factor_required');
  const password = 'a new password 7';
  await fetch(`${world.base}/api/recover/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
  const code = app.next();
  expect(await outcome(who.username, { code })).toBe('wrong_credentials');
  expect(await outcome(who.username, { password })).toBe('second_factor_required');
  expect(await outcome(who.username, { password, code })).toBe('in');
});

test('is required of levels by configuration: until it is set up nothing else can be called', async () => {
  const manager = await world.person({ level: 'manager' });
  const customer = await world.person({ managerId: manager.id });
  const { base } = await world.startApi({ SECOND_FACTOR_REQUIRED: ['manager'] });
  const { body } = await signIn(manager.username, {}, base);
  const api = world.client(body.token, base);
  expect((await api(settings.get)).session.mustSetUpSecondFactor).toBe(true);
  expect(await api(secondFactor.get)).toMatchObject({ isRequired: true });
  const denied = 'second_factor_setup_required';
  expect(await refusal(api(users.find))).toBe(denied);
  expect(await refusal(api(auth.loginAs, { params: { id: customer.id } }))).toBe(denied);
  expect(await refusal(world.client(customer.token, base)(users.me))).toBe('accepted');
  await withSecondFactor(world, { api });
  expect((await api(settings.get)).session.mustSetUpSecondFactor).toBe(false);
  const { token } = await api(auth.loginAs, { params: { id: customer.id } });
  // Whoever acts as a customer has signed in with a second factor.
  expect(await world.client(token, base)(users.me)).toMatchObject({ id: customer.id });
});

test('the secret and the codes are in no answer, event, audit record or column', async () => {
  const who = await world.person();
  const { secret, recovery, next } = await withSecondFactor(world, who);
  const code = next();
  await signIn(who.username, { code });
  await signIn(who.username, { code: recovery[0]! });
  const rows = await world.db.query<{ stored: string }>(
    `select json_build_array(
       (select json_agg(x) from second_factors x), (select json_agg(x) from recovery_codes x),
       (select json_agg(x) from audit_log x), (select json_agg(x) from notifications x),
       (select json_agg(x) from idempotency_keys x), (select json_agg(x) from visits x))::text as stored`,
  );
  const shown = JSON.stringify([
    rows[0]!.stored,
    await who.api(users.me, { query: { scope: ['full'] } }),
    await who.api(secondFactor.get),
    await who.api(audit.find),
    await who.api(settings.get),
  ]);
  for (const hidden of [secret, code, recovery[0]!, recovery[0]!.replace('-', '')])
    expect(shown.includes(hidden)).toBe(false);
  expect(shown.includes(Buffer.from(secret).toString('hex'))).toBe(false);
});
