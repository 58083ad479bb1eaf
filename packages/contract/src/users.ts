import * as z from 'zod';
import { endpoint, ById } from './endpoint.ts';
import { Email, Id, many, OwnerRef, PersonName, Phone, QueryBoolean, Time } from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';
import { LEVELS } from './permissions.ts';
import { Sendername } from './sendernames.ts';
import { UserTariff } from './tariffs.ts';
import { Username } from './auth.ts';

/** Where an account came from: what the registration page's address named, and the survey's answer. */
export const UserMeta = z
  .object({
    source: z.string().trim().max(100),
    survey: z.string().trim().max(100),
    salon_id: z.string().trim().max(100),
    usedReferralCode: z.string().trim().max(40),
  })
  .partial();

export const UserData = z.object({
  phone: Phone.nullish(),
  email: Email.nullish(),
  firstName: PersonName.nullish(),
  lastName: PersonName.nullish(),
  country: z.string().max(60).nullish(),
  meta: UserMeta.optional(),
  partnership: z
    .object({ hasContract: z.boolean().optional(), ManagerId: Id.nullish() })
    .optional(),
});

export const User = z.object({
  id: Id,
  username: z.string(),
  OwnerId: Id,
  ResellerId: Id.nullable(),
  level: z.enum(LEVELS),
  isActive: z.boolean(),
  isTest: z.boolean(),
  $verified: z.boolean(),
  referralCode: z.string().nullable(),
  data: UserData,
  balance: z.number().optional(),
  overdraft: z.number().optional(),
  /** Of the account: its balance, its prices and what it is charged. */
  currency: z.string().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  Tariffs: z.array(UserTariff).optional(),
  Sendernames: z.array(Sendername).optional(),
  /** Who manages it, for those who administer users. */
  Manager: OwnerRef.nullable().optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type User = z.infer<typeof User>;

export const UserUpdate = z.object({
  username: Username.optional(),
  referralCode: z.string().max(40).nullish(),
  data: UserData.omit({ partnership: true, meta: true }).partial().optional(),
});

export const users = {
  find: endpoint('GET', '/users', {
    query: listQuery({
      order: ['createdAt', 'username', 'balance'],
      filter: { isActive: QueryBoolean, level: many(z.enum(LEVELS)), ManagerId: Id, OwnerId: Id },
      search: true,
      limit: 10,
    }),
    response: page(User),
    can: 'users.get',
    owner: 'read',
  }),
  me: endpoint('GET', '/users/me', { query: Scoped, response: User, can: 'session' }),
  get: endpoint('GET', '/users/:id', {
    params: ById,
    query: Scoped,
    response: User,
    can: 'users.get',
  }),
  update: endpoint('PUT', '/users/:id', {
    params: ById,
    body: UserUpdate,
    response: User,
    can: 'users.update',
    also: 'PATCH',
  }),
};
