import { localTime } from '../../../core/time-zone.ts';
import { ApiError, SendingInput, type SendingType } from '@heliograph/contract';
import { delayError } from '@heliograph/domain';
import type { TFunction } from 'i18next';
import { fieldErrors, nameOfField, ruleText } from '../../../core/errors.ts';
import { errorsOf, fieldFor, patternOf } from '../../../core/forms/field-errors.ts';
import { entriesOf, NO_PAYLOAD, toInput, type SendValues } from './send-values.ts';

export const STEPS = ['message', 'recipients', 'send'] as const;
export type Step = (typeof STEPS)[number];
export type StepState = 'init' | 'process' | 'success';

export const isStep = (value: string | null): value is Step => STEPS.includes(value as Step);

/** Broken rules by field of the wizard; the words are found where they are shown. */
export type Broken = Record<string, string>;

/** Fields that the body names otherwise, by the paths of the contract. */
export const NAMES: Record<string, string> = {
  recipient: 'include',
  'recipient.exclude': 'exclude',
  schedule: 'at',
  'schedule.until': 'hours',
  options: 'title',
  'options.tellsWhoClicked': 'tellsWhoClicked',
  ...Object.fromEntries(
    ['options', '$options'].flatMap((name) => [
      [`fallbacks.*.${name}`, 'fallbacks.*.trigger'],
      [`fallbacks.*.${name}.onTimeout.except`, 'fallbacks.*.except'],
    ]),
  ),
};

const PAYLOAD = [
  ...Object.keys(NO_PAYLOAD).filter((name) => name !== 'button'),
  'button.text',
  'button.url',
  'buttons.*.text',
  'buttons.*.action',
].map((name) => `payload.${name}`);

/** The fields that show their errors. */
export const FIELDS: ReadonlySet<string> = new Set([
  ...PAYLOAD,
  ...['type', 'trigger', 'except', ...PAYLOAD].map((name) => `fallbacks.*.${name}`),
  'include',
  'exclude',
  'at',
  'hours',
  'title',
  'variants.text',
  'variants.share',
  'variants.by',
  'variants.hours',
]);

export const isField = (field: string): boolean => FIELDS.has(patternOf(field));

/** The field that a path of the contract is about; a path without a field stands for itself. */
export const fieldOf = (path: string): string => fieldFor(path, NAMES, isField) ?? path;

/** Names of fields in the texts of the wizard, by the end of their path. */
export const FIELD_NAMES = [
  'type',
  'sender',
  'text',
  'subject',
  'image',
  'file',
  'video',
  'audio',
  'button',
  'trigger',
  'except',
  'at',
  'hours',
  'include',
  'exclude',
  'title',
  'secondText',
  'share',
  'by',
  'restAfter',
];

/** The word for a field: `fallbacks.1.payload.button.url` is about a fallback's link. Null where it has none. */
export function fieldName(field: string): string | null {
  if (field.endsWith('trigger')) return 'trigger';
  if (field === 'variants.text') return 'secondText';
  if (field === 'variants.hours') return 'restAfter';
  if (field.includes('button')) return 'button';
  const name = field.split('.').at(-1)!;
  return FIELD_NAMES.includes(name) ? name : null;
}

/** What a field is called; one that the wizard does not have is called after its step. */
export function labelOf(t: TFunction, field: string): string {
  const name = fieldName(field);
  if (name) return t(`send:field.${name}`);
  return nameOfField(t, field) || t(`send:step.${stepOf(field)}`);
}

/** What is wrong with a field, also where no field of the wizard shows it. */
export const problemOf = (t: TFunction, field: string, rule: string): string =>
  t('errors:field', { field: labelOf(t, field), problem: ruleText(t, rule) });

const PLACE: Record<string, Step> = { include: 'recipients', exclude: 'recipients', title: 'send' };

/** The step on which a field is filled in. */
export const stepOf = (field: string): Step => PLACE[field] ?? 'message';

/** The account's channels and features; all of them while the settings are not loaded. */
export interface Allowed {
  /** Recordings, whose seconds the tariff counts. */
  recordings: boolean;
  /** A recipient is also excluded, in whatever spelling; null while the entries are being read. */
  conflict?: boolean | null;
}

/** The errors that prevent sending, by field. Empty when the sending is valid. */
export function brokenRules(
  values: SendValues,
  now: number,
  { recordings, conflict }: Allowed = { recordings: true },
): Broken {
  const broken: Broken = {};
  const { include, exclude, when, at } = values;
  if (!include.lists.length && !entriesOf(include.typed).length) broken.include = 'recipients';
  if (when === 'later') {
    if (!at) broken.at = 'required';
    else {
      const error = delayError(localTime(at), now);
      if (error) broken.at = error;
    }
  }
  if (conflict || include.lists.some((id) => exclude.lists.includes(id))) broken.exclude = 'both';
  if (!recordings) {
    [values, ...values.fallbacks].forEach(({ type, payload }, i) => {
      const place = i ? `fallbacks.${i - 1}.payload.audio` : 'payload.audio';
      if (type === 'voice' && payload.audio) broken[place] = 'seconds';
    });
  }
  // The contract takes an empty button for none; here somebody has added it.
  [values, ...values.fallbacks].forEach(({ type, payload: { button } }, i) => {
    if (type !== 'viber' || !button || button.text.trim() || button.url.trim()) return;
    const place = i ? `fallbacks.${i - 1}.payload.button` : 'payload.button';
    broken[`${place}.text`] = 'required';
    broken[`${place}.url`] = 'required';
  });
  for (const { path, rule } of errorsOf({}, NAMES, SendingInput, toInput(values)))
    // The three shapes of `recipient`: an entry is too long to be an address, or there are too many.
    broken[fieldOf(path)] ??= rule === 'invalid_union' ? 'entries' : rule;
  return broken;
}

/** Errors about recipients from the estimate: a recipient is both included and excluded, or no recipient is left. */
export function refusedRecipients(error: unknown): Broken {
  if (error instanceof ApiError && error.code === 'no_recipients') return { include: error.code };
  const refused = fieldErrors(error).filter(({ path }) => path.startsWith('recipient'));
  return Object.fromEntries(refused.map(({ path, rule }) => [fieldOf(path), rule]));
}

/** The broken rules of one step. */
export function brokenIn(step: Step, broken: Broken): Broken {
  return Object.fromEntries(Object.entries(broken).filter(([field]) => stepOf(field) === step));
}

/** The state of each step: current, complete, or to do. */
export function stepStates(current: Step, broken: Broken): Record<Step, StepState> {
  const state = (step: Step): StepState => {
    if (step === current) return 'process';
    const isDone = step !== 'send' && !Object.keys(brokenIn(step, broken)).length;
    return isDone ? 'success' : 'init';
  };
  return { message: state('message'), recipients: state('recipients'), send: state('send') };
}

export const nextStep = (step: Step): Step | null => STEPS[STEPS.indexOf(step) + 1] ?? null;
export const previousStep = (step: Step): Step | null => STEPS[STEPS.indexOf(step) - 1] ?? null;

/** Refusals that name no field, by the field they are about. */
export function fieldOfCode(
  code: string,
  { type, fallbacks }: Pick<SendValues, 'type' | 'fallbacks'>,
  checked: readonly SendingType[],
): string | null {
  if (code === 'no_recipients') return 'include';
  if (code === 'sender_not_registered') return 'payload.sender';
  if (code !== 'sender_not_approved') return null;
  if (checked.includes(type)) return 'payload.sender';
  const at = fallbacks.findIndex((f) => checked.includes(f.type));
  return at === -1 ? null : `fallbacks.${at}.payload.sender`;
}
