import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { GroupRef } from './account-groups.ts';
import { endpoint, ById } from './endpoint.ts';
import {
  Email,
  Id,
  many,
  OwnerRef,
  PersonName,
  Phone,
  QueryBoolean,
  text,
  Time,
  trimmed,
} from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';
import { LEVELS } from './permissions.ts';
import { Pattern } from './patterns.ts';
import { Sendername } from './sendernames.ts';
import { UserTariff } from './tariffs.ts';
import { Username } from './auth.ts';

/** Where an account came from: what the registration page's address named, and the survey's answer. */
export const UserMeta = z
  .strictObject({
    source: trimmed(100),
    survey: trimmed(100),
    salon_id: trimmed(100),
    usedReferralCode: trimmed(40),
  })
  .partial();

export const UserData = z.strictObject({
  phone: Phone.nullish(),
  email: Email.nullish(),
  firstName: PersonName.nullish(),
  lastName: PersonName.nullish(),
  country: text(60).nullish(),
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
  /** When the e-mail and the phone in `data` were confirmed; null while they are not. */
  emailConfirmedAt: Time.nullable(),
  phoneConfirmedAt: Time.nullable(),
  /** The address that was sent a letter: it becomes the e-mail, or the login, when it is confirmed by it. */
  pendingEmail: z.string().nullable(),
  /** The phone that takes the place of the confirmed one when it is confirmed by a code (`/users/me/phone/code`). */
  pendingPhone: z.string().nullable(),
  referralCode: z.string().nullable(),
  data: UserData,
  balance: z.number().optional(),
  overdraft: z.number().optional(),
  /** Of the account: its balance, its prices and what it is charged. */
  currency: z.string().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  Tariffs: z.array(UserTariff).optional(),
  Sendernames: z.array(Sendername).optional(),
  /** In the order in which they are asked. */
  RoutingGroups: z.array(GroupRef).optional(),
  MessageRuleGroups: z.array(GroupRef).optional(),
  Patterns: z.array(Pattern).optional(),
  /** Who manages it, for those who administer users. */
  Manager: OwnerRef.nullable().optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type User = z.infer<typeof User>;

/**
 * Another e-mail, and a login that is an address, take effect when they are confirmed by the letter to them (`/confirm/:key`):
 * until then the answer has them as `pendingEmail`. So does another phone in place of a confirmed one (`pendingPhone`). All of
 * them, and any other login, ask for `password`, of the person who changes them. Where the installation sends no letters they are `mail_off`.
 */
export const UserUpdate = z.strictObject({
  username: Username.optional(),
  /** Of the person who asks, also when it changes somebody else. */
  password: text(150).min(1).optional(),
  /** The letters' language; without it that of the browser. */
  locale: z.enum(LOCALES).optional(),
  referralCode: text(40).nullish(),
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
  me: endpoint('GET', '/users/me', {
    summary: 'Read the own user',
    query: Scoped,
    response: User,
    can: 'session',
  }),
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
    audit: 'users.update',
    alias: 'PATCH',
  }),
};
