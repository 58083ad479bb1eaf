import { SHARE_REASONS } from '@heliograph/domain';
import * as z from 'zod';
import { channelName } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { Id, many, Time } from './fields.ts';
import { listQuery, page } from './list.ts';
import { RouteRef } from './routes.ts';

/** The share of a channel in a weighted route has changed by itself. */
export const ShareShift = z.object({
  id: Id,
  route: RouteRef,
  ChannelId: z.string(),
  /** Parts of a thousand. */
  before: z.int(),
  after: z.int(),
  /** `others`: another channel lost share. `back`: on the way to the weights of the route. */
  reason: z.enum(SHARE_REASONS),
  /** Of a loss: what share of the messages was delivered, in time, or reported at all. */
  figures: z.object({ own: z.number(), others: z.number(), count: z.int() }).nullable(),
  createdAt: Time,
});
export type ShareShift = z.infer<typeof ShareShift>;

export const shareShifts = {
  find: endpoint('GET', '/shareShifts', {
    query: listQuery({
      order: ['createdAt'],
      filter: { RouteId: many(Id), ChannelId: many(channelName) },
      range: ['createdAt'],
      limit: 20,
    }),
    response: page(ShareShift),
    can: 'routes.get',
    accept: 'managerUp',
  }),
};
