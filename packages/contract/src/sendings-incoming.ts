import { MAX_EMAIL_LENGTH } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint, ById } from './endpoint.ts';
import { Cursor, Id, many, OwnerRef, text, Time, trimmed, lines } from './fields.ts';
import { listQuery, page } from './list.ts';
import { SendingType } from './types.ts';

/** Length of an incoming text. */
export const MAX_INCOMING_TEXT = 10_000;
export const IncomingPayload = z.strictObject({
  text: lines(MAX_INCOMING_TEXT).optional(),
  image: text(2048).optional(),
  file: text(2048).optional(),
});
export const SendingIncoming = z.object({
  id: Id,
  type: SendingType,
  from: z.string(),
  to: z.string(),
  payload: IncomingPayload,
  /** The message to which this is a reply, if one was found. */
  SendingId: Id.nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type SendingIncoming = z.infer<typeof SendingIncoming>;
export const SendingIncomingInput = z.strictObject({
  /** A phone number in any format, or an e-mail address. */
  from: trimmed(MAX_EMAIL_LENGTH).min(5),
  to: trimmed(MAX_EMAIL_LENGTH).min(1),
  type: SendingType,
  payload: IncomingPayload,
});
/** As carriers send it: from short numbers too, and with fields of their own, which are ignored. */
export const CarrierIncoming = z.looseObject({
  ...SendingIncomingInput.shape,
  from: trimmed(MAX_EMAIL_LENGTH).min(1),
  payload: z.looseObject(IncomingPayload.shape),
});
export type CarrierIncoming = z.infer<typeof CarrierIncoming>;

export const sendingsIncoming = {
  find: endpoint('GET', '/sendingsIncoming', {
    query: listQuery({
      order: ['createdAt', 'updatedAt'],
      followed: 'updatedAt',
      filter: {
        type: many(SendingType),
        from: text(MAX_EMAIL_LENGTH),
        OwnerId: Id,
        cursor: Cursor,
      },
      range: ['createdAt', 'updatedAt'],
      search: true,
    }),
    response: page(SendingIncoming),
    can: 'sendingsIncoming.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/sendingsIncoming/:id', {
    params: ById,
    response: SendingIncoming,
    can: 'sendingsIncoming.get',
  }),
  create: endpoint('POST', '/sendingsIncoming', {
    cost: 'incoming',
    body: SendingIncomingInput,
    response: SendingIncoming,
    status: 201,
    can: 'sendingsIncoming.create',
    idempotent: true,
  }),
};
