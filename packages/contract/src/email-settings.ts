import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, QueryToken } from './fields.ts';

/** How the e-mails of an account are sent. */
export const EmailSettings = z.object({
  OwnerId: Id,
  /** Whether formatted e-mails have an image by which an opened one becomes `seen`. */
  tellsOpened: z.boolean(),
});
export type EmailSettings = z.infer<typeof EmailSettings>;

export const EmailSettingsInput = z.strictObject({ tellsOpened: z.boolean() });

export const emailSettings = {
  get: endpoint('GET', '/emailSettings', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: EmailSettings,
    can: 'emailSettings.get',
    owner: 'read',
    summary: 'Get how the e-mails of an account are sent',
  }),
  update: endpoint('PUT', '/emailSettings', {
    body: EmailSettingsInput,
    response: EmailSettings,
    can: 'emailSettings.update',
    audit: 'emailSettings.update',
    summary: 'Change how the e-mails of an account are sent',
  }),
};
