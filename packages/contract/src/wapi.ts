import { WAPI_PROBLEMS, WAPI_STATES } from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { Id, many, OwnerRef, QueryBoolean, Time } from './fields.ts';
import { listQuery, page } from './list.ts';

export const WapiState = z.enum(WAPI_STATES);
/** What the phone scans: a text, or an image made by the gateway. */
const Qr = z.object({
  code: z.string().nullable(),
  /** PNG in base64. */
  image: z.string().nullable(),
  expiresAt: Time,
});

export const WapiInstance = z.object({
  id: Id,
  /** Null until a phone was linked. */
  phone: z.string().nullable(),
  state: WapiState,
  isPaid: z.boolean(),
  /** False: an administrator has deactivated it. */
  isActive: z.boolean(),
  /** Auto-renewal is off. */
  isCanceled: z.boolean(),
  expiredAt: Time,
  /** When it is removed unless it is renewed; null while it is paid. */
  removalAt: Time.nullable(),
  /** Why the last attempt to link a phone failed. */
  problem: z.enum(WAPI_PROBLEMS).nullable(),
  /** While somebody has it open. */
  qr: Qr.nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type WapiInstance = z.infer<typeof WapiInstance>;

const common = { params: ById, response: WapiInstance };

/** WhatsApp instances. */
export const wapi = {
  find: endpoint('GET', '/wapi', {
    query: listQuery({
      order: ['createdAt', 'expiredAt'],
      filter: { OwnerId: Id, state: many(WapiState), isPaid: QueryBoolean, id: many(Id) },
      range: ['createdAt'],
      search: true,
    }),
    response: page(WapiInstance),
    can: 'wapi.get',
    owner: 'read',
    summary: 'List WhatsApp instances',
  }),
  price: endpoint('GET', '/wapi/price', {
    response: z.object({
      /** Null: the tariff has no price, so no instance can be created. */
      amount: z.number().nullable(),
      currency: z.string(),
    }),
    can: 'wapi.get',
    summary: 'Get the price of an instance per month',
  }),
  get: endpoint('GET', '/wapi/:id', {
    ...common,
    can: 'wapi.get',
    summary: 'Get a WhatsApp instance',
  }),
  create: endpoint('POST', '/wapi', {
    charges: true,
    /** Without fields: an `OwnerId` is refused, since the caller's own account is charged. */
    body: z.strictObject({}).optional(),
    response: WapiInstance,
    status: 201,
    can: 'wapi.create',
    sessionOnly: true,
    idempotent: true,
    audit: 'wapi.create',
    summary: 'Create a WhatsApp instance and charge its first month',
  }),
  update: endpoint('PUT', '/wapi/:id', {
    ...common,
    body: z.strictObject({ isCanceled: z.boolean() }),
    can: 'wapi.update',
    sessionOnly: true,
    audit: 'wapi.update',
    alias: 'PATCH',
    summary: 'Switch the auto-renewal of an instance on or off',
  }),
  qr: endpoint('POST', '/wapi/:id/qr', {
    lasting: 'announced',
    ...common,
    can: 'wapi.update',
    cost: 'estimate',
    summary: 'Get a QR code; for a minute, new codes follow as events',
  }),
  logout: endpoint('POST', '/wapi/:id/logout', {
    ...common,
    can: 'wapi.update',
    sessionOnly: true,
    audit: 'wapi.logout',
    cost: 'estimate',
    summary: 'Unlink the phone of an instance',
  }),
  renew: endpoint('POST', '/wapi/:id/renew', {
    charges: true,
    ...common,
    /** As the caller knows it, so that a repeated call does not pay for another month. */
    body: z.strictObject({ expiredAt: Time }),
    can: 'wapi.create',
    sessionOnly: true,
    audit: 'wapi.renew',
    summary: 'Charge the next month of an instance',
  }),
  activate: endpoint('POST', '/wapi/:id/activate', {
    ...common,
    body: z.strictObject({ isActive: z.boolean() }),
    can: 'wapi.activate',
    sessionOnly: true,
    audit: 'wapi.activate',
    summary: 'Deactivate an instance, or activate it again',
  }),
};
