import {
  packageOffers,
  payments,
  recurrentPayments,
  storage,
  spendCaps,
  tariffs,
} from '@heliograph/contract';
import { sign } from '../../src/acquirers/sandbox/signature.ts';
import { SANDBOX_SECRET } from '../acquirer-peer.ts';
import { upload, type Scene } from '../scene.ts';
import type { Person } from '../world.ts';
import {
  administered,
  administrator,
  byId,
  creating,
  listing,
  managed,
  type SamplesOf,
} from './sample.ts';

async function entry({ world, owner }: Scene): Promise<string> {
  const [row] = await world.db.query<{ id: string }>(
    `select id from billings where owner_id = $1`,
    [owner.id],
  );
  return row!.id;
}

const body = { amount: 500, method: 'sandbox' as const };
const payment = async ({ owner }: Scene) => (await owner.api(payments.create, { body })).id;

/** Paid by card at the acquirer, too. */
async function completed({ world, owner }: Scene): Promise<string> {
  const { id, url } = await owner.api(payments.create, { body });
  await world.acquirer.pay(url!, { card: '4242 4242 4242 4242' });
  await world.db.query(
    `update payments set status = 'partialRefunded', refunded = 1, completed_at = now() where id = $1`,
    [id],
  );
  return id;
}

const TARIFF = {
  title: 'Own',
  source: 'standard',
  isDefault: false,
  rules: [{ action: 'increase' as const, price: 1.5, conditions: [], priority: 0 }],
};
const CAP = { day: 100, month: null, timeZone: 'Europe/Moscow' };
async function capped(owner: Person): Promise<Person> {
  await owner.api(spendCaps.set, { body: CAP });
  return owner;
}

const OFFER = {
  title: 'A thousand',
  types: ['sms' as const],
  mccmnc: [],
  units: 1000,
  price: 900,
  currency: 'RUB',
  days: 30,
  isActive: true,
};
async function offer(scene: Scene): Promise<string> {
  const by = await administrator(scene);
  return (await by.api(packageOffers.create, { body: OFFER })).id;
}
async function messagePackage(scene: Scene): Promise<string> {
  const [row] = await scene.world.db.query<{ id: string }>(
    `with b as (update balances set has_packages = true where owner_id = $1)
     insert into message_packages (owner_id, offer_id, title, types, mccmnc, units, units_left, price, currency, ends_at)
     select $1, id, title, types, mccmnc, units, units, 0, currency, now() + interval '30 days' from package_offers where id = $2 returning id`,
    [scene.owner.id, await offer(scene)],
  );
  return row!.id;
}

async function referred({ world, owner }: Scene): Promise<string> {
  const { id } = await world.person();
  await world.db.query(`update users set referrer_id = $2 where id = $1`, [id, owner.id]);
  return id;
}

const RULE = {
  type: 'frequency' as const,
  frequency: 'monthly' as const,
  method: 'sandbox' as const,
  amount: 500,
  isOfferAccepted: true as const,
};
const recurrent = async ({ owner }: Scene) =>
  (await owner.api(recurrentPayments.create, { body: RULE })).id;
async function ready(scene: Scene): Promise<string> {
  const id = await recurrent(scene);
  await scene.world.db.query(
    `update recurrent_payments set status = 'ready', card_token = 'x', card_number = '4242' where id = $1`,
    [id],
  );
  return id;
}

