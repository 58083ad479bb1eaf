import { randomInt, randomUUID } from 'node:crypto';
import { accountNotes, captcha, storage, type Client } from '@heliograph/contract';
import { hashPassword } from '../../src/core/auth/passwords.ts';
import { balance } from '../factories.ts';
import { PHONE, upload, type Scene } from '../scene.ts';
import { setupCode } from '../../src/features/users/setup-code.ts';
import { PASSWORD, type World } from '../world.ts';
import { byId, creating, type SamplesOf } from './sample.ts';

async function session({ world, owner }: Scene): Promise<[string, string]> {
  const [row] = await world.db.query<{ id: string }>(
    `select id from sessions where user_id = $1 order by id desc limit 1`,
    [owner.id],
  );
  return ['sessions', row!.id];
}

async function recoveryKey({ world, owner }: Scene): Promise<string> {
  const key = randomUUID();
  await world.db.query(
    `insert into recovery_keys values ($1, sha256($2::bytea), now() + interval '1 hour')`,
    [owner.id, Buffer.from(key)],
  );
  return key;
}

async function emailKey({ world, owner }: Scene): Promise<string> {
  const key = randomUUID();
  await world.db.query(
    `insert into email_changes (user_id, key_hash, expires_at, address, is_email, requested_by)
     values ($1, sha256($2::bytea), now() + interval '1 hour', 'new@tea.example', true, $1)`,
    [owner.id, Buffer.from(key)],
  );
  return key;
}

const memberOf = async ({ world, owner }: Scene) => (await world.member(owner, 'sender')).id;

/** One of the reseller. */
async function note({ owner, reseller }: Scene) {
  const params = { id: owner.id };
  const { id } = await reseller.api(accountNotes.create, { params, body: { text: 'Call in May' } });
  return {
    by: reseller,
    call: { params: { ...params, noteId: id } },
    row: ['account_notes', id] as [string, string],
    others: 'nothing' as const,
  };
}

/** A phone that waits for its code. */
async function phone({ world, owner }: Scene): Promise<string> {
  const number = `+7900${randomInt(1e7).toString().padStart(7, '0')}`;
  await world.db.query(
    `update users set phone_confirmed_at = null, data = data || jsonb_build_object('phone', $2::text) where id = $1`,
    [owner.id, number],
  );
  return number;
}

async function phoneCode(scene: Scene): Promise<string> {
  const code = '042917';
  await scene.world.db.query(
    `insert into phone_codes (user_id, phone, code_hash, expires_at, sending_id) values ($1, $2, $3, now() + interval '1 hour', $1)`,
    [scene.owner.id, await phone(scene), await hashPassword(code)],
  );
  return code;
}

/** A visitor for whom the installation has no administrator yet. */
const whileNew = (world: World): Client =>
  (async (...call: Parameters<Client>) => {
    const managers = await world.db.query<{ id: string }>(
      `update users set level = 'me' where level = 'manager' returning id`,
    );
    try {
      return await world.client()(...call);
    } finally {
      const ids = managers.map(({ id }) => id);
      await world.db.query(`update users set level = 'manager' where id = any($1)`, [ids]);
    }
  }) as Client;

export const ACCOUNTS: SamplesOf<
  | 'accountChanges'
  | 'accountClosings'
  | 'accountNotes'
  | 'auth'
  | 'captcha'
  | 'emails'
  | 'passwords'
  | 'phones'
  | 'recovery'
  | 'registration'
  | 'settingsUser'
  | 'setup'
  | 'members'
  | 'users'
