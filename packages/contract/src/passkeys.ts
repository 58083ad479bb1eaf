import * as z from 'zod';
import { Session } from './auth.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import { FactorCode } from './second-factor.ts';
import { arrayOf, Id, lines, Time, trimmed } from './fields.ts';

/** Passkeys of one user. */
export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_TITLE = 100;

/** A passkey: a key of a phone, a computer or a security key that signs in without a password. */
export const Passkey = z.object({
  id: Id,
  title: z.string(),
  /** Copied between the devices of the user by the keeper of its passwords. */
  isSynced: z.boolean(),
  createdAt: Time,
  /** Null before the first sign-in. */
  lastUsedAt: Time.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** Bytes in base64url, as WebAuthn writes them. */
const bytes = (max: number) => trimmed(max).regex(/^[\w-]+$/);
/** The longest credential id that authenticators make is 1023 bytes. */
const CredentialId = bytes(1364);
const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  /** In milliseconds. */
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn: any passkey of this installation. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** In milliseconds. */
  timeout: z.int(),
  userVerification: z.literal('required'),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

/** What `navigator.credentials.create()` returned. */
export const NewCredential = z.strictObject({
  id: CredentialId,
  clientDataJSON: bytes(4000),
  attestationObject: bytes(20_000),
  transports: arrayOf(trimmed(20), { max: 10 }).optional(),
});
export type NewCredential = z.infer<typeof NewCredential>;

/** What `navigator.credentials.get()` returned. */
export const SignedCredential = z.strictObject({
  id: CredentialId,
  clientDataJSON: bytes(4000),
  authenticatorData: bytes(4000),
  signature: bytes(8000),
});
export type SignedCredential = z.infer<typeof SignedCredential>;

const own = { can: 'session', sessionOnly: true } as const;
const title = trimmed(MAX_PASSKEY_TITLE).min(1);

export const passkeys = {
  find: endpoint('GET', '/users/me/passkeys', {
    ...own,
    response: z.array(Passkey),
    summary: 'List the passkeys of the user',
  }),
  /** Needs the password and, while the second factor is on, a code: an open session that was found cannot be made a way in. */
  begin: endpoint('POST', '/users/me/passkeys/options', {
    ...own,
    bound: 'nothing',
    body: z.strictObject({ password: lines(150).min(1), code: FactorCode.optional() }),
    response: PasskeyCreation,
    optional: true,
    summary: 'Create the options for a new passkey',
  }),
  /** 409 `quota_exceeded` beyond 20. */
  create: endpoint('POST', '/users/me/passkeys', {
    ...own,
    quota: 'passkeys',
    body: z.strictObject({ title, credential: NewCredential }),
    response: Passkey,
    status: 201,
    optional: true,
    audit: 'passkeys.create',
    summary: 'Add a passkey that a browser made from the options',
  }),
  update: endpoint('PUT', '/users/me/passkeys/:id', {
    ...own,
    params: ById,
    body: z.strictObject({ title }),
    response: Passkey,
    audit: 'passkeys.update',
    summary: 'Rename a passkey',
  }),
  remove: endpoint('DELETE', '/users/me/passkeys/:id', {
    ...own,
    params: ById,
    response: Removed,
    audit: 'passkeys.remove',
    summary: 'Remove a passkey',
  }),
  signInOptions: endpoint('POST', '/login/passkey/options', {
    can: 'public',
    cost: 'login',
    bound: 'nothing',
    response: PasskeyRequest,
    optional: true,
    summary: 'Create the options of a sign-in with a passkey',
  }),
  /** Without username, password and code: the device has verified the person. 401 `wrong_passkey`. */
  signIn: endpoint('POST', '/login/passkey', {
    can: 'public',
    cost: 'login',
    body: z.strictObject({ credential: SignedCredential }),
    response: Session,
    optional: true,
    audit: 'auth.login',
    summary: 'Sign in with a passkey',
  }),
};
