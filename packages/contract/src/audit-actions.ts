/**
 * What is written to the audit log whoever does it. Beside these it has, under the name of the endpoint
 * (`templates.update`), every change that somebody makes in another account or in a borrowed session.
 */
export const AUDIT_ACTIONS = [
  'auth.login',
  'auth.failed',
  'auth.limited',
  'auth.loginAs',
  'auth.logout',
  'access.denied',
  'access.probed',
  'recovery.request',
  'recovery.reset',
  'registration.create',
  'users.create',
  'users.update',
  'emails.confirm',
  'phones.confirm',
  'billings.create',
  'channels.create',
  'channels.update',
  'channels.remove',
  'channels.test',
  'sendernames.moderate',
  'templates.moderate',
  'patterns.create',
  'patterns.update',
  'patterns.remove',
  'telemetry.decide',
  'persons.erase',
  'keys.rotate',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
