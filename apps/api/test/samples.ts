import { randomInt, randomUUID } from 'node:crypto';
import {
  captcha,
  storage,
  telemetry,
  ADMINISTRATOR_GRANTS,
  type Call,
  type contract,
  type Endpoint,
} from '@heliograph/contract';
import { hashPassword } from '../src/core/auth/passwords.ts';
import { MESSAGE, PHONE, upload, type Scene } from './scene.ts';
import { PASSWORD, type Person } from './world.ts';

/** One right call of an endpoint, on rows of a fresh account. */
export interface Sample<E extends Endpoint = Endpoint> {
  call: Call<E>;
  /** Whose right it is: the account's holder unless said otherwise. */
  by?: Person;
  /** The row that it changes or returns. */
  row: [table: string, key: string, column?: string];
  /**
   * What anybody else gets for the same call: `nothing` is a refusal that does not even say that the row is there, `own`
   * an answer or effect of their own with not a word of the row, `anything` where the call asks for no account.
   */
  others: 'nothing' | 'own' | 'anything';
}

const MOSCOW = { latitude: 55.75, longitude: 37.62 };

type Contract = typeof contract;
type Samples = {
  [N in keyof Contract]: {
    [V in keyof Contract[N]]: Contract[N][V] extends Endpoint
      ? (scene: Scene) => Promise<Sample<Contract[N][V]>>
      : never;
  };
};

/** Names its row in the path. */
const byId = async <C extends object>(table: string, made: Promise<string>, call?: C) => {
  const id = await made;
  const params = { id };
  return {
    call: { ...call, params } as C & { params: typeof params },
    row: [table, id] as [string, string],
    others: 'nothing' as const,
  };
};
/** Lists what is there. */
const listing = async (table: string, made: Promise<string>) => ({
  call: {},
  row: [table, await made] as [string, string],
  others: 'own' as const,
});
/** Channels are the installation's. */
const administrator = ({ world }: Scene) =>
  world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
const administered = async <S extends object>(scene: Scene, sample: Promise<S>) => ({
  ...(await sample),
  by: await administrator(scene),
});
const channelCall = async <C extends object>(scene: Scene, channel: string, call: C) => ({
  by: await administrator(scene),
  call: { ...call, params: { channel } },
  row: ['channels', channel, 'name'] as [string, string, string],
  others: 'nothing' as const,
});
/** Creates a row of the caller. */
const making = <C>({ owner }: Scene, call: C) => ({
  call,
  row: ['users', owner.id] as [string, string],
  others: 'own' as const,
});

/** By a manager who manages the account of the scene. */
async function managed<S extends object>(
  { world, owner }: Scene,
  sample: Promise<S> | S,
): Promise<S & { by: Person }> {
  const by = await world.person({ level: 'manager' });
  await world.db.query(`update users set manager_id = $2 where id = $1`, [owner.id, by.id]);
  return { ...(await sample), by };
}

async function session({ world, owner }: Scene): Promise<[string, string]> {
  const [row] = await world.db.query<{ id: string }>(
    `select id from sessions where user_id = $1 order by id desc limit 1`,
    [owner.id],
  );
  return ['sessions', row!.id];
}

