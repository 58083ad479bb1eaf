import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { Id, Money, text, Time } from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';

export const RULE_TAGS = [
  'text',
  'recipient',
  'type',
  'sender',
  'keywords',
  'contactList',
  'group',
  'mccmnc',
] as const;
const Price = Money.min(0);
export const TariffRule = z.object({
  id: z.string(),
  action: z.enum(['increase', 'decrease']),
  /** For voice: [per call, per second]. */
  price: z.union([Price, z.array(Price).min(1).max(2)]),
  conditions: z.array(
    z.object({ tag: z.enum(RULE_TAGS), value: z.union([z.string(), z.array(z.string())]) }),
  ),
  priority: z.int32(),
});
export type TariffRule = z.infer<typeof TariffRule>;

export const UserTariff = z.object({
  id: Id,
  title: z.string(),
  source: z.string(),
  priority: z.int32(),
  finalRules: z.array(TariffRule),
});

export const Tariff = z.object({
  id: Id,
  title: z.string(),
  source: z.string(),
  /** The tariff as assigned to the account, with the account's priority. */
  usersTariffs: z.array(UserTariff),
  createdAt: Time,
});
export type Tariff = z.infer<typeof Tariff>;

export const tariffs = {
  find: endpoint('GET', '/tariffs', {
    query: listQuery({
      order: ['createdAt', 'title'],
      filter: { id: Id, source: text(40), OwnerId: Id },
      range: ['createdAt'],
      search: true,
      limit: 20,
    }),
    response: page(Tariff),
    can: 'tariffs.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/tariffs/:id', {
    params: ById,
    query: Scoped,
    response: Tariff,
    can: 'tariffs.get',
  }),
};
