import { randomUUID } from 'node:crypto';
import { storage } from '@heliograph/contract';
import { PHONE, upload, type Scene } from '../scene.ts';
import { administered, administrator, byId, listing, managed, type SamplesOf } from './sample.ts';

const channelCall = async <C extends object>(scene: Scene, channel: string, call: C) => ({
  by: await administrator(scene),
  call: { ...call, params: { channel } },
  row: ['channels', channel, 'name'] as [string, string, string],
  others: 'nothing' as const,
});

async function priceListCall(s: Scene) {
  const { name } = await s.channel();
  const [row] = await s.world.db.query<{ id: string }>(
    `insert into price_lists (channel, currency, valid_from) values ($1, 'EUR', clock_timestamp()) returning id`,
    [name],
  );
  const sample = await channelCall(s, name, {});
  return { ...sample, call: { params: { channel: name, id: row!.id } } };
}

async function shiftCall(s: Scene) {
  const RouteId = await s.route();
  const [row] = await s.world.db.query<{ id: string }>(
    `insert into share_shifts (route_id, channel, before, after, reason) values ($1, 'simulator', 500, 550, 'others') returning id`,
    [RouteId],
  );
  return {
    by: await administrator(s),
    call: { query: { filter: { RouteId: [RouteId] } } },
    row: ['share_shifts', row!.id] as [string, string],
    others: 'nothing' as const,
  };
}

async function registeredCall(s: Scene) {
  const { name } = await s.channel();
  const [row] = await s.world.db.query<{ id: string }>(
    `insert into channel_sendernames (channel, type, name, key, since) values ($1, 'sms', 'TEA', $2, now()) returning id`,
    [name, `sms:${randomUUID()}`],
  );
  const sample = await channelCall(s, name, {});
  return { ...sample, call: { params: { channel: name, id: row!.id } } };
}

async function carrierCall<B>(scene: Scene, bodyFor: (sendingId: string) => B) {
  const { name, headersFor } = await scene.channel();
  const id = await scene.sending();
  const body = bodyFor(id);
  const call = { params: { channel: name }, body, headers: headersFor(body) };
  return { call, row: ['sendings', id] as [string, string], others: 'anything' as const };
}

async function callbackCall<C extends object>(scene: Scene, callFor: (reference: string) => C) {
  const { callbacks, secret } = await scene.channel();
  const id = await scene.sending();
  const call = { ...callFor(id), params: { carrier: callbacks }, headers: { 'x-proof': secret } };
  return { call, row: ['sendings', id] as [string, string], others: 'anything' as const };
}

async function failedJobCall(s: Scene) {
  const id = randomUUID();
  await s.world.db.query(
    `insert into failed_jobs (id, name, queue, payload, failed_at, error)
     values ($1::uuid, 'task.drop', 'drops', jsonb_build_object('taskId', $1::uuid), now(), 'timeout')`,
    [id],
  );
  return {
    by: await administrator(s),
    call: { params: { id } },
    row: ['failed_jobs', id] as [string, string],
    others: 'nothing' as const,
  };
}

export const CHANNELS: SamplesOf<
  | 'channels'
  | 'channelSendernames'
  | 'installation'
  | 'margins'
  | 'messageRuleGroups'
  | 'operators'
  | 'patterns'
  | 'purchasePrices'
  | 'routes'
  | 'routingGroups'
  | 'shareShifts'
