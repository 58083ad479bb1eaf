import { MAX_EMAIL_LENGTH } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, trimmed } from './fields.ts';

export const persons = {
  /** A repeated request starts again. Addresses stay in blacklists. */
  erase: endpoint('POST', '/persons/erase', {
    body: z.strictObject({
      /** A phone number or an e-mail address. */
      address: trimmed(MAX_EMAIL_LENGTH).min(1),
      OwnerId: Id.optional(),
    }),
    /** Pseudonym that replaces the address. */
    response: z.object({ word: z.string() }),
    status: 202,
    can: 'persons.erase',
    cost: 'estimate',
    owner: 'write',
    audit: 'persons.erase',
    summary:
      'Erase a person: contacts, message contents and the address. Statistics and the ledger are kept',
  }),
};
