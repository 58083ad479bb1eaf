import { MAX_TOKEN_OVERLAP_DAYS } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint, ById } from './endpoint.ts';
import { arrayOf, Id, OwnerRef, Time, trimmed } from './fields.ts';
import { crud, listQuery } from './list.ts';
import { TOKEN_PERMISSIONS, type Permission } from './permissions.ts';

export const MAX_TOKEN_ADDRESSES = 50;

const AnyAddress = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
/** An IPv4 or IPv6 address, or a network in CIDR notation. */
export const AddressRange = trimmed(49).refine((range) => AnyAddress.safeParse(range).success, {
  message: 'An IP address or a network such as 192.0.2.0/24 is required.',
  params: { rule: 'ip_range' },
});
const TokenPermission = z.enum(TOKEN_PERMISSIONS as [Permission, ...Permission[]]);

export const Token = z.object({
  id: Id,
  description: z.string(),
  /** The beginning of the secret, by which it can be recognized. */
  prefix: z.string(),
  /** The former secret of a rotated token, which is valid until then. */
  previous: z.object({ prefix: z.string(), validUntil: Time }).nullable(),
  /** Addresses and networks that may use the token; empty for any. */
  ipWhitelist: z.array(z.string()),
  /** Null for all permissions of the user, or those of them that a test token can have. */
  permissions: z.array(TokenPermission).nullable(),
  /** Its messages reach nobody and cost nothing. */
  isTest: z.boolean(),
  /** Null for a token that does not expire. */
  expiredAt: Time.nullable(),
  lastUsedAt: Time.nullable(),
  lastUsedIp: z.string().nullable(),
  rotatedAt: Time.nullable(),
  /** The user whose rights the token has. */
  UserId: Id,
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Token = z.infer<typeof Token>;

/** The only responses that contain the secret. */
export const TokenWithSecret = Token.extend({ token: z.string() });
export type TokenWithSecret = z.infer<typeof TokenWithSecret>;

const fields = z.strictObject({
  description: trimmed(200).min(1),
  ipWhitelist: arrayOf(AddressRange, { max: MAX_TOKEN_ADDRESSES }).optional(),
  /** At most one year ahead. */
  expiredAt: Time.nullish(),
  /** Permissions of the user; absent or null for all of them. */
  permissions: arrayOf(TokenPermission, { min: 1, max: TOKEN_PERMISSIONS.length }).nullish(),
});
export const TokenInput = fields.extend({
  /** Cannot be changed later. A test token can only read and send. */
  isTest: z.boolean().default(false),
});
export const TokenUpdate = fields.partial();
export const TokenRotation = z.strictObject({
  /** How long the former secret stays valid; 0 ends it, and an earlier one, at once. */
  overlapDays: z.int().min(0).max(MAX_TOKEN_OVERLAP_DAYS).default(1),
  /** The prefix of the secret to replace; if it has been replaced already, the call is refused. */
  prefix: trimmed(40).optional(),
});

export const tokens = {
  ...crud('tokens', {
    lasting: 'refused',
    item: Token,
    input: TokenInput,
    update: TokenUpdate,
    audit: true,
    sessionOnly: true,
    query: listQuery({
      order: ['createdAt', 'description', 'expiredAt', 'lastUsedAt'],
      filter: { OwnerId: Id, UserId: Id },
      range: ['createdAt'],
      search: true,
      limit: 20,
    }),
  }),
  create: endpoint('POST', '/tokens', {
    lasting: 'refused',
    summary: 'Create an API token; only this response contains its secret',
    body: TokenInput,
    response: TokenWithSecret,
    status: 201,
    can: 'tokens.create',
    idempotent: true,
    showsSecret: true,
    sessionOnly: true,
    audit: 'tokens.create',
  }),
  rotate: endpoint('POST', '/tokens/:id/rotate', {
    lasting: 'refused',
    summary: 'Replace the secret of an API token; only this response contains the new one',
    params: ById,
    body: TokenRotation,
    response: TokenWithSecret,
    can: 'tokens.update',
    idempotent: true,
    showsSecret: true,
    sessionOnly: true,
    audit: 'tokens.rotate',
  }),
};
