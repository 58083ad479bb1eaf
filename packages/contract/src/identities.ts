import * as z from 'zod';
import { Session } from './auth.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import { Id, lines, text, Time } from './fields.ts';
import { FactorCode } from './second-factor.ts';

/** What the page of a sign-in shows of an identity provider. */
export const OfferedProvider = z.object({ id: Id, title: z.string() });
export type OfferedProvider = z.infer<typeof OfferedProvider>;

/** An account of a user at an identity provider, which signs the user in. */
export const Identity = z.object({
  id: Id,
  provider: OfferedProvider,
  /** By which the provider knows the person: an e-mail, a name or an id. */
  name: z.string(),
  createdAt: Time,
  /** Null before the first sign-in. */
  lastUsedAt: Time.nullable(),
  /** Whether the provider has made the user a member of its account, and gives the role: then the user cannot unlink it. */
  isManaged: z.boolean(),
});
export type Identity = z.infer<typeof Identity>;

/** The page of the provider, to which the browser goes. */
const ProviderPage = z.object({ url: z.string() });
/** The query with which the provider returned the browser, as it is: `code=...&state=...`. */
const answer = text(8000).min(1);

const MAX_LOGOUT_TOKEN = 8000;

const own = { can: 'session', sessionOnly: true } as const;
/** The cookie of the response keeps what was asked of the provider, so that only the same browser goes on. */
const visit = { can: 'public', cost: 'login', optional: true, params: ById } as const;

export const identities = {
  find: endpoint('GET', '/users/me/identities', {
    ...own,
    response: z.object({
      identities: z.array(Identity),
      /** Those to which the user may link. */
      providers: z.array(OfferedProvider),
    }),
    summary: 'List the identities of the user',
  }),
  /** Needs the password and, while the second factor is on, a code: an open session that was found cannot be made a way in. */
  begin: endpoint('POST', '/users/me/identities/:id/start', {
    ...own,
    params: ById,
    bound: 'nothing',
    body: z.strictObject({ password: lines(150).min(1), code: FactorCode.optional() }),
    response: ProviderPage,
    optional: true,
    summary: 'Begin to link the user to an identity provider',
  }),
  /** 401 `wrong_identity`; 409 `conflict` if the identity is of another user, or the user is linked already. */
  create: endpoint('POST', '/users/me/identities/:id', {
    ...own,
    params: ById,
    body: z.strictObject({ answer }),
    response: Identity,
    status: 201,
    optional: true,
    audit: 'identities.create',
    summary: 'Link the user to the identity that the provider confirmed',
  }),
  /** 403 `forbidden` if the provider manages the user. */
  remove: endpoint('DELETE', '/users/me/identities/:id', {
    ...own,
    params: ById,
    response: Removed,
    audit: 'identities.remove',
    summary: 'Unlink an identity of the user',
  }),
  offered: endpoint('GET', '/login/oidc', {
    can: 'public',
    response: z.object({ data: z.array(OfferedProvider) }),
    summary: 'List the identity providers of all users',
  }),
  start: endpoint('POST', '/login/oidc/:id/start', {
    ...visit,
    bound: 'nothing',
    response: ProviderPage,
    summary: 'Begin a sign-in with an identity provider',
  }),
  /**
   * 401 `wrong_identity`, `identity_required` if another provider is the only one for the user, `unknown_identity` if no user is linked to it and it makes nobody a member, or `second_factor_required`: then
   * `confirm` has the code. For whom becomes a member also 403 `account_inactive` and 409 `quota_exceeded`.
   */
  signIn: endpoint('POST', '/login/oidc/:id', {
    ...visit,
    body: z.strictObject({ answer }),
    response: Session,
    audit: 'auth.login',
    summary: 'Sign in with an identity that the provider confirmed',
  }),
  confirm: endpoint('POST', '/login/oidc/:id/code', {
    ...visit,
    body: z.strictObject({ code: FactorCode }),
    response: Session,
    audit: 'auth.login',
    summary: 'Finish a sign-in with an identity by a code of the second factor',
  }),
  /**
   * Back-channel logout (OpenID Connect Back-Channel Logout 1.0): ends the sessions that the user of the token's `sub` had at its `iat`. A
   * token with a `sid` alone is refused. 400 `bad_request`.
   */
  logout: endpoint('POST', '/login/oidc/:id/logout', {
    can: 'public',
    cost: 'login',
    optional: true,
    form: true,
    bound: 'nothing',
    params: ById,
    body: z.object({ logout_token: text(MAX_LOGOUT_TOKEN).min(1) }),
    response: z.object({ ended: z.int() }),
    summary: 'End the sessions of a user who has signed out at the identity provider',
  }),
};
