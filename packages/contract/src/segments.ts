import * as z from 'zod';
import { ContactsWhere } from './contacts.ts';
import { ById, endpoint } from './endpoint.ts';
import { arrayOf, Id, Time, Title } from './fields.ts';
import { crud, listQuery } from './list.ts';

/** What may have happened between an account and a contact: a message was delivered, or the contact wrote, or clicked a link. */
export const SEGMENT_EVENTS = ['delivered', 'replied', 'clicked'] as const;
export type SegmentEvent = (typeof SEGMENT_EVENTS)[number];
export const MAX_SEGMENT_DAYS = 365;

const Activity = z.strictObject({
  event: z.enum(SEGMENT_EVENTS),
  /** False: not within these days. */
  happened: z.boolean(),
  days: z.int().min(1).max(MAX_SEGMENT_DAYS),
});

/** Who belongs to a segment: the contacts in regular lists that all conditions hold for. */
const rules = {
  where: ContactsWhere.omit({ phone: true, email: true }),
  activity: arrayOf(Activity, { max: 4 }),
};
export const SegmentRules = z.strictObject({
  where: rules.where.default({}),
  activity: rules.activity.default([]),
});
export type SegmentRules = z.output<typeof SegmentRules>;

export const Segment = z.object({
  id: Id,
  title: Title,
  ...rules,
  OwnerId: Id,
  createdAt: Time,
  updatedAt: Time,
});
export type Segment = z.infer<typeof Segment>;

/** Exact, or of many contacts about as many, by a sample. */
export const SegmentCount = z.object({ count: z.int(), exact: z.boolean() });
export type SegmentCount = z.infer<typeof SegmentCount>;

export const SegmentInput = SegmentRules.extend({ title: Title });

export const segments = {
  ...crud('segments', {
    permission: 'contactLists',
    quota: 'segments',
    item: Segment,
    input: SegmentInput,
    update: z.strictObject({ title: Title, ...rules }).partial(),
    query: listQuery({
      order: ['createdAt', 'title', 'updatedAt'],
      filter: { OwnerId: Id },
      range: ['createdAt'],
      search: true,
    }),
  }),
  count: endpoint('GET', '/segments/:id/count', {
    params: ById,
    response: SegmentCount,
    cost: 'list',
    can: 'contactLists.get',
    summary: 'Count the contacts of a segment',
  }),
  preview: endpoint('POST', '/segments/count', {
    bound: 'nothing',
    body: SegmentRules,
    response: SegmentCount,
    cost: 'list',
    can: 'contactLists.get',
    summary: 'Count the contacts that a new segment would have',
  }),
};
