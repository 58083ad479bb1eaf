import { MAX_CAP_DAYS, MAX_CAP_MESSAGES } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, QueryToken } from './fields.ts';

/** How many advertising messages of an account one person gets within a period. */
export const FrequencyCap = z.object({
  OwnerId: Id,
  isActive: z.boolean(),
  messages: z.int(),
  days: z.int(),
  /** Whether single messages count, too. */
  singles: z.boolean(),
});
export type FrequencyCap = z.infer<typeof FrequencyCap>;

export const FrequencyCapInput = z.strictObject({
  isActive: z.boolean(),
  messages: z.int().min(1).max(MAX_CAP_MESSAGES),
  days: z.int().min(1).max(MAX_CAP_DAYS),
  singles: z.boolean(),
});

export const frequencyCap = {
  get: endpoint('GET', '/frequencyCap', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: FrequencyCap,
    can: 'frequencyCap.get',
    owner: 'read',
    summary: 'Get how many advertising messages a person gets',
  }),
  update: endpoint('PUT', '/frequencyCap', {
    body: FrequencyCapInput,
    response: FrequencyCap,
    can: 'frequencyCap.update',
    audit: 'frequencyCap.update',
    summary: 'Change how many advertising messages a person gets',
  }),
};
