import { as, dated, id, inEach, time, type Description } from './description.ts';

export const TOKENS: Record<string, Description> = {
  ...inEach(['Token', 'TokenWithSecret', 'TokenInput'], {
    isTest: as(
      'True for a test token: its messages reach nobody and cost nothing, and it can only read and send. Cannot be changed.',
      false,
    ),
  }),
  Token: as('API token, without its secret.'),
  TokenWithSecret: as('API token with its secret, which is in no other response.'),
  TokenInput: as('Data of a new API token.'),
  TokenUpdate: as('Changes to an API token. Only its user can make them.'),
  TokenRotation: as('Rotation of an API token.'),
  ...inEach(['Token', 'TokenWithSecret', 'TokenInput', 'TokenUpdate'], {
    description: as('What the token is used for.', 'Online shop'),
    ipWhitelist: as(
      'IPv4 and IPv6 addresses, and networks in CIDR notation, that can use the token. Empty for all addresses.',
      ['192.0.2.17', '2001:db8:12::/48'],
    ),
    permissions: as(
      'Permissions of the token, limited to those that its user has at the time of a request. Null for all permissions of the user.',
      ['sendings.get', 'sendings.generate'],
    ),
    expiredAt: as(
      'Time at which the token expires, ISO 8601, in UTC, at most one year ahead. Null for never.',
      null,
    ),
  }),
  ...inEach(['Token', 'TokenWithSecret'], {
    prefix: as('First characters of the secret, by which it can be recognized.', 'hg_k7m2qx9w4ctr'),
    previous: as('Former secret after a rotation. Null if there is none.'),
    'previous.prefix': as('First characters of the former secret.', 'hg_ab4dt8fyzh2m'),
    'previous.validUntil': time('Time at which the former secret ends.'),
    lastUsedAt: dated('Time of the last use, updated at most once a minute.'),
    lastUsedIp: as('Address of the last use. Null until then.', '192.0.2.17'),
    rotatedAt: dated('Time of the last rotation.'),
    UserId: id('User whose permissions the token has.'),
  }),
  'TokenWithSecret.token': as(
    'The secret, for the `Authorization` header. Store it: it cannot be retrieved again.',
    'hg_k7m2qx9w4ctr_vGPkKz5dWIXNzt0l0lbEM8Vx6DkLrq3nJ9hYcR2sQ4A',
  ),
  'TokenRotation.prefix': as(
    'Prefix of the secret to replace. If another request has replaced it already, this one fails with `conflict`.',
    'hg_k7m2qx9w4ctr',
  ),
  'TokenRotation.overlapDays': as(
    'Days for which the former secret stays valid, 0 to 7. With 0 all former secrets end at once; otherwise the rotation fails with `conflict` while an earlier overlap lasts.',
    1,
  ),
};