> = {
  accountChanges: {
    apply: async ({ owner, reseller }) => ({
      by: reseller,
      call: { body: { changes: [{ id: owner.id, settings: { isTest: true } }] } },
      row: ['users', owner.id],
      // Each account has its own result, also one that is out of reach.
      others: 'anything',
    }),
    preview: async ({ owner, reseller }) => {
      const { id: key } = await reseller.api(storage.create, {
        body: upload(`account,overdraft\n${owner.id},0\n`),
      });
      return {
        by: reseller,
        call: { body: { from: { key } } },
        row: ['files', key] as [string, string],
        others: 'nothing' as const,
      };
    },
  },
  accountClosings: {
    preview: async ({ owner, reseller }) => ({
      by: reseller,
      ...(await byId('users', Promise.resolve(owner.id))),
    }),
    close: async ({ owner, reseller, world }) => ({
      by: reseller,
      ...(await byId('users', Promise.resolve(owner.id), {
        body: {
          reason: 'The contract has ended',
          settlement: { balance: await balance(world, owner.id), note: 'Paid out' },
        },
      })),
    }),
    reopen: async ({ owner, reseller }) => ({
      by: reseller,
      ...(await byId('users', Promise.resolve(owner.id))),
    }),
  },
  accountNotes: {
    find: async (s) => {
      const { row, by, call } = await note(s);
      return { by, row, call: { params: { id: call.params.id } }, others: 'nothing' };
    },
    create: async ({ owner, reseller }) => ({
      by: reseller,
      ...(await byId('users', Promise.resolve(owner.id), { body: { text: 'Call in May' } })),
    }),
    update: async (s) => {
      const { call, ...sample } = await note(s);
      return { ...sample, call: { ...call, body: { text: 'Call in June' } } };
    },
    remove: (s) => note(s),
  },
  auth: {
    login: async ({ owner: { id, username } }) => ({
      call: { body: { username, password: PASSWORD } },
      row: ['users', id],
      others: 'anything',
    }),
    renew: async (s) => ({ call: {}, row: await session(s), others: 'own' }),
    loginAs: async ({ owner, reseller }) => ({
      by: reseller,
      call: { params: { id: owner.id } },
      row: ['users', owner.id],
      others: 'nothing',
    }),
    loginAsGet: async ({ owner, reseller }) => ({
      by: reseller,
      call: { params: { id: owner.id } },
      row: ['users', owner.id],
      others: 'nothing',
    }),
    logout: async (s) => ({
      call: { body: { everywhere: true } },
      row: await session(s),
      others: 'own',
    }),
  },
  captcha: {
    challenge: async ({ owner }) => {
      // The first call of an installation creates its key.
      await owner.api(captcha.challenge);
      return { call: {}, row: ['users', owner.id], others: 'anything' };
    },
  },
  emails: {
    sendConfirmation: async (s) => {
      await emailKey(s);
      return { call: { body: {} }, row: ['users', s.owner.id], others: 'anything' };
    },
    cancel: async (s) => {
      await emailKey(s);
      return { call: {}, row: ['users', s.owner.id], others: 'anything' };
    },
    check: async (s) => ({
      call: { params: { key: await emailKey(s) } },
      row: ['users', s.owner.id],
      others: 'anything',
    }),
    confirm: async (s) => ({
      call: { params: { key: await emailKey(s) } },
      row: ['users', s.owner.id],
      others: 'anything',
    }),
  },
  passwords: {
    change: async ({ owner }) => ({
      call: {
        body: {
          userId: owner.id,
          passwords: { oldPassword: PASSWORD, newPassword: 'tea & 3 cups' },
        },
      },
      row: ['users', owner.id],
      others: 'nothing',
    }),
  },
  phones: {
    sendCode: async (s) => {
      await phone(s);
      return { call: { body: {} }, row: ['users', s.owner.id], others: 'anything' };
    },
    confirm: async (s) => ({
      call: { body: { code: await phoneCode(s) } },
      row: ['users', s.owner.id],
      others: 'anything',
    }),
    simulated: async (s) => ({ call: {}, row: ['sendings', await s.sending()], others: 'own' }),
  },
  recovery: {
    request: async ({ owner }) => ({
      call: { body: { login: owner.username } },
      row: ['users', owner.id],
      others: 'anything',
    }),
    check: async (s) => ({
      call: { params: { key: await recoveryKey(s) } },
      row: ['users', s.owner.id],
      others: 'anything',
    }),
    reset: async (s) => ({
      call: { params: { key: await recoveryKey(s) }, body: { password: PASSWORD } },
      row: ['users', s.owner.id],
      others: 'anything',
    }),
  },
  registration: {
    create: async ({ owner }) => ({
      call: {
        body: {
          username: `new-${randomUUID()}@tea.example`,
          password: PASSWORD,
          data: { phone: PHONE, firstName: 'Anna' },
        },
      },
      row: ['users', owner.id],
      others: 'anything',
    }),
    survey: async (s) => creating(s, { body: { survey: 'batchMailing:sms' } }),
  },
  setup: {
    create: async ({ world, owner }) => ({
      by: { ...owner, api: whileNew(world) },
      call: {
        body: {
          code: await setupCode(world.db, world.config),
          username: `captain-${randomUUID()}`,
          password: 'tea & 3 cups',
          email: 'captain@tea.example',
        },
      },
      row: ['users', owner.id],
      others: 'anything',
    }),
  },
  settingsUser: {
    get: async ({ owner }) => ({
      call: { params: { accountId: owner.id } },
      row: ['users', owner.id],
      others: 'nothing',
    }),
    update: async ({ owner }) => ({
      call: { params: { accountId: owner.id, key: 'theme' }, body: { value: 'dark' } },
      row: ['users', owner.id],
      others: 'nothing',
    }),
  },
  members: {
    find: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'own' }),
    create: async (s) => ({
      ...creating(s, {
        body: { email: `new-${randomUUID()}@tea.example`, role: 'sender' as const },
      }),
      // Each account has a team of its own.
      others: 'anything',
    }),
    invite: async (s) => {
      const sample = await byId('users', memberOf(s), { body: {} });
      await s.world.db.query(`update users set invited_at = now() where id = $1`, [sample.row[1]]);
      return sample;
    },
    update: (s) => byId('users', memberOf(s), { body: { role: 'analyst' as const } }),
    remove: (s) => byId('users', memberOf(s)),
  },
  users: {
    find: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'own' }),
    me: async (s) => creating(s, {}),
    get: async ({ owner }) => byId('users', Promise.resolve(owner.id)),
    update: async ({ owner }) =>
      byId('users', Promise.resolve(owner.id), { body: { data: { firstName: 'Anna' } } }),
    create: async (s) => ({
      ...creating(s, { body: { data: { email: `new-${randomUUID()}@tea.example` } } }),
      by: s.reseller,
      others: 'anything',
    }),
    invite: async ({ world, owner, reseller }) => {
      await world.db.query(`update users set invited_at = now() where id = $1`, [owner.id]);
      return { by: reseller, ...(await byId('users', Promise.resolve(owner.id), { body: {} })) };
    },
    configure: async ({ owner, reseller }) => ({
      by: reseller,
      ...(await byId('users', Promise.resolve(owner.id), { body: { isTest: true } })),
    }),
    suspend: async ({ owner, reseller }) => ({
      by: reseller,
      ...(await byId('users', Promise.resolve(owner.id), { body: { reason: 'No payment' } })),
    }),
    resume: async ({ owner, reseller }) => ({
      by: reseller,
      ...(await byId('users', Promise.resolve(owner.id))),
    }),
  },
};
