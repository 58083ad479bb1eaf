import * as z from 'zod';
import { ById, endpoint, Removed } from './endpoint.ts';
import { Cursor, Id, many, OwnerRef, Phone, text, Time, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';

/** What brings a push message to a device: Firebase Cloud Messaging, or the push service of a browser. */
export const PushKind = z.enum(['fcm', 'web-push']);
export type PushKind = z.infer<typeof PushKind>;

/** Devices of one phone number that get its push messages. */
export const MAX_PUSH_DEVICES = 20;

/** An installed app, or a browser, that gets the push messages to a phone number. */
export const PushDevice = z.object({
  id: Id,
  kind: PushKind,
  phone: z.string(),
  title: z.string().nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  /** When it registered last. */
  updatedAt: Time,
});
export type PushDevice = z.infer<typeof PushDevice>;

/** A point of P-256 as it is written in full, and 16 bytes; both in base64url. */
const PublicKey = text(88).regex(/^B[\w-]{86}=?$/, 'This is not a public key of a subscription.');
const AuthSecret = text(24).regex(/^[\w-]{22}(==)?$/, 'This is not a secret of a subscription.');

/** What `PushSubscription.toJSON()` of a browser gives. */
export const PushSubscription = z.strictObject({
  endpoint: text(2048).check(
    z.url({ protocol: /^https$/, error: 'The endpoint must be an https address.' }),
  ),
  expirationTime: z.number().nullish(),
  keys: z.strictObject({ p256dh: PublicKey, auth: AuthSecret }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

export const PushDeviceInput = z
  .strictObject({
    /** A phone number in any format. */
    phone: Phone,
    title: trimmed(100).nullish(),
    /** Of Firebase Cloud Messaging. */
    token: text(4096)
      .regex(/^[\w:.-]+$/, 'This is not a registration token.')
      .optional(),
    /** Of a browser. */
    subscription: PushSubscription.optional(),
  })
  .superRefine(({ token, subscription }, ctx) => {
    if ((token === undefined) !== (subscription === undefined)) return;
    const message = 'A device has either a token or a subscription.';
    const rule = token === undefined ? 'required' : 'format';
    ctx.addIssue({ code: 'custom', path: ['token'], message, params: { rule } });
  });

export const pushDevices = {
  find: endpoint('GET', '/pushDevices', {
    query: listQuery({
      order: ['createdAt'],
      filter: { OwnerId: Id, kind: many(PushKind), cursor: Cursor },
      range: ['createdAt'],
      search: true,
      limit: 20,
    }),
    response: page(PushDevice),
    can: 'pushDevices.get',
    owner: 'read',
    summary: 'List the devices that get push messages',
  }),
  create: endpoint('POST', '/pushDevices', {
    quota: 'pushDevices',
    body: PushDeviceInput,
    response: PushDevice,
    status: 201,
    can: 'pushDevices.create',
    idempotent: true,
    // Who registers a device reads what is sent to the number.
    lasting: 'refused',
    summary: 'Register a device for the push messages to a phone number',
  }),
  remove: endpoint('DELETE', '/pushDevices/:id', {
    params: ById,
    response: Removed,
    can: 'pushDevices.remove',
    summary: 'Remove a device that gets push messages',
  }),
};
