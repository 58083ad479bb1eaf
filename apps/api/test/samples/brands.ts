import { brands } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import type { SamplesOf } from './sample.ts';

/** A grey square of 16 pixels. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFElEQVR42mNoIBEwjGoY1TB8NQAAJYSAELxv8c8AAAAASUVORK5CYII=';

export const NO_BRAND = {
  title: null,
  primary: null,
  accent: null,
  email: null,
  phone: null,
  chat: null,
  privacy: null,
  offer: null,
  locale: null,
};

/** The reseller of the scene with a brand; `call` names it. */
async function branded<C extends object>({ reseller }: Scene, call: C) {
  await reseller.api(brands.update, { body: { ...NO_BRAND, title: 'Tea SMS' } });
  return {
    by: reseller,
    call,
    row: ['brands', reseller.id, 'owner_id'] as [string, string, string],
    others: 'nothing' as const,
  };
}

export const BRANDS: SamplesOf<'brands'> = {
  brands: {
    get: (s) => branded(s, { query: { OwnerId: s.reseller.id } }),
    update: (s) => branded(s, { body: { ...NO_BRAND, OwnerId: s.reseller.id, title: 'Tea Mail' } }),
    setLogo: (s) =>
      branded(s, {
        body: { OwnerId: s.reseller.id, scheme: 'light' as const, image: PICTURE },
      }),
    setDomain: async (s) => {
      const by = await s.world.person({ level: 'manager' });
      await s.world.db.query(`update users set manager_id = $2 where id = $1`, [
        s.reseller.id,
        by.id,
      ]);
      const body = { OwnerId: s.reseller.id, domain: `tea-${by.id}.example` };
      return { ...(await branded(s, { body })), by };
    },
    logo: async (s) => {
      await branded(s, {});
      const { logo } = await s.reseller.api(brands.setLogo, {
        body: { scheme: 'light', image: PICTURE },
      });
      const hash = logo!.split('/').at(-1)!;
      return {
        by: s.reseller,
        call: { params: { hash } },
        row: ['brand_logos', hash, 'hash'],
        others: 'anything',
      };
    },
  },
};