async function entry({ world, owner }: Scene): Promise<string> {
  const [row] = await world.db.query<{ id: string }>(
    `select id from billings where owner_id = $1`,
    [owner.id],
  );
  return row!.id;
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

async function carrierCall<B>(scene: Scene, bodyFor: (sendingId: string) => B) {
  const { name, headersFor } = await scene.channel();
  const id = await scene.sending();
  const body = bodyFor(id);
  const call = { params: { channel: name }, body, headers: headersFor(body) };
  return { call, row: ['sendings', id] as [string, string], others: 'anything' as const };
}

const ready = 'Tea is ready';

/** Every endpoint of the contract has one; what is missing here does not compile, and fails by name. */
export const SAMPLES: Samples = {
  audit: {
    find: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'own' }),
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
  billings: {
    find: (s) => listing('billings', entry(s)),
    balance: async ({ owner }) => ({
      call: { params: { id: owner.id } },
      row: ['balances', owner.id, 'owner_id'],
      others: 'nothing',
    }),
    get: (s) => byId('billings', entry(s)),
    create: async ({ owner, reseller }) => ({
      by: reseller,
      call: { body: { source: 'accrual', amount: 5, OwnerId: owner.id } },
      row: ['balances', owner.id, 'owner_id'],
      others: 'nothing',
    }),
  },
  captcha: {
    challenge: async ({ owner }) => {
      // The first of an installation makes its key.
      await owner.api(captcha.challenge);
      return { call: {}, row: ['users', owner.id], others: 'anything' };
    },
  },
  channels: {
    find: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['channels', (await s.channel()).name, 'name'],
      others: 'nothing',
    }),
    get: async (s) => channelCall(s, (await s.channel()).name, {}),
    remove: async (s) => {
      const name = `c-${randomUUID().slice(0, 8)}`;
      await s.world.db.query(
        `insert into channels (name, driver, types, is_active) values ($1, 'simulator', '{hlr}', false)`,
        [name],
      );
      return channelCall(s, name, {});
    },
    test: async (s) =>
      channelCall(s, (await s.channel()).name, {
        body: { type: 'hlr' as const, recipient: PHONE, payload: { sender: 'TEA' } },
      }),
    drivers: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['channels', (await s.channel()).name, 'name'],
      others: 'nothing',
    }),
    create: async (s) => ({
      by: await administrator(s),
      call: {
        body: { name: `c-${randomUUID().slice(0, 8)}`, driver: 'simulator', types: ['sms'] },
      },
      row: ['users', s.owner.id],
      others: 'nothing',
    }),
    update: async (s) => channelCall(s, (await s.channel()).name, { body: { isActive: false } }),
    statuses: (s) =>
      carrierCall(s, (reference) => ({ statuses: [{ reference, status: 'failed' as const }] })),
    incoming: (s) =>
      carrierCall(s, () => ({
        type: 'sms' as const,
        from: PHONE,
        to: 'TEA',
        payload: { text: 'Yes' },
      })),
  },
  contactLists: {
    find: (s) => listing('contact_lists', s.list()),
    get: (s) => byId('contact_lists', s.list()),
    create: async (s) => making(s, { body: { title: 'Coffee lovers', type: 'regular' } }),
    update: (s) => byId('contact_lists', s.list(), { body: { title: 'Renamed' } }),
    remove: (s) => byId('contact_lists', s.list()),
  },
  contacts: {
    find: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      return {
        call: { query: { filter: { ListId } } },
        row: ['contact_lists', ListId],
        others: 'own',
      };
    },
    get: async (s) => byId('contacts', s.contact(await s.list())),
    create: async (s) => {
      const ListId = await s.list();
      const body = { ListId, phone: PHONE };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
    update: async (s) =>
      byId('contacts', s.contact(await s.list()), { body: { firstName: 'Anna' } }),
    remove: async (s) => byId('contacts', s.contact(await s.list())),
    removeMany: async (s) => {
      const id = await s.contact(await s.list());
      return { call: { body: { ids: [id] } }, row: ['contacts', id], others: 'own' };
    },
    preview: async (s) => {
      const key = await s.file();
      return { call: { body: { from: { key } } }, row: ['files', key], others: 'nothing' };
    },
    import: async (s) => {
      const ListId = await s.list();
      const body = { ListId, from: { key: await s.file() } };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
  },
  emails: {
    sendLetter: async (s) => {
      await emailKey(s);
      return { call: { body: {} }, row: ['users', s.owner.id], others: 'anything' };
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
  geocode: { lookup: async (s) => making(s, { body: MOSCOW }) },
  health: {
    get: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'anything' }),
    live: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'anything' }),
    ready: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'anything' }),
  },
  links: {
    find: (s) => listing('links', s.link()),
    get: (s) => byId('links', s.link()),
    create: async (s) => making(s, { body: { url: 'https://tea.example/sale' } }),
    remove: (s) => byId('links', s.link()),
  },
  messageRuleGroups: {
    find: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['message_rule_groups', await s.ruleGroup()],
      others: 'nothing',
    }),
    get: (s) => administered(s, byId('message_rule_groups', s.ruleGroup())),
    create: async (s) => ({
      by: await administrator(s),
      call: { body: { title: 'Tea houses', rules: { types: ['viber' as const] } } },
      row: ['users', s.owner.id],
      others: 'nothing',
    }),
    update: (s) =>
      administered(s, byId('message_rule_groups', s.ruleGroup(), { body: { title: 'Renamed' } })),
    remove: (s) => administered(s, byId('message_rule_groups', s.ruleGroup())),
    assign: async (s) => ({
      by: await administrator(s),
      call: { params: { id: (await s.ruleGroup()) && s.owner.id }, body: { ids: [] } },
      row: ['users_message_rule_groups', s.owner.id, 'owner_id'],
      others: 'nothing',
    }),
  },
  notifications: {
    find: (s) => listing('notifications', s.notification()),
    read: (s) => byId('notifications', s.notification()),
    readAll: async (s) => ({
      call: {},
      row: ['notifications', await s.notification()],
      others: 'own',
    }),
  },
  patterns: {
    find: (s) => listing('patterns', s.pattern()),
    get: (s) => byId('patterns', s.pattern()),
    create: (s) =>
      managed(s, {
        call: {
          body: {
            title: 'Codes',
            type: 'sms' as const,
            text: 'Code %d{4}',
            group: 'service' as const,
            OwnerId: s.owner.id,
          },
        },
        row: ['balances', s.owner.id, 'owner_id'] as [string, string, string],
        others: 'nothing' as const,
      }),
    update: (s) => managed(s, byId('patterns', s.pattern(), { body: { title: 'Renamed' } })),
    remove: (s) => managed(s, byId('patterns', s.pattern())),
  },
  persons: {
    erase: async (s) => making(s, { body: { address: '+79020000999' } }),
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
    survey: async (s) => making(s, { body: { survey: 'batchMailing:sms' } }),
  },
  operators: {
    lookup: async (s) => ({
      call: { query: { mccmnc: ['25001'] } },
      row: ['users', s.owner.id],
      others: 'anything',
    }),
  },
  routingGroups: {
    find: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['routing_groups', await s.routingGroup()],
      others: 'nothing',
    }),
    get: (s) => administered(s, byId('routing_groups', s.routingGroup())),
    create: async (s) => ({
      by: await administrator(s),
      call: {
        body: { title: 'Tea houses', routes: [{ type: 'viber' as const, ChannelId: 'simulator' }] },
      },
      row: ['users', s.owner.id],
      others: 'nothing',
    }),
    update: (s) =>
      administered(s, byId('routing_groups', s.routingGroup(), { body: { title: 'Renamed' } })),
    remove: (s) => administered(s, byId('routing_groups', s.routingGroup())),
    assign: async (s) => ({
      by: await administrator(s),
      call: { params: { id: (await s.routingGroup()) && s.owner.id }, body: { ids: [] } },
      row: ['users_routing_groups', s.owner.id, 'owner_id'],
      others: 'nothing',
    }),
  },
  sendernames: {
    find: (s) => listing('sendernames', s.sendername()),
    get: (s) => byId('sendernames', s.sendername()),
    create: async (s) =>
      making(s, {
        body: { name: 'TEAHOUSE', type: 'sms', comment: 'Tea House LLC, INN 7700000009' },
      }),
    update: (s) => byId('sendernames', s.sendername(), { body: { isActive: false } }),
    remove: (s) => byId('sendernames', s.sendername()),
    moderate: async (s) => ({
      ...(await byId('sendernames', s.sendername(), { body: { moderation: 'approved' as const } })),
      by: s.reseller,
    }),
  },
  sendings: {
    find: (s) => listing('sendings', s.sending()),
    estimate: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      const body = { ...MESSAGE, recipient: { include: [ListId] } };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
    get: (s) => byId('sendings', s.sending()),
    create: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      const body = { ...MESSAGE, recipient: { include: [ListId] } };
      return { call: { body }, row: ['balances', s.owner.id, 'owner_id'], others: 'nothing' };
    },
  },
  sendingsIncoming: {
    find: (s) => listing('sendings_incoming', s.incoming()),
    get: (s) => byId('sendings_incoming', s.incoming()),
    create: async (s) =>
      making(s, { body: { type: 'sms', from: PHONE, to: 'TEA', payload: { text: 'Yes' } } }),
  },
  settings: { get: async (s) => making(s, {}) },
  storage: {
    find: (s) => listing('files', s.file()),
    get: (s) => byId('files', s.file(), { query: { return: 'meta' } }),
    getPublic: async (s) => {
      const id = await s.file();
      await s.owner.api(storage.update, { params: { id }, body: { isPublic: true } });
      const [file] = await s.world.db.query<{ key: string }>(
        `select public_key as key from files where id = $1`,
        [id],
      );
      return { call: { params: { key: file!.key } }, row: ['files', id], others: 'anything' };
    },
    ticket: (s) => byId('files', s.file()),
    getByTicket: async (s) => {
      const id = await s.file();
      const { url } = await s.owner.api(storage.ticket, { params: { id } });
      const ticket = new URL(url, s.world.base).searchParams.get('ticket')!;
      return {
        call: { params: { id }, query: { ticket } },
        row: ['files', id],
        others: 'anything',
      };
    },
    create: async (s) => making(s, { body: upload(ready) }),
    update: (s) => byId('files', s.file(), { body: { title: 'Renamed' } }),
    remove: (s) => byId('files', s.file()),
  },
  summary: { get: async (s) => making(s, {}) },
  tariffs: { find: (s) => listing('tariffs', s.tariff()) },
  tasks: {
    find: (s) => listing('tasks', idOf(s.task())),
    get: (s) => byId('tasks', idOf(s.task())),
    errors: (s) => byId('tasks', idOf(s.task())),
    unsent: (s) => byId('tasks', idOf(s.task())),
    update: (s) => byId('tasks', idOf(s.task()), { body: { state: 'stopped' as const } }),
    cancel: (s) => byId('tasks', idOf(s.task())),
    remove: (s) => byId('tasks', idOf(s.task())),
  },
  telemetry: {
    find: (s) => listing('visits', s.visit()),
    create: async (s) => making(s, { body: {} }),
    consent: async (s) => making(s, {}),
    decide: async (s) => making(s, { body: { isAllowed: true } }),
    locate: async (s) => {
      await s.owner.api(telemetry.decide, { body: { isAllowed: true } });
      return byId('visits', s.visit(), { body: MOSCOW });
    },
  },
  templates: {
    find: (s) => listing('templates', s.template()),
    get: (s) => byId('templates', s.template()),
    create: async (s) => making(s, { body: { title: 'Sale', ...MESSAGE } }),
    update: (s) => byId('templates', s.template(), { body: { title: 'Renamed' } }),
    remove: (s) => byId('templates', s.template()),
    apply: (s) => byId('templates', s.template()),
    moderate: async (s) => ({
      ...(await byId('templates', s.template(), { body: { moderation: 'approved' as const } })),
      by: s.reseller,
    }),
  },
  textGenerator: {
    generate: async (s) =>
      making(s, {
        body: { channel: 'sms', formValues: { messageTheme: 'Tea', occasion: 'Spring' } },
      }),
  },
  tts: {
    generate: async (s) => making(s, { body: { tts: 'polly:maxim', text: 'Tea is ready' } }),
  },
  users: {
    find: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'own' }),
    me: async (s) => making(s, {}),
    get: async ({ owner }) => byId('users', Promise.resolve(owner.id)),
    update: async ({ owner }) =>
      byId('users', Promise.resolve(owner.id), { body: { data: { firstName: 'Anna' } } }),
  },
};

async function idOf(row: Promise<{ id: string }>): Promise<string> {
  return (await row).id;
}
