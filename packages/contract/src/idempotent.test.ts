import { expect, test } from 'vitest';
import { contract } from './index.ts';
import type { Endpoint } from './endpoint.ts';

/** Calls that create or charge and take no key, with what keeps a repeated one from having a second effect. */
const KEYLESS: Record<string, string> = {
  'billingOperations.create':
    'a preview of a stored file; the run names the hash of its file, once',
  'channels.create': 'its name is unique',
  'messageRuleGroups.create': 'its name is unique',
  'routingGroups.create': 'its name is unique',
  'notificationSettings.linkTelegram': 'a code that replaces the one before',
  'recurrentPayments.reInit': 'a GET of older clients',
  'registration.create': 'the name is unique',
  'setup.create': 'there is one first administrator',
  'otpHandler.create': 'has the key in its body',
  'otpHandler.checkCode': 'of one session, whose state decides',
  'otpHandler.resend': 'of one session, which limits it',
  'otpHandler.complete': 'of one session, whose state decides',
  'otpHandler.checkStatusAndComplete': 'of one session, whose state decides',
  'storage.create': 'a file',
  'tariffs.compare': 'replaces the one that the user had',
  'telemetry.create': 'counts pages',
  'users.create': 'the username is unique',
  'members.create': 'the e-mail is the username, which is unique',
  'wapi.renew': 'names the end that it knows',
  'passkeys.create': 'answers a challenge; the key of a device is added once',
  'identities.create': 'answers a visit of a provider; a person is linked once',
};

const ALL = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(
    ([verb, def]) => [`${noun}.${verb}`, def] as const,
  ),
);

test('what creates or charges takes an idempotency key, or is listed with what stands in its place', () => {
  const keyless = ALL.filter(
    ([, def]) => (def.charges || (def.method === 'POST' && def.status === 201)) && !def.idempotent,
  );
  expect(keyless.map(([name]) => name).toSorted()).toEqual(Object.keys(KEYLESS).toSorted());
});

test('a key belongs to an account, so public calls take none', () => {
  const open = ALL.filter(([, def]) => def.idempotent && ['public', 'carrier'].includes(def.can));
  expect(open).toEqual([]);
});
