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
  lines,
} from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';
import { AccountInput, Invitation, NewAccount } from './accounts.ts';
import { LEVELS, ROLES, type Permission } from './permissions.ts';
import { Pattern } from './patterns.ts';
import { Sendername } from './sendernames.ts';
import { UserTariff } from './tariffs.ts';
import { Username } from './auth.ts';

/** Acquisition source of an account, from the URL of the registration page, and the answer to the survey. */
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
  /** Of a member of the account; null for its holder. */
  role: z.enum(ROLES).nullable(),
  isActive: z.boolean(),
  /** Why and since when the user is suspended; visible to resellers and managers. */
  suspension: z.object({ reason: z.string(), at: Time }).nullish(),
  /** Since when the account is closed, of its holder; visible to resellers and managers. */
  closedAt: Time.nullish(),
  /** Since when the user is invited and has chosen no password; visible to resellers and managers. */
  invitedAt: Time.nullish(),
  isTest: z.boolean(),
  $verified: z.boolean(),
  /** Time at which the e-mail and the phone in `data` were confirmed; null until then. */
  emailConfirmedAt: Time.nullable(),
  phoneConfirmedAt: Time.nullable(),
  /** New address that becomes the e-mail or the username after confirmation. */
  pendingEmail: z.string().nullish(),
  /** New phone that replaces the confirmed one after confirmation (`/users/me/phone/code`). */
  pendingPhone: z.string().nullish(),
  referralCode: z.string().nullable(),
  data: UserData,
  balance: z.number().optional(),
  overdraft: z.number().optional(),
  /** Currency of the balance, prices and charges. */
  currency: z.string().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  Tariffs: z.array(UserTariff).optional(),
  Sendernames: z.array(Sendername).optional(),
  /** In order of precedence. */
  RoutingGroups: z.array(GroupRef).optional(),
  MessageRuleGroups: z.array(GroupRef).optional(),
  Patterns: z.array(Pattern).optional(),
  /** Two-factor sign-in is on. Visible to resellers and managers. */
  hasSecondFactor: z.boolean().optional(),
  /** Manager of the account, visible to administrators. */
  Manager: OwnerRef.nullable().optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type User = z.infer<typeof User>;

/** Fields that a caller with an API token, or a member, receives only with the permission that reads them elsewhere. Without it `data` is empty. */
export const USER_FIELD_PERMISSIONS = {
  data: 'users.get',
  pendingEmail: 'users.get',
  pendingPhone: 'users.get',
  balance: 'billings.find',
  overdraft: 'billings.find',
  currency: 'billings.find',
  settings: 'billings.find',
  Tariffs: 'tariffs.get',
  Sendernames: 'sendernames.get',
  Patterns: 'patterns.get',
  RoutingGroups: 'users.get',
  MessageRuleGroups: 'users.get',
  hasSecondFactor: 'users.get',
  Manager: 'users.get',
} as const satisfies Partial<Record<keyof User, Permission>>;

/**
 * A new e-mail address, or a new username that is an e-mail address, takes effect after confirmation (`/confirm/:key`) and is
 * returned as `pendingEmail` until then. A new phone that replaces a confirmed one is returned as `pendingPhone`. These changes,
 * and any change of the username, require `password`. Changes of addresses fail with `mail_off` if the installation cannot send e-mails.
 */
export const UserUpdate = z.strictObject({
  username: Username.optional(),
  /** Password of the caller, also for changes of another user. */
  password: lines(150).min(1).optional(),
  /** Language of the e-mails; by default that of the browser. */
  locale: z.enum(LOCALES).optional(),
  referralCode: text(40).nullish(),
  /** The source cannot be changed: only values that the row has are accepted. */
  data: UserData.omit({ partnership: true }).partial().optional(),
});

export const MAX_SUSPENSION_REASON = 500;
/** Why a user is suspended, shown to the account and to its reseller and manager. */
export const SuspensionInput = z.strictObject({ reason: lines(MAX_SUSPENSION_REASON).min(1) });

export const users = {
  find: endpoint('GET', '/users', {
    query: listQuery({
      order: ['createdAt', 'username', 'balance'],
      filter: {
        isActive: QueryBoolean,
        isClosed: QueryBoolean,
        isHolder: QueryBoolean,
        level: many(z.enum(LEVELS)),
        ManagerId: Id,
        OwnerId: Id,
      },
      range: ['createdAt'],
      search: true,
      limit: 10,
    }),
    response: page(User),
    can: 'users.get',
    owner: 'read',
  }),
  me: endpoint('GET', '/users/me', {
    summary: 'Retrieve the signed-in user',
    query: Scoped,
    response: User,
    can: 'session',
    beforeSecondFactor: true,
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
  create: endpoint('POST', '/users', {
    bound: 'limiter',
    body: NewAccount,
    response: z.object({ user: User, invitation: Invitation }),
    status: 201,
    can: 'users.create',
    accept: 'resellerUp',
    audit: 'users.create',
    sessionOnly: true,
    lasting: 'refused',
    showsSecret: true,
    summary: 'Create an account and invite its holder by e-mail',
  }),
  invite: endpoint('POST', '/users/:id/invite', {
    bound: 'limiter',
    params: ById,
    body: z.strictObject({ locale: z.enum(LOCALES).optional() }),
    response: Invitation,
    can: 'users.create',
    accept: 'resellerUp',
    audit: 'users.invite',
    sessionOnly: true,
    lasting: 'refused',
    showsSecret: true,
    summary: 'Invite a user again that has chosen no password; the former link ends',
  }),
  configure: endpoint('PUT', '/users/:id/account', {
    params: ById,
    body: AccountInput,
    response: User,
    can: 'users.configure',
    accept: 'resellerUp',
    audit: 'users.configure',
    sessionOnly: true,
    lasting: 'refused',
    summary: 'Change level, reseller, manager, money and sending rules of an account',
  }),
  /** The state that the user has changes nothing. */
  suspend: endpoint('POST', '/users/:id/suspend', {
    bound: 'limiter',
    params: ById,
    body: SuspensionInput,
    response: User,
    can: 'users.suspend',
    accept: 'resellerUp',
    audit: 'users.suspend',
    sessionOnly: true,
    lasting: 'refused',
    summary: 'Suspend a user: sign-in, sessions, API tokens and messages stop at once',
  }),
  resume: endpoint('POST', '/users/:id/resume', {
    bound: 'limiter',
    params: ById,
    response: User,
    can: 'users.suspend',
    accept: 'resellerUp',
    audit: 'users.resume',
    sessionOnly: true,
    lasting: 'refused',
    summary: 'End the suspension of a user and resume the bulks that it has paused',
  }),
};
