import * as z from 'zod';
import { channelName } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { arrayOf, Id, many, Time, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';
import { SendernameType } from './sendernames.ts';

/** Names of one call, and of a channel. */
export const MAX_NAMES_A_CALL = 1000;
export const MAX_NAMES_OF_CHANNEL = 100_000;
const MAX_NAME = 100;
/** `MAX_NAMES_A_CALL` names of maximum length. */
const NAMES_BODY_LIMIT = 512 * 1024;

const note = trimmed(300).nullable();

/** A sender name that is registered at the carrier of a channel. */
export const ChannelSendername = z.object({
  id: Id,
  ChannelId: z.string(),
  name: z.string(),
  /** `sms` stands for all types but calls. */
  type: SendernameType,
  since: Time,
  note: z.string().nullable(),
  createdAt: Time,
});
export type ChannelSendername = z.infer<typeof ChannelSendername>;

export const ChannelSendernamesInput = z.strictObject({
  names: arrayOf(trimmed(MAX_NAME), { min: 1, max: MAX_NAMES_A_CALL }),
  type: SendernameType.default('sms'),
  /** Now, if absent. Given for a name that is registered already, it replaces the former value. */
  since: Time.optional(),
  note: note.optional(),
});
export type ChannelSendernamesInput = z.output<typeof ChannelSendernamesInput>;

/** `repeated`: an earlier name of the call is the same; `invalid`: it cannot be a name of the type; `full`: the channel has no room. */
export const REGISTRATION_RESULTS = [
  'added',
  'updated',
  'unchanged',
  'repeated',
  'invalid',
  'full',
] as const;
export type RegistrationResult = (typeof REGISTRATION_RESULTS)[number];

/** A result for each name, in their order. */
export const ChannelSendernamesAdded = z.object({
  results: z.array(z.object({ name: z.string(), result: z.enum(REGISTRATION_RESULTS) })),
});
export type ChannelSendernamesAdded = z.infer<typeof ChannelSendernamesAdded>;

const ofChannel = z.object({ channel: channelName });

export const channelSendernames = {
  find: endpoint('GET', '/channels/:channel/sendernames', {
    params: ofChannel,
    query: listQuery({
      order: ['since', 'name'],
      filter: { type: many(SendernameType) },
      search: true,
      limit: 20,
    }),
    response: page(ChannelSendername),
    can: 'channels.get',
    accept: 'managerUp',
  }),
  add: endpoint('POST', '/channels/:channel/sendernames', {
    params: ofChannel,
    body: ChannelSendernamesInput,
    bodyLimit: NAMES_BODY_LIMIT,
    response: ChannelSendernamesAdded,
    can: 'channels.update',
    audit: 'channelSendernames.add',
    accept: 'managerUp',
    summary: 'Register sender names at a channel, with a result for each',
  }),
  remove: endpoint('DELETE', '/channels/:channel/sendernames/:id', {
    params: z.object({ channel: channelName, id: Id }),
    response: z.object({ id: Id }),
    can: 'channels.update',
    audit: 'channelSendernames.remove',
    accept: 'managerUp',
    summary: 'Remove a sender name of a channel',
  }),
};
