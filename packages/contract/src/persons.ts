import { MAX_EMAIL_LENGTH } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, trimmed } from './fields.ts';

export const persons = {
  /** Asked for again it begins again; of a blacklist the address stays. */
  erase: endpoint('POST', '/persons/erase', {
    body: z.strictObject({
      /** A phone or an e-mail. */
      address: trimmed(MAX_EMAIL_LENGTH).min(1),
      OwnerId: Id.optional(),
    }),
    /** What stands in place of the address from now on. */
    response: z.object({ word: z.string() }),
    status: 202,
    can: 'persons.erase',
    owner: 'write',
    audit: 'persons.erase',
    summary:
      'Forget a person: contacts, what was said and the address itself; figures and the ledger stay',
  }),
};
