import {
  INBOUND_MODES,
  isKeyword,
  MAX_INBOUND_KEYWORD,
  MAX_INBOUND_KEYWORDS,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  WAIT_UNITS,
} from '@heliograph/domain';
import * as z from 'zod';
import { CUSTOM_FIELDS } from './contacts.ts';
import { ById, endpoint } from './endpoint.ts';
import { arrayOf, Id, lines, OwnerRef, text, Time, TimeZone, Title, trimmed } from './fields.ts';
import { crud, listQuery, page } from './list.ts';
import { checkPayload } from './payload.ts';
import type { SendingType } from './types.ts';

/** Automations of an account. */
export const MAX_AUTOMATIONS = 50;
export const MAX_AUTOMATION_STEPS = 10;
export const MAX_SILENCE_DAYS = 365;
/** Longest wait, by its unit. */
export const MAX_WAIT = { minutes: 1440, hours: 720, days: 365 } as const;

/** Types whose messages are a text alone, and which people can opt out of. Others are sent from a template. */
export const AUTOMATION_TYPES = [
  'sms',
  'viber',
  'whatsapp',
  'telegram',
  'max',
  'vk',
  'ok',
  'facebook',
  'instagram',
  'push',
] as const satisfies SendingType[];

/** A contact was added to a list. */
export const WhenListed = z.strictObject({ when: z.literal('listed'), ListId: Id });
/** A contact has become a member of a segment. */
export const WhenInSegment = z.strictObject({ when: z.literal('segment'), SegmentId: Id });
/** A day of a contact comes round, every year. */
export const WhenDate = z.strictObject({
  when: z.literal('date'),
  field: z.enum(['date', ...CUSTOM_FIELDS]),
  /** Null: in all lists. */
  ListId: Id.nullable().default(null),
  /** By the clocks of the time zone of the automation. */
  time: text(5).regex(/^([01]\d|2[0-3]):[0-5]\d$/),
});
/** The last message to a person has had no reply for so many days. */
export const WhenSilent = z.strictObject({
  when: z.literal('silence'),
  days: z.int().min(1).max(MAX_SILENCE_DAYS),
});
const Keyword = trimmed(MAX_INBOUND_KEYWORD).refine(isKeyword, {
  message: 'A keyword has letters, digits or symbols.',
  params: { rule: 'keyword' },
});
/** A person has written a word. */
export const WhenKeyword = z.strictObject({
  when: z.literal('keyword'),
  keywords: arrayOf(Keyword, { min: 1, max: MAX_INBOUND_KEYWORDS }),
  mode: z.enum(INBOUND_MODES).exclude(['any']).default('equals'),
});
export const AutomationTrigger = z.discriminatedUnion('when', [
  WhenListed,
  WhenInSegment,
  WhenDate,
  WhenSilent,
  WhenKeyword,
]);
export type AutomationTrigger = z.output<typeof AutomationTrigger>;
export type AutomationTriggerKind = AutomationTrigger['when'];

/** Of a step that stays: the id that it has. */
const step = { id: z.int().min(1).max(1_000_000).optional() };
export const StepWait = z.strictObject({
  ...step,
  do: z.literal('wait'),
  amount: z.int().min(1).max(MAX_WAIT.minutes),
  unit: z.enum(WAIT_UNITS),
});
export const StepMessage = z.strictObject({
  ...step,
  do: z.literal('message'),
  type: z.enum(AUTOMATION_TYPES),
  sender: trimmed(150).min(1),
  text: lines(10_000),
});
/** A template with its fallbacks, of any type. */
export const StepTemplate = z.strictObject({
  ...step,
  do: z.literal('template'),
  TemplateId: Id,
});
const tags = arrayOf(trimmed(MAX_TAG_LENGTH).min(1), { max: MAX_TAGS });
export const StepTag = z.strictObject({
  ...step,
  do: z.literal('tag'),
  add: tags.default([]),
  remove: tags.default([]),
});
/** Ends it for those who have replied since they entered. */
export const StepStop = z.strictObject({
  ...step,
  do: z.literal('stop'),
  if: z.literal('replied'),
});
export const AutomationStepInput = z
  .discriminatedUnion('do', [StepWait, StepMessage, StepTemplate, StepTag, StepStop])
  .superRefine((given, ctx) => {
    const refuse = (path: string, rule: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], message, params: { rule } });
    if (given.do === 'wait' && given.amount > MAX_WAIT[given.unit])
      refuse('amount', 'too_big', `A wait has at most ${MAX_WAIT[given.unit]} ${given.unit}.`);
    if (given.do === 'tag' && !given.add.length && !given.remove.length)
      refuse('add', 'required', 'A tag is required.');
    if (given.do === 'message')
      checkPayload(given.type, { sender: given.sender, text: given.text }, ctx, []);
  });