> = {
  installation: {
    retryJob: (s) => failedJobCall(s),
    removeJob: (s) => failedJobCall(s),
    retryJobs: async (s) => ({
      by: await administrator(s),
      call: { body: { queue: 'drops' } },
      row: ['users', s.owner.id] as [string, string],
      others: 'nothing' as const,
    }),
    get: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['users', s.owner.id] as [string, string],
      others: 'nothing' as const,
    }),
    start: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['users', s.owner.id] as [string, string],
      others: 'nothing' as const,
    }),
    settings: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['users', s.owner.id] as [string, string],
      others: 'nothing' as const,
    }),
    update: async (s) => ({
      by: await administrator(s),
      call: { body: { QUOTA_LISTS: 900 } },
      row: ['users', s.owner.id] as [string, string],
      others: 'nothing' as const,
    }),
    testMail: async (s) => {
      const by = await administrator(s);
      const email = `${randomUUID()}@tea.example`;
      await s.world.db.query(
        `update users set data = data || jsonb_build_object('email', $2::text) where id = $1`,
        [by.id, email],
      );
      return {
        by,
        call: {},
        row: ['users', s.owner.id] as [string, string],
        others: 'nothing' as const,
      };
    },
  },
  margins: {
    get: async (s) => ({
      by: await administrator(s),
      call: { query: { from: '2026-01-01', to: '2026-01-31' } },
      row: ['users', s.owner.id] as [string, string],
      others: 'nothing' as const,
    }),
  },
  purchasePrices: {
    find: async (s) => {
      const { call, ...sample } = await priceListCall(s);
      return { ...sample, call: { params: { channel: call.params.channel } } };
    },
    get: async (s) => priceListCall(s),
    remove: async (s) => priceListCall(s),
    create: async (s) =>
      channelCall(s, (await s.channel()).name, {
        body: {
          currency: 'EUR',
          prices: [{ type: 'sms' as const, destination: '25001', price: 0.05 }],
        },
      }),
    preview: async (s) => {
      const sample = await channelCall(s, (await s.channel()).name, {});
      const { key } = await sample.by.api(storage.create, {
        body: upload('mccmnc,price\n25001,0.05\n') as never,
        query: {},
      });
      return { ...sample, call: { ...sample.call, body: { from: { key }, currency: 'EUR' } } };
    },
  },
  channelSendernames: {
    find: async (s) => {
      const { call, ...sample } = await registeredCall(s);
      return { ...sample, call: { params: { channel: call.params.channel } } };
    },
    add: async (s) => channelCall(s, (await s.channel()).name, { body: { names: ['TEA'] } }),
    remove: async (s) => registeredCall(s),
  },
  channels: {
    find: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['channels', (await s.channel()).name, 'name'],
      others: 'nothing',
    }),
    get: async (s) => channelCall(s, (await s.channel()).name, {}),
    domain: async (s) => channelCall(s, (await s.channel()).name, {}),
    live: async (s) => channelCall(s, (await s.channel()).name, {}),
    exchanges: async (s) => channelCall(s, (await s.channel()).name, {}),
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
    rehearse: async (s) => ({
      by: await administrator(s),
      call: {
        body: {
          driver: 'http-mapping',
          options: { url: 'https://carrier.example/', request: '{}', response: '{}' },
          type: 'sms' as const,
          recipient: PHONE,
          payload: { sender: 'TEA', text: 'Hello' },
        },
      },
      row: ['users', s.owner.id],
      others: 'nothing',
    }),
    callback: (s) => callbackCall(s, (reference) => ({ body: { reference, status: 'failed' } })),
    callbackByGet: (s) => callbackCall(s, (id) => ({ query: { id, status: 'failed' } })),
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
  operators: {
    lookup: async (s) => ({
      call: { query: { mccmnc: ['25001'] } },
      row: ['users', s.owner.id],
      others: 'anything',
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
  routes: {
    find: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['routes', await s.route()],
      others: 'nothing',
    }),
    get: (s) => administered(s, byId('routes', s.route())),
    create: async (s) => ({
      by: await administrator(s),
      call: {
        body: {
          title: 'Codes',
          types: ['hlr' as const],
          kinds: ['code' as const],
          channels: [{ ChannelId: 'simulator' }],
        },
      },
      row: ['users', s.owner.id],
      others: 'nothing',
    }),
    update: (s) => administered(s, byId('routes', s.route(), { body: { title: 'Renamed' } })),
    remove: (s) => administered(s, byId('routes', s.route())),
    probe: async (s) => ({
      by: await administrator(s),
      call: {
        body: {
          type: 'sms' as const,
          sender: 'TEA',
          recipient: '+79161234567',
          text: 'Tea',
          OwnerId: s.owner.id,
        },
      },
      row: ['balances', s.owner.id, 'owner_id'] as [string, string, string],
      others: 'nothing' as const,
    }),
  },
  shareShifts: { find: shiftCall },
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
};
