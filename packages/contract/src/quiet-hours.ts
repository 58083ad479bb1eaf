import { DAY_MINUTES, MAX_QUIET_MINUTES, quietMinutes } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { arrayOf, Id, QueryToken, TimeZone } from './fields.ts';
import { TrafficGroup } from './types.ts';

const Minute = z
  .int()
  .min(0)
  .max(DAY_MINUTES - 1);

/** Hours in which messages of an account wait, by the clock of the recipient. */
export const QuietHours = z.object({
  OwnerId: Id,
  isActive: z.boolean(),
  /** Minutes since midnight. */
  from: z.int(),
  until: z.int(),
  groups: z.array(TrafficGroup),
  /** Whether single messages wait, too. */
  singles: z.boolean(),
  /** For recipients whose time zone is not known. */
  timeZone: z.string(),
});
export type QuietHours = z.infer<typeof QuietHours>;

export const QuietHoursInput = z
  .strictObject({
    isActive: z.boolean(),
    from: Minute,
    until: Minute,
    groups: arrayOf(TrafficGroup, { min: 1, max: TrafficGroup.options.length }),
    singles: z.boolean(),
    timeZone: TimeZone,
  })
  .superRefine((given, ctx) => {
    const minutes = quietMinutes(given);
    if (minutes > 0 && minutes <= MAX_QUIET_MINUTES) return;
    const message = `The quiet hours must be between one minute and ${MAX_QUIET_MINUTES / 60} hours long.`;
    ctx.addIssue({ code: 'custom', path: ['until'], message, params: { rule: 'quiet_length' } });
  });

export const quietHours = {
  get: endpoint('GET', '/quietHours', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: QuietHours,
    can: 'quietHours.get',
    owner: 'read',
    summary: 'Get the hours in which messages wait',
  }),
  update: endpoint('PUT', '/quietHours', {
    body: QuietHoursInput,
    response: QuietHours,
    can: 'quietHours.update',
    audit: 'quietHours.update',
    summary: 'Change the hours in which messages wait',
  }),
};