export type AutomationStepInput = z.output<typeof AutomationStepInput>;
export type AutomationStep = AutomationStepInput & { id: number };
export type AutomationStepKind = AutomationStep['do'];

const fields = z.strictObject({
  title: Title,
  trigger: AutomationTrigger,
  steps: arrayOf(AutomationStepInput, { min: 1, max: MAX_AUTOMATION_STEPS }),
  /** Of times of the day, and of days of waits. */
  timeZone: TimeZone,
  /** False: nobody enters, and who has entered waits. */
  isActive: z.boolean(),
});
export const AutomationInput = fields.extend({ isActive: fields.shape.isActive.default(false) });
export const AutomationUpdate = fields.partial();
export type AutomationInput = z.output<typeof AutomationInput>;

/** How a person came to an end, or not yet. */
export const AUTOMATION_RUN_STATES = ['waiting', 'done', 'stopped', 'left', 'failed'] as const;
export type AutomationRunState = (typeof AUTOMATION_RUN_STATES)[number];

/** Who changed it last may no longer do what it does; what it is about was removed; the balance, or a spend cap, does not cover its messages. */
export const AUTOMATION_REASONS = [
  'forbidden',
  'removed',
  'insufficient_funds',
  'spend_cap_reached',
] as const;
export type AutomationReason = (typeof AUTOMATION_REASONS)[number];

export const Automation = z.object({
  id: Id,
  title: z.string(),
  trigger: z.looseObject({ when: z.enum(['listed', 'segment', 'date', 'silence', 'keyword']) }),
  steps: z.array(
    z.looseObject({ id: z.int(), do: z.enum(['wait', 'message', 'template', 'tag', 'stop']) }),
  ),
  timeZone: z.string(),
  isActive: z.boolean(),
  /** Why it was paused by the installation. */
  reason: z.enum(AUTOMATION_REASONS).nullable(),
  /** When it was first started. Null: a draft. */
  startedAt: Time.nullable(),
  /** When it looks at contacts again; null without a trigger that does. */
  nextScanAt: Time.nullable(),
  /** People so far. */
  entered: z.int(),
  done: z.int(),
  stopped: z.int(),
  left: z.int(),
  failed: z.int(),
  UserId: Id,
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Automation = z.infer<typeof Automation>;

/** What a step has done. */
export const AutomationStepCount = z.object({
  id: z.int(),
  /** People who have taken it. */
  taken: z.int(),
  /** Those of them for whom it had no effect, by the reason. */
  held: z.record(z.string(), z.int()),
  /** People who have taken it and wait for the next one. */
  waiting: z.int(),
});
export type AutomationStepCount = z.infer<typeof AutomationStepCount>;

/** A person in an automation. */
export const AutomationRun = z.object({
  id: Id,
  /** Phone number or e-mail address. */
  address: z.string(),
  ContactId: Id.nullable(),
  state: z.enum(AUTOMATION_RUN_STATES),
  /** Ids of the steps that were taken, in their order. */
  taken: z.array(z.int()),
  /** When the next step is taken. Null after the end. */
  dueAt: Time.nullable(),
  /** Why the last step without an effect had none. */
  code: z.string().nullable(),
  /** The last message. */
  SendingId: Id.nullable(),
  createdAt: Time,
});
export type AutomationRun = z.infer<typeof AutomationRun>;

export const automations = {
  ...crud('automations', {
    lasting: 'announced',
    quota: 'automations',
    item: Automation,
    input: AutomationInput,
    update: AutomationUpdate,
    query: listQuery({
      order: ['createdAt', 'title'],
      filter: { OwnerId: Id },
      range: ['createdAt'],
    }),
  }),
  counts: endpoint('GET', '/automations/:id/counts', {
    params: ById,
    response: z.object({ steps: z.array(AutomationStepCount), waiting: z.int() }),
    can: 'automations.get',
    cost: 'list',
    summary: 'Count the people at each step of an automation',
  }),
  runs: endpoint('GET', '/automations/:id/runs', {
    params: ById,
    query: listQuery({ order: ['createdAt'] }),
    response: page(AutomationRun),
    can: 'automations.get',
    summary: 'List the people in an automation. Needs `contacts.get`, too',
  }),
};
