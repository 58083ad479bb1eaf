import * as z from 'zod';
import { ById, endpoint, Removed } from './endpoint.ts';
import { arrayOf, Id, OwnerRef, Time, trimmed } from './fields.ts';
import { LEVELS, ROLES } from './permissions.ts';

/** Of the installation. */
export const MAX_IDENTITY_PROVIDERS = 100;
export const MAX_ISSUER = 500;
export const MAX_GROUP = 200;
export const MAX_GROUP_ROLES = 20;

/** The role of members who are in a group of the provider; null: of all others. */
export const GroupRole = z.object({ group: z.string().nullable(), role: z.enum(ROLES) });
export type GroupRole = z.infer<typeof GroupRole>;

/** A service of OpenID Connect that signs users in. */
export const IdentityProvider = z.object({
  id: Id,
  title: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  /** The account whose users and customers it signs in; null for all users of the installation. */
  account: OwnerRef.nullable(),
  /** The levels that it signs in. */
  levels: z.array(z.enum(LEVELS)),
  /** Whether users with a second factor need no code: the provider asks for one of its own. */
  trustsSecondFactor: z.boolean(),
  isActive: z.boolean(),
  /** Of an account: whom it makes a member there, and with which role. The first one that fits applies; with none nobody becomes a member. */
  roles: z.array(GroupRole),
  /** The claim of the ID token that names the groups of a person. */
  groupsClaim: z.string(),
  /** Of an account: whether its members sign in through it alone. The holder keeps the password and passkeys. */
  isRequired: z.boolean(),
  /** The address to which it returns people, to be registered there. */
  redirectUri: z.string(),
  /** The address to which it says that a person has signed out there (OpenID Connect Back-Channel Logout 1.0). */
  logoutUri: z.string(),
  /** Users who are linked to it. */
  users: z.int(),
  updatedAt: Time,
});
export type IdentityProvider = z.infer<typeof IdentityProvider>;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** HTTPS, or HTTP to a provider on the same machine: secrets go there. */
const isIssuer = (value: string): boolean => {
  const url = URL.parse(value);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
};

const fields = {
  title: trimmed(60).min(1),
  clientId: trimmed(300).min(1),
  secret: trimmed(1000).min(1),
  levels: arrayOf(z.enum(LEVELS), { min: 1, max: LEVELS.length }),
  trustsSecondFactor: z.boolean(),
  isActive: z.boolean(),
  roles: arrayOf(
    z.strictObject({ group: trimmed(MAX_GROUP).min(1).nullable(), role: z.enum(ROLES) }),
    { max: MAX_GROUP_ROLES },
  ),
  groupsClaim: trimmed(100).min(1),
  isRequired: z.boolean(),
};

export const IdentityProviderInput = z.strictObject({
  ...fields,
  issuer: trimmed(MAX_ISSUER).refine(isIssuer, {
    message: 'Expected the https:// address of the issuer, without a query.',
    params: { rule: 'issuer' },
  }),
  AccountId: Id.nullable().default(null),
  trustsSecondFactor: fields.trustsSecondFactor.default(false),
  isActive: fields.isActive.default(true),
  roles: fields.roles.default([]),
  groupsClaim: fields.groupsClaim.default('groups'),
  isRequired: fields.isRequired.default(false),
});
export type IdentityProviderInput = z.infer<typeof IdentityProviderInput>;

/** Identities belong to an issuer and an account, so neither changes. */
export const IdentityProviderUpdate = z.strictObject(fields).partial();
export type IdentityProviderUpdate = z.infer<typeof IdentityProviderUpdate>;

const administered = { accept: 'managerUp', sessionOnly: true } as const;

export const identityProviders = {
  find: endpoint('GET', '/identity-providers', {
    ...administered,
    can: 'identityProviders.get',
    response: z.object({ data: z.array(IdentityProvider) }),
    summary: 'List the identity providers of the installation',
  }),
  /** 409 `conflict` beyond 100. */
  create: endpoint('POST', '/identity-providers', {
    ...administered,
    can: 'identityProviders.create',
    lasting: 'refused',
    body: IdentityProviderInput,
    response: IdentityProvider,
    status: 201,
    idempotent: true,
    audit: 'identityProviders.create',
    summary: 'Add an identity provider',
  }),
  /** Without `secret` the former one stays. The sessions of members who from now on have to use it end. */
  update: endpoint('PUT', '/identity-providers/:id', {
    ...administered,
    can: 'identityProviders.update',
    lasting: 'refused',
    params: ById,
    body: IdentityProviderUpdate,
    response: IdentityProvider,
    audit: 'identityProviders.update',
    summary: 'Change an identity provider',
  }),
  /** With the identities of its users. */
  remove: endpoint('DELETE', '/identity-providers/:id', {
    ...administered,
    can: 'identityProviders.remove',
    lasting: 'refused',
    params: ById,
    response: Removed,
    audit: 'identityProviders.remove',
    summary: 'Remove an identity provider',
  }),
};
