import { isTemplate } from '@heliograph/domain';
import * as z from 'zod';
import { Id, many, OwnerRef, text, Time, Title, trimmed, lines } from './fields.ts';
import { crud, listQuery } from './list.ts';
import { SendingType, TrafficGroup } from './types.ts';

const fields = z.strictObject({
  title: Title,
  type: SendingType,
  /** The sender of the registration; null for any. */
  sender: trimmed(150).min(1).nullable(),
  text: lines(5000).refine(isTemplate, {
    params: { rule: 'template' },
    error:
      'An operator template must contain fixed letters or digits. Otherwise it would match every text.',
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

/** A template that operators have registered for an account. Messages whose whole text matches it belong to its group. */
export const Pattern = z.object({
  id: Id,
  title: z.string(),
  type: SendingType,
  sender: z.string().nullable(),
  /** `%d{1,4}` matches one to four digits, `%l` letters, `%w` both, `%r` Russian letters, `%rd` Russian letters and digits; with `+`, also spaces. */
  text: z.string(),
  group: TrafficGroup,
  /** Network of the registration, `25001`, or all of a country, `401*`; null for all networks. */
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
    range: ['createdAt'],
    search: true,
  }),
});
