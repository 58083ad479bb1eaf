import { isTemplate } from '@heliograph/domain';
import * as z from 'zod';
import { Id, many, OwnerRef, text, Time, Title, trimmed } from './fields.ts';
import { crud, listQuery } from './list.ts';
import { SendingType, TrafficGroup } from './types.ts';

const fields = z.strictObject({
  title: Title,
  type: SendingType,
  /** The operator registered it for this sender; null: for any. */
  sender: trimmed(150).min(1).nullable(),
  text: text(5000).refine(isTemplate, {
    params: { rule: 'template' },
    error: 'A pattern needs letters or digits of its own: it would match every text.',
  }),
  group: TrafficGroup,
  mccmnc: text(6)
    .regex(/^(\d{5,6}|\d{3,5}\*)$/)
    .nullable(),
});
export const PatternInput = fields.extend({
  sender: fields.shape.sender.default(null),
  mccmnc: fields.shape.mccmnc.default(null),
  OwnerId: Id,
});

/** A template that operators have registered for an account: messages that match it as a whole are of its group. */
export const Pattern = z.object({
  id: Id,
  title: z.string(),
  type: SendingType,
  sender: z.string().nullable(),
  /** `%d{1,4}` is one to four digits; `%l` letters, `%w` both, `%r` Russian letters, `%rd` and digits; `+` takes spaces, too. */
  text: z.string(),
  group: TrafficGroup,
  /** The network it is registered with, `25001`, or those of a country, `401*`; null: all. */
  mccmnc: z.string().nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Pattern = z.infer<typeof Pattern>;

export const patterns = crud('patterns', {
  item: Pattern,
  input: PatternInput,
  update: fields.partial(),
  owner: 'write',
  audit: true,
  query: listQuery({
    order: ['createdAt', 'title', 'updatedAt'],
    filter: { type: many(SendingType), group: many(TrafficGroup), OwnerId: Id },
    search: true,
  }),
});
