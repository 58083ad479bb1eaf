import {
  ADMINISTRATOR_GRANTS,
  ApiError,
  installation,
  setup,
  type Setup,
  users,
} from '@heliograph/contract';
import { expect, onTestFinished, test } from 'vitest';
import { World } from '../../../test/world.ts';
import { setupCode, setupLink } from './setup-code.ts';

const PASSWORD = 'tea & 3 cups';

/** An installation that nobody administers. */
async function started(env: Record<string, string> = {}) {
  const world = await World.start({ TRUST_PROXY: '1', PUBLIC_URL: 'https://app.example', ...env });
  onTestFinished(() => world.stop());
  return { world, code: await setupCode(world.db, world.config) };
}

const bodyOf = (changes: Partial<Setup>): Setup => ({
  code: '',
  username: 'captain',
  password: PASSWORD,
  email: 'captain@beacon.example',
  ...changes,
});
async function post(
  base: string,
  body: Partial<Setup>,
  address = '10.0.0.1',
): Promise<{ status: number; rule?: string; field?: string }> {
  const answer = await fetch(`${base}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(bodyOf(body)),
  });
  const { data } = (await answer.json()) as { data?: { field: string; type: string }[] };
  const [first] = data ?? [];
  return { status: answer.status, ...(first && { field: first.field, rule: first.type }) };
}
const administrators = ({ db }: World) =>
  db.query<{ username: string; grants: object }>(
    `select username, grants, email_confirmed_at as "confirmedAt" from users where level = 'manager'`,
  );

test('who has the code becomes the administrator, once, and administers', async () => {
  const { world, code } = await started();
  expect(await setupLink(world.db, world.config)).toBe(`https://app.example/setup#${code}`);
  const { id } = await world.client()(setup.create, { body: bodyOf({ code }) });
  const api = world.client(await world.login('captain', PASSWORD));
  expect(await api(users.me, { query: { scope: ['full'] } })).toMatchObject({
    id,
    level: 'manager',
    data: { email: 'captain@beacon.example' },
  });
  // An address that was mistyped recovers no password.
  expect(await administrators(world)).toEqual([
    { username: 'captain', grants: { add: ADMINISTRATOR_GRANTS }, confirmedAt: null },
  ]);
  const [record] = await world.db.query(
    `select action, after->>'username' as username, ip from audit_log where target_id = $1 and action = 'users.create'`,
    [id],
  );
  expect(record).toMatchObject({ action: 'users.create', username: 'captain' });

  await api(installation.update, { body: { REGISTRATION: 'closed' } });

  const again = { body: bodyOf({ code, username: 'pirate' }) };
  await expect(world.client()(setup.create, again)).rejects.toMatchObject({ code: 'conflict' });
  expect(await setupLink(world.db, world.config)).toBeNull();
});

test('of many who come at the same time with the code, at several processes, one becomes the administrator', async () => {
  const { world, code } = await started();
  const other = await world.startApi({ PUBLIC_URL: 'https://app.example' });
  const names = Array.from({ length: 6 }, (_, i) => `captain-${i}`);
  const answers = await Promise.all(
    names.map((username, i) => post(i % 2 ? other.base : world.base, { code, username })),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
  expect(await administrators(world)).toHaveLength(1);
});

test('without the code nobody does, and it cannot be guessed', async () => {
  const { world, code } = await started();
  expect(code).toMatch(/^[0-9a-z]{5}(-[0-9a-z]{5}){3}$/);
  const wrong = { status: 422, field: 'code', rule: 'code_wrong' };
  const guesses = ['0', code.slice(1), code.toUpperCase(), `${code}0`, ' undefined '];
  for (const guess of [...guesses, ...guesses])
    expect(await post(world.base, { code: guess })).toEqual(wrong);
  expect(await post(world.base, { code })).toMatchObject({ status: 429 });
  expect(await administrators(world)).toEqual([]);
  // A stranger keeps nobody else from it, and other mistakes do not count.
  for (let i = 0; i < 12; i++)
    expect(await post(world.base, { code, password: 'password1' }, '10.0.0.2')).toEqual({
      status: 422,
      field: 'password',
      rule: 'common',
    });
  expect(await post(world.base, { code }, '10.0.0.2')).toEqual({ status: 201 });
});

test('the environment may give the code, which is shown nowhere then', async () => {
  const { world } = await started({ SETUP_CODE: 'a code of sixteen or more' });
  expect(await setupLink(world.db, world.config)).toBe('https://app.example/setup');
  const refused = post(world.base, { code: 'a code of sixteen' });
  expect(await refused).toMatchObject({ rule: 'code_wrong' });
  expect(await post(world.base, { code: 'a code of sixteen or more' })).toEqual({ status: 201 });
});

test('where an administrator was made otherwise there is nothing to set up', async () => {
  const { world, code } = await started();
  await world.person({ level: 'manager' });
  const refusal = await world
    .client()(setup.create, { body: bodyOf({ code }) })
    .catch((error: ApiError) => error.code);
  expect(refusal).toBe('conflict');
});
