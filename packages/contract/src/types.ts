import * as z from 'zod';
import { OUTCOMES, SENDING_TYPES, STATUSES, TRAFFIC_GROUPS } from '@heliograph/domain';

export const SendingType = z.enum(SENDING_TYPES);
export type SendingType = z.infer<typeof SendingType>;
export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;
/** Result for a recipient, from all attempts of the chain. */
export const Outcome = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof Outcome>;
/** Traffic group of a message, as defined by operators. Tariffs can set a price for each group. */
export const TrafficGroup = z.enum(TRAFFIC_GROUPS);
export type TrafficGroup = z.infer<typeof TrafficGroup>;
/** State of what managers check before it is used. */
export const Moderation = z.enum(['pending', 'approved', 'rejected']);
export type Moderation = z.infer<typeof Moderation>;
