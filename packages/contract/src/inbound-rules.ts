import {
  compileText,
  DEFAULT_REPLY_MINUTES,
  INBOUND_ACTIONS,
  INBOUND_HOLDS,
  INBOUND_MODES,
  isBlank,
  isKeyword,
  MAX_EMAIL_LENGTH,
  MAX_INBOUND_KEYWORD,
  MAX_INBOUND_KEYWORDS,
  MAX_INBOUND_REPLY,
  MAX_INBOUND_RULES,
  MAX_REPLY_MINUTES,
  UNSUBSCRIBE_VARIABLE,
} from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import type { FieldIssue } from './errors.ts';
import { arrayOf, Id, OwnerRef, Time, Title, trimmed, lines } from './fields.ts';
import { crud, listQuery } from './list.ts';
import { checkVariables } from './payload.ts';
import { SendingType } from './types.ts';

export const InboundAction = z.enum(INBOUND_ACTIONS);
export const InboundMode = z.enum(INBOUND_MODES);
export const InboundHold = z.enum(INBOUND_HOLDS);
const ListChange = z.enum(['add', 'remove']);

const Keyword = trimmed(MAX_INBOUND_KEYWORD).refine(isKeyword, {
  message: 'A keyword has letters, digits or symbols.',
  params: { rule: 'keyword' },
});
const fields = z.strictObject({
  title: Title,
  isActive: z.boolean(),
  /** Whether later rules see the message, too. */
  isContinued: z.boolean(),
  /** Empty: all types. */
  types: arrayOf(SendingType, { max: SendingType.options.length }),
  /** Sender name to which the message is; null: any. */
  sender: trimmed(150).min(1).nullable(),
  mode: InboundMode,
  keywords: arrayOf(Keyword, { max: MAX_INBOUND_KEYWORDS }),
  actions: arrayOf(InboundAction, { min: 1, max: INBOUND_ACTIONS.length }),
  WebhookId: Id.nullable(),
  replyText: lines(MAX_INBOUND_REPLY).nullable(),
  /** A person gets one reply of this rule in so many minutes. */
  replyMinutes: z.int().min(1).max(MAX_REPLY_MINUTES),
  ListId: Id.nullable(),
  listChange: ListChange,
});

/** Variables that a reply has a value for: the address of the person, and the link of the message. */
const KNOWN_OF_PERSON = { phone: '1', email: '1', [UNSUBSCRIBE_VARIABLE]: '1' };

/** Problems of a whole rule: fields that depend on each other. */
export function inboundRuleIssues(
  rule: Pick<
    z.output<typeof fields>,
    'mode' | 'keywords' | 'actions' | 'WebhookId' | 'ListId' | 'replyText'
  >,
): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const required = (field: string, message: string) =>
    issues.push({ field, rule: 'required', message });
  const { mode, keywords, actions, replyText } = rule;
  if (mode !== 'any' && !keywords.length) required('keywords', 'A keyword is required.');
  if (new Set(actions).size < actions.length)
    issues.push({ field: 'actions', rule: 'unique', message: 'An action is listed twice.' });
  if (actions.includes('webhook') && !rule.WebhookId)
    required('WebhookId', 'A webhook is required.');
  if (actions.includes('list') && !rule.ListId) required('ListId', 'A contact list is required.');
  if (actions.includes('reply') && (!replyText || isBlank(replyText)))
    required('replyText', 'A text is required.');
  checkVariables(replyText, (name, message) =>
    issues.push({ field: 'replyText', rule: name, message }),
  );
  if (!issues.length && replyText && compileText(replyText).render(KNOWN_OF_PERSON) === null)
    issues.push({
      field: 'replyText',
      rule: 'no_default',
      message: 'Of the person only the address is known: other variables need a default.',
    });
  return issues;
}

export const InboundRuleInput = fields
  .extend({
    isActive: fields.shape.isActive.default(true),
    isContinued: fields.shape.isContinued.default(false),
    types: fields.shape.types.default([]),
    sender: fields.shape.sender.default(null),
    keywords: fields.shape.keywords.default([]),
    WebhookId: fields.shape.WebhookId.default(null),
    replyText: fields.shape.replyText.default(null),
    replyMinutes: fields.shape.replyMinutes.default(DEFAULT_REPLY_MINUTES),
    ListId: fields.shape.ListId.default(null),
    listChange: fields.shape.listChange.default('add'),
  })
  .superRefine((given, ctx) => {
    for (const { field, rule, message } of inboundRuleIssues(given))
      ctx.addIssue({ code: 'custom', path: [field], message, params: { rule } });
  });
export const InboundRuleUpdate = fields.partial();

/** A rule for incoming messages of an account. */
export const InboundRule = z.object({
  id: Id,
  /** Rules are tried in this order. */
  position: z.int(),
  title: z.string(),
  isActive: z.boolean(),
  isContinued: z.boolean(),
  types: z.array(SendingType),
  sender: z.string().nullable(),
  mode: InboundMode,
  keywords: z.array(z.string()),
  actions: z.array(InboundAction),
  WebhookId: Id.nullable(),
  replyText: z.string().nullable(),
  replyMinutes: z.int(),
  ListId: Id.nullable(),
  listChange: ListChange,
  /** Messages that it matched. */
  matched: z.int(),
  matchedAt: Time.nullable(),
  /** Replies that were sent. */
  replies: z.int(),
  /** How often an action had no effect, by the reason. */
  held: z.partialRecord(InboundHold, z.int()),
  /** The last reason. */
  hold: InboundHold.nullable(),
  heldAt: Time.nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type InboundRule = z.infer<typeof InboundRule>;

/** All rules of the account in their new order. */
const Order = z.strictObject({ ids: arrayOf(Id, { min: 1, max: MAX_INBOUND_RULES }) });

export const InboundTrial = z.strictObject({
  type: SendingType,
  to: trimmed(MAX_EMAIL_LENGTH).min(1),
  /** The person; without one, what depends on the person is not checked. */
  from: trimmed(MAX_EMAIL_LENGTH).min(5).nullish(),
  text: lines(10_000),
});
export const InboundTrialResult = z.object({
  /** Opt-outs come first: rules do not see such a message. */
  optOut: z.enum(['stop', 'start']).nullable(),
  matches: z.array(
    z.object({
      id: Id,
      title: z.string(),
      actions: z.array(z.object({ action: InboundAction, hold: InboundHold.nullable() })),
      /** As it would be sent. */
      replyText: z.string().nullable(),
    }),
  ),
});
export type InboundTrialResult = z.infer<typeof InboundTrialResult>;

export const inboundRules = {
  ...crud('inboundRules', {
    lasting: 'announced',
    item: InboundRule,
    input: InboundRuleInput,
    update: InboundRuleUpdate,
    audit: true,
    query: listQuery({
      order: ['position', 'createdAt', 'title'],
      filter: { OwnerId: Id },
      search: true,
      limit: MAX_INBOUND_RULES,
    }),
  }),
  reorder: endpoint('PUT', '/inboundRules', {
    summary: 'Change the order of the rules',
    body: Order,
    response: z.array(InboundRule),
    can: 'inboundRules.update',
    audit: 'inboundRules.update',
  }),
  try: endpoint('POST', '/inboundRules/try', {
    summary: 'Find out what would happen to a message; nothing is sent',
    body: InboundTrial,
    response: InboundTrialResult,
    can: 'inboundRules.get',
    cost: 'estimate',
  }),
};