/** A manager of the scene's account with a preview of an operation on it, or a file for one. */
async function operator(scene: Scene): Promise<Person> {
  return (await managed(scene, {})).by;
}
async function operation(scene: Scene) {
  const by = await operator(scene);
  const [row] = await scene.world.db.query<{ id: string }>(
    `with o as (insert into billing_operations (owner_id, user_id, filename, hash, rows, ready) values ($1, $1, 'a.csv', 'abc', 1, 1) returning id)
     insert into billing_operation_rows (operation_id, n, account, account_id, currency, amount)
     select id, 2, 'a', $2, 'RUB', 5 from o returning operation_id as id`,
    [by.id, scene.owner.id],
  );
  return { by, id: row!.id };
}
async function operationFile(scene: Scene) {
  const by = await operator(scene);
  const body = upload(`account,amount\n${scene.owner.username},5\n`);
  const { id: key } = await by.api(storage.create, { body });
  const row: [string, string] = ['files', key];
  return { by, call: { body: { from: { key } } }, row, others: 'nothing' as const };
}
const byOperation = async <C extends object>(scene: Scene, call?: C) => {
  const { by, id } = await operation(scene);
  return { by, ...(await byId('billing_operations', Promise.resolve(id), call)) };
};

export const MONEY: SamplesOf<
  | 'billingOperations'
  | 'billings'
  | 'monthlyMinimums'
  | 'packageOffers'
  | 'packages'
  | 'payments'
  | 'recurrentPayments'
  | 'referrals'
  | 'spendCaps'
  | 'tariffs'
