import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { Time, trimmed, lines } from './fields.ts';

/** A code of the authenticator app or a recovery code, in any spelling: spaces, hyphens and case do not matter. */
export const FactorCode = trimmed(40).min(1);
/** Password of the caller. */
const OwnPassword = lines(150).min(1);

export const RECOVERY_CODES = 10;

export const SecondFactorState = z.object({
  isEnabled: z.boolean(),
  /** Null while it is off. */
  enabledAt: Time.nullable(),
  /** Number of unused recovery codes. */
  codesLeft: z.int(),
  /** The installation requires a second factor at the level of the user. */
  isRequired: z.boolean(),
});
export type SecondFactorState = z.infer<typeof SecondFactorState>;

/** The secret of an authenticator app. It is shown once, and valid after a code of it was entered. */
export const SecondFactorSetup = z.object({
  /** In base32, to be typed into an app. */
  secret: z.string(),
  /** `otpauth://totp/...`, for a QR code. */
  url: z.string(),
  /** Seconds until the setup expires. */
  expiresIn: z.int(),
});
export type SecondFactorSetup = z.infer<typeof SecondFactorSetup>;

/** Shown once: the installation stores only their hashes. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

const proof = z.strictObject({ password: OwnPassword, code: FactorCode });

export const secondFactor = {
  get: endpoint('GET', '/users/me/second-factor', {
    response: SecondFactorState,
    can: 'session',
    sessionOnly: true,
    beforeSecondFactor: true,
    summary: 'Retrieve the state of the two-factor sign-in',
  }),
  /** Replaces a setup that was not completed. 409 if the second factor is on. */
  setUp: endpoint('POST', '/users/me/second-factor/setup', {
    bound: 'nothing',
    body: z.strictObject({ password: OwnPassword }),
    response: SecondFactorSetup,
    can: 'session',
    sessionOnly: true,
    beforeSecondFactor: true,
    summary: 'Create the secret of an authenticator app',
  }),
  enable: endpoint('POST', '/users/me/second-factor/enable', {
    body: z.strictObject({ code: FactorCode }),
    response: RecoveryCodes,
    can: 'session',
    sessionOnly: true,
    beforeSecondFactor: true,
    audit: 'secondFactor.enable',
    summary: 'Turn on the two-factor sign-in with a code of the app',
  }),
  disable: endpoint('POST', '/users/me/second-factor/disable', {
    body: proof,
    response: SecondFactorState,
    can: 'session',
    sessionOnly: true,
    audit: 'secondFactor.disable',
    summary: 'Turn off the two-factor sign-in',
  }),
  /** The former codes are no longer valid. */
  replaceCodes: endpoint('POST', '/users/me/second-factor/codes', {
    body: proof,
    response: RecoveryCodes,
    can: 'session',
    sessionOnly: true,
    audit: 'secondFactor.replaceCodes',
    summary: 'Replace the recovery codes',
  }),
  /** For a user of a lower level who has lost the app and the codes. */
  reset: endpoint('POST', '/users/:id/second-factor/reset', {
    params: ById,
    body: z.strictObject({ password: OwnPassword }),
    response: ById,
    can: 'users.update',
    accept: 'managerUp',
    sessionOnly: true,
    audit: 'secondFactor.reset',
    summary: 'Turn off the two-factor sign-in of another user',
  }),
};
