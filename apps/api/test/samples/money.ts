import type { Scene } from '../scene.ts';
import { byId, listing, type SamplesOf } from './sample.ts';

async function entry({ world, owner }: Scene): Promise<string> {
  const [row] = await world.db.query<{ id: string }>(
    `select id from billings where owner_id = $1`,
    [owner.id],
  );
  return row!.id;
}

export const MONEY: SamplesOf<'billings' | 'tariffs'> = {
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
  tariffs: { find: (s) => listing('tariffs', s.tariff()) },
};