> = {
  recurrentPayments: {
    find: (s) => listing('recurrent_payments', recurrent(s)),
    get: (s) => byId('recurrent_payments', recurrent(s)),
    create: async (s) => creating(s, { body: RULE }),
    update: (s) => byId('recurrent_payments', ready(s), { body: { status: 'pause' as const } }),
    reInit: (s) => byId('recurrent_payments', recurrent(s)),
    confirm: (s) => byId('recurrent_payments', recurrent(s), { body: {} }),
    block: (s) =>
      managed(s, byId('recurrent_payments', recurrent(s), { body: { isBlocked: true } })),
    remove: (s) => byId('recurrent_payments', recurrent(s)),
  },
  payments: {
    find: (s) => listing('payments', payment(s)),
    methods: async (s) => ({
      call: { query: { UserId: s.owner.id } },
      row: ['users', s.owner.id],
      others: 'nothing',
    }),
    get: (s) => byId('payments', payment(s)),
    create: async (s) => creating(s, { body }),
    refund: (s) =>
      managed(s, byId('payments', completed(s), { body: { amount: 100, refunded: 1 } })),
    notify: async (s) => {
      const id = await payment(s);
      const notification = { reference: id, status: 'pending' };
      const signature = sign(SANDBOX_SECRET, JSON.stringify(notification));
      return {
        call: {
          params: { method: 'sandbox' },
          body: notification,
          headers: { 'x-sandbox-signature': signature },
        },
        row: ['payments', id],
        others: 'anything',
      };
    },
  },
  billingOperations: {
    columns: (s) => operationFile(s),
    create: (s) => operationFile(s),
    get: (s) => byOperation(s),
    rows: (s) => byOperation(s),
    run: (s) => byOperation(s, { body: { hash: 'abc' } }),
  },
  billings: {
    find: (s) => listing('billings', entry(s)),
    totals: (s) => listing('billings', entry(s)),
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
  packageOffers: {
    find: async (s) => ({
      ...(await administered(s, listing('package_offers', offer(s)))),
      others: 'anything',
    }),
    get: async (s) => ({
      ...(await administered(s, byId('package_offers', offer(s)))),
      others: 'anything',
    }),
    create: async (s) => ({
      ...creating(s, { body: OFFER }),
      by: await administrator(s),
      others: 'nothing',
    }),
    replace: (s) =>
      administered(s, byId('package_offers', offer(s), { body: { ...OFFER, price: 950 } })),
  },
  packages: {
    find: (s) => listing('message_packages', messagePackage(s)),
    get: (s) => byId('message_packages', messagePackage(s)),
    create: async (s) =>
      managed(s, {
        call: { body: { OfferId: await offer(s), price: OFFER.price, OwnerId: s.owner.id } },
        row: ['users', s.owner.id] as [string, string],
        others: 'nothing' as const,
      }),
  },
  referrals: {
    find: (s) => listing('users', referred(s)),
    statistics: async ({ owner }) => ({
      call: { query: { OwnerId: owner.id } },
      row: ['users', owner.id],
      others: 'nothing',
    }),
  },
  monthlyMinimums: {
    get: async ({ owner }) => ({
      call: { query: { OwnerId: owner.id } },
      row: ['users', owner.id],
      others: 'nothing',
    }),
    set: (s) =>
      administered(s, byId('users', Promise.resolve(s.owner.id), { body: { minimum: 100 } })),
  },
  spendCaps: {
    find: async ({ owner }) => ({
      call: { query: { OwnerId: (await capped(owner)).id } },
      row: ['balances', owner.id, 'owner_id'],
      others: 'nothing',
    }),
    set: async ({ owner }) => ({
      call: { body: { ...CAP, OwnerId: owner.id } },
      row: ['balances', owner.id, 'owner_id'],
      others: 'nothing',
    }),
  },
  tariffs: {
    find: (s) => listing('tariffs', s.tariff()),
    get: (s) => byId('tariffs', s.tariff()),
    volumes: async ({ owner }) => ({
      call: { query: { OwnerId: owner.id } },
      row: ['users', owner.id],
      others: 'nothing',
    }),
    catalogue: async (s) => ({
      ...(await administered(s, listing('tariffs', s.tariff()))),
      // A reseller has those of its own.
      others: 'anything',
    }),
    create: async (s) => ({
      ...(await administered(s, Promise.resolve(creating(s, { body: TARIFF })))),
      // A reseller has those of its own.
      others: 'anything',
    }),
    catalogueGet: (s) => administered(s, byId('tariffs', s.tariff())),
    versions: (s) => administered(s, byId('tariffs', s.tariff())),
    withdraw: async (s) => {
      const id = await s.tariff();
      await s.world.db.query(
        `insert into tariff_versions (tariff_id, number, starts_at) values ($1, 2, now() + interval '1 day')`,
        [id],
      );
      const call = { params: { id, number: 2 } };
      return administered(s, Promise.resolve({ call, row: ['tariffs', id], others: 'nothing' }));
    },
    replace: (s) =>
      administered(s, byId('tariffs', s.tariff(), { body: { ...TARIFF, source: 'viber' } })),
    remove: (s) =>
      administered(
        s,
        (async () => {
          const id = await s.tariff();
          await s.world.db.query(`delete from users_tariffs where tariff_id = $1`, [id]);
          return byId('tariffs', Promise.resolve(id));
        })(),
      ),
    assign: async (s) => {
      const tariff = { id: await s.tariff(), priority: 1 };
      const call = { body: { tariffs: [tariff] } };
      return administered(s, byId('users', Promise.resolve(s.owner.id), call));
    },
    compare: async (s) => {
      const TariffId = await s.tariff();
      const body = {
        first: { TariffId },
        second: { draft: { source: TARIFF.source, rules: TARIFF.rules } },
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-02-01T00:00:00.000Z',
      };
      return administered(
        s,
        Promise.resolve({ call: { body }, row: ['tariffs', TariffId], others: 'nothing' }),
      );
    },
    comparison: async (s) => {
      const by = await administrator(s);
      const TariffId = await s.tariff();
      const body = {
        first: { TariffId },
        second: { TariffId },
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-02-01T00:00:00.000Z',
      };
      const { id } = await by.api(tariffs.compare, { body });
      return { by, ...(await byId('tariff_comparisons', Promise.resolve(id))) };
    },
    priceList: async (s) => {
      const by = await administrator(s);
      const { id: key } = await by.api(storage.create, {
        body: upload(`mcc,mnc,price\n250,1,3\n`),
      });
      return {
        by,
        call: { body: { from: { key }, rules: [] } },
        row: ['files', key],
        others: 'nothing' as const,
      };
    },
    probe: async (s) => ({
      call: {
        body: {
          OwnerId: s.owner.id,
          type: 'sms' as const,
          sender: 'MIRTEA',
          recipient: '+79161234567',
          text: 'Tea',
        },
      },
      row: ['users', s.owner.id],
      others: 'nothing',
    }),
  },
};
