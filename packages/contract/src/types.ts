import * as z from 'zod';
import { OUTCOMES, SENDING_TYPES, STATUSES, TRAFFIC_GROUPS } from '@heliograph/domain';

export const SendingType = z.enum(SENDING_TYPES);
export type SendingType = z.infer<typeof SendingType>;
export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;
/** What became of a recipient, whichever attempt decided it. */
export const Outcome = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof Outcome>;
/** What a message is for operators: a tariff may price each apart. */
export const TrafficGroup = z.enum(TRAFFIC_GROUPS);
export type TrafficGroup = z.infer<typeof TrafficGroup>;
