import { wapi } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { administered, byId, creating, listing, type SamplesOf } from './sample.ts';

/** An instance as it is before the worker creates it at the gateway. */
async function instance({ world, owner }: Scene): Promise<string> {
  await world.db.query(`update balances set balance = balance + 5000 where owner_id = $1`, [
    owner.id,
  ]);
  await world.db.query(`insert into billings (owner_id, source, amount) values ($1, -1, 5000)`, [
    owner.id,
  ]);
  return (await owner.api(wapi.create)).id;
}

export const WAPI: SamplesOf<'wapi'> = {
  wapi: {
    find: (s) => listing('wapi_instances', instance(s)),
    price: (s) => Promise.resolve(creating(s, {})),
    get: (s) => byId('wapi_instances', instance(s)),
    create: async (s) => {
      // Those who try pay for their own.
      await s.world.db.query(`update balances set balance = balance + 5000`);
      await s.world.db.query(
        `insert into billings (owner_id, source, amount) select owner_id, -1, 5000 from balances`,
      );
      return creating(s, {});
    },
    update: (s) => byId('wapi_instances', instance(s), { body: { isCanceled: true } }),
    qr: (s) => byId('wapi_instances', instance(s)),
    logout: (s) => byId('wapi_instances', instance(s)),
    renew: async (s) => {
      const id = await instance(s);
      const { expiredAt } = await s.owner.api(wapi.get, { params: { id } });
      return byId('wapi_instances', Promise.resolve(id), { body: { expiredAt } });
    },
    activate: (s) =>
      administered(s, byId('wapi_instances', instance(s), { body: { isActive: false } })),
  },
};
