import * as z from 'zod';
import { SENDING_TYPES, STATUSES } from '@heliograph/domain';

export const SendingType = z.enum(SENDING_TYPES);
export type SendingType = z.infer<typeof SendingType>;
export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;
