import {
  isBlank,
  MAX_VARIANT_HOURS,
  MAX_VARIANT_SHARE,
  MIN_VARIANT_SHARE,
  TYPES_WITHOUT_TEXT,
  VARIANT_CRITERIA,
  VARIANT_PARTS,
  VARIANT_REASONS,
  VARIANT_SLOTS,
  VARIANTS,
  type SendingType,
} from '@heliograph/domain';
import * as z from 'zod';
import type { FieldRule } from './descriptions/errors.ts';
import { Id, lines, Time } from './fields.ts';
import { checkText, Payload } from './payload.ts';
import { resendOf } from './resends.ts';

/** A second text of a bulk: both are sent to a share of the recipients, and the better one to the rest. */
export const VariantsInput = z.strictObject({
  /** Instead of the text of the first attempt, which stays as it is otherwise. */
  text: lines(100_000),
  /** Percent of the recipients: half of them get each of the two texts. */
  share: z.int().min(MIN_VARIANT_SHARE).max(MAX_VARIANT_SHARE),
  /** What the better text has more of. */
  by: z.enum(VARIANT_CRITERIA),
  /** From the start of the two texts until that of the rest. */
  hours: z.int().min(1).max(MAX_VARIANT_HOURS),
});
export type VariantsInput = z.output<typeof VariantsInput>;

export const VariantFigures = z.object({
  recipients: z.int(),
  ended: z.int(),
  delivered: z.int(),
  replied: z.int(),
  clicks: z.int().nullable(),
});
const both = <T extends z.ZodType>(schema: T) => z.object({ A: schema, B: schema });
export const VariantFiguresOf = both(VariantFigures);

/** Of one of the three bulks of which a bulk with two texts consists. */
export const TaskVariants = z.object({
  part: z.enum(VARIANT_PARTS),
  /** Until they are deleted by age. Only when a single task is retrieved, not in lists and events. */
  texts: both(z.string()).optional(),
  share: z.int(),
  by: z.enum(VARIANT_CRITERIA),
  hours: z.int(),
  tasks: z.object({ A: Id, B: Id, rest: Id }),
  /** The part of the audience: addresses whose slot is not below `from` and below `to`. */
  slice: z.object({
    seed: z.string(),
    from: z.int().min(0).max(VARIANT_SLOTS),
    to: z.int().min(0).max(VARIANT_SLOTS),
  }),
  /** Clicks that the links of each text had before. With `clicked`. */
  clicksBefore: both(z.int()).optional(),
  /** Of the rest: the text that it is sent with, once it has started. */
  chosen: z
    .object({
      variant: z.enum(VARIANTS),
      reason: z.enum(VARIANT_REASONS),
      at: Time,
      figures: VariantFiguresOf,
    })
    .nullable(),
});
export type TaskVariants = z.infer<typeof TaskVariants>;

/** Whether the text is what a message says: a code is none, and a call may play a recording. */
export const mayVary = (
  type: SendingType,
  { text, audio }: Pick<Payload, 'text' | 'audio'>,
): boolean =>
  !TYPES_WITHOUT_TEXT.includes(type) &&
  type !== 'flashcall' &&
  type !== 'telegramcode' &&
  !(type === 'voice' && audio) &&
  !!text &&
  !isBlank(text);

/** Checks the second text as that of the payload. */
export function checkVariants(
  {
    type,
    payload,
    recipient,
    variants,
  }: {
    type: SendingType;
    payload: Payload;
    recipient: unknown;
    variants?: VariantsInput | undefined;
  },
  ctx: z.core.$RefinementCtx<unknown>,
): void {
  if (!variants) return;
  const issue = (path: string[], rule: FieldRule, message: string) =>
    ctx.addIssue({ code: 'custom', path: ['variants', ...path], message, params: { rule } });
  const { text } = variants;
  if (!mayVary(type, payload))
    return issue([], 'unsupported', 'Two texts need a message that has a text.');
  if (resendOf(recipient))
    return issue([], 'unsupported', 'Recipients of another bulk get one text.');
  checkText(type, { ...payload, text }, (rule, message) => issue(['text'], rule, message));
  if (text.trim() === payload.text?.trim())
    issue(['text'], 'unchanged', 'The second text is the same as the first.');
}
