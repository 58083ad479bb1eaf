import type { InboundAction, WebhookEvent } from '@heliograph/domain';
import type { AutomationInput, AutomationStepKind, AutomationTriggerKind } from './automations.ts';
import { can, type Permission, type PermissionsMap } from './permissions.ts';
import { REPORT_PRESET_NAMES, REPORT_PRESETS, type ReportPreset } from './report-presets.ts';
import type { SegmentEvent, SegmentRules } from './segments.ts';
import type { TariffRule } from './tariffs.ts';

type Needs = readonly Permission[];

/** Of an automation; a wait has none. */
export type AutomationEffect = AutomationTriggerKind | Exclude<AutomationStepKind, 'wait'>;

/** The action `list` is one of two. */
export type RuleEffect = Exclude<InboundAction, 'list'> | 'list.add' | 'list.remove';

/**
 * What is configured by one call and acts later, and the permissions that it needs in addition to that of the call: when it is
 * configured or changed, and each time it acts. Nobody reaches by a detour what is not allowed directly.
 */
export const EFFECTS = {
  /** What a webhook reports. */
  webhook: {
    'sendings.status': ['sendings.get'],
    'sendingsIncoming.created': ['sendingsIncoming.get'],
    'inboundRules.matched': ['sendingsIncoming.get', 'inboundRules.get'],
    'tasks.state': ['tasks.get'],
    'sendernames.moderation': ['sendernames.get'],
    'templates.moderation': ['templates.get'],
    'otpSessions.state': ['otp-handler.get'],
    'wapi.state': ['wapi.get'],
    'billings.balance': ['billings.find'],
  } satisfies Record<WebhookEvent, Needs>,
  /** What a rule does with incoming messages. Who adds such a message by a call needs this, too. */
  inboundRule: {
    webhook: ['sendingsIncoming.get', 'webhooks.update'],
    reply: ['sendings.generate'],
    'list.add': ['contacts.create'],
    'list.remove': ['contacts.remove'],
    task: ['sendingsIncoming.update'],
  } satisfies Record<RuleEffect, Needs>,
  /** What an incoming message that is added by a call does. */
  incoming: {
    stop: ['suppressions.create'],
    start: ['suppressions.remove'],
    confirmation: ['sendings.generate'],
    fallback: ['sendings.generate'],
  },
  /** Confirmations of opt-outs, as the settings of an account word them. */
  optOuts: { confirmation: ['sendings.generate'] },
  /** What visitors of a page cause, the message when they sign up and the contact when they confirm. */
  signupForm: {
    message: ['sendings.generate'],
    contact: ['contacts.create', 'contacts.update'],
  },
  /** Codes that visitors of a page request. */
  widget: { code: ['sendings.generate'] },
  /** The words and attempts of codes. */
  otpSettings: { code: ['sendings.generate'] },
  /** The rows of a report that is made later, once or again and again. */
  report: Object.fromEntries(
    REPORT_PRESET_NAMES.map((preset) => [preset, ['reports.create', REPORT_PRESETS[preset].can]]),
  ) as unknown as Record<ReportPreset, Needs>,
  /** Messages of another program, and the reports of their statuses. */
  integration: { message: ['sendings.generate', 'sendings.get'] },
  /** A bulk that waits, or is paused. */
  task: { messages: ['sendings.generate'] },
  /** The bulks of a recurring sending. */
  recurringSending: { messages: ['sendings.generate'] },
  /**
   * What an automation does with people, and what it tells by who enters it. Who adds a message by a call that lets a person enter needs
   * what its steps need, too.
   */
  automation: {
    listed: ['contactLists.get'],
    segment: ['contacts.get', 'sendings.get', 'sendingsIncoming.get'],
    date: ['contacts.get'],
    silence: ['sendings.get', 'sendingsIncoming.get'],
    keyword: ['sendingsIncoming.get'],
    message: ['sendings.generate'],
    template: ['sendings.generate', 'templates.get'],
    tag: ['contacts.update'],
    stop: ['sendingsIncoming.get'],
  } satisfies Record<AutomationEffect, Needs>,
} as const satisfies Record<string, Record<string, Needs>>;

/** Whether all of the permissions are granted. */
export const canAll = (map: PermissionsMap, needs: Needs): boolean =>
  needs.every((permission) => can(map, permission));

/** What an automation does and depends on. */
export const automationEffects = ({
  trigger,
  steps,
}: Pick<AutomationInput, 'trigger' | 'steps'>): AutomationEffect[] => [
  ...new Set([trigger.when, ...steps.flatMap((step) => (step.do === 'wait' ? [] : step.do))]),
];
/** What it needs, therefore. */
export const automationNeeds = (automation: Pick<AutomationInput, 'trigger' | 'steps'>): Needs => [
  ...new Set(automationEffects(automation).flatMap((effect) => EFFECTS.automation[effect])),
];

/** What an action of a rule needs. */
export const ruleActionNeeds = (action: InboundAction, listChange: 'add' | 'remove'): Needs =>
  EFFECTS.inboundRule[ruleEffect(action, listChange)];

/** What tells of an event. */
const EVENT_NEEDS: Record<SegmentEvent, Permission> = {
  delivered: 'sendings.get',
  replied: 'sendingsIncoming.get',
  clicked: 'sendings.get',
};

/**
 * What the conditions of a segment need in addition to the permission of the call: the number of contacts that they hold for answers any
 * guess about them. The list that is named in them needs nothing more.
 */
export const segmentNeeds = ({ where, activity }: SegmentRules): Permission[] => {
  const { ListId: _, ...fields } = where;
  const ofFields: Permission[] = Object.keys(fields).length ? ['contacts.get'] : [];
  return [...ofFields, ...activity.map(({ event }) => EVENT_NEEDS[event])];
};

/** What rules need in addition to the permission to set prices: those that ask for texts or recipients tell by the sum how many match. */
export const priceRuleNeeds = (rules: readonly Pick<TariffRule, 'conditions'>[]): Permission[] =>
  rules.some(({ conditions }) =>
    conditions.some(({ tag }) => tag === 'text' || tag === 'keywords' || tag === 'recipient'),
  )
    ? ['sendings.get']
    : [];

export const ruleEffect = (action: InboundAction, listChange: 'add' | 'remove'): RuleEffect =>
  action === 'list' ? `list.${listChange}` : action;
