import * as z from 'zod';
import {
  captionLimit,
  hasSingleAttachment,
  compileText,
  isBlank,
  isValidButtonLink,
  MEDIA_FIELDS,
  MAX_MARKDOWN_LENGTH,
  mediaRule,
  needsText,
  TEXT_FORMATS,
  VariableError,
  type AllowedVariables,
  type MessageTexts,
} from '@heliograph/domain';
import type { FieldRule } from './descriptions/errors.ts';
import { arrayOf, Id, text, trimmed, trimmedText, lines } from './fields.ts';
import type { SendingType } from './types.ts';

/** Maximum length of the text by type, in characters. The default is `DEFAULT_TEXT_LIMIT`. */
export const TEXT_LIMITS: Partial<Record<SendingType, number>> = {
  sms: 2000,
  viber: 1000,
  whatsapp: 4096,
  max: 4000,
  email: 100_000,
  flashcall: 8,
  telegramcode: 8,
};
const DEFAULT_TEXT_LIMIT = 4096;
/** Maximum lengths of the other fields in which variables are replaced. */
const LABEL_LENGTH = 30;
const LINK_LENGTH = 2048;
const SUBJECT_LENGTH = 250;
export const BUTTON_LIMITS: Partial<Record<SendingType, number>> = { vk: 10, ok: 10, whatsapp: 3 };

/** Treats empty strings and objects with only empty strings as null: some shop modules send empty fields instead of omitting them. */
const nullIfEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (isEmpty(value) ? null : value),
    schema.nullish(),
  ) as unknown as z.ZodType<z.output<T> | null | undefined, z.input<T> | null | undefined>;
const isEmpty = (value: unknown) =>
  value === '' ||
  (typeof value === 'object' && value !== null && Object.values(value).every((one) => one === ''));
/** In lower case, as references to files are compared. */
const file = nullIfEmpty(Id.toLowerCase());

export const Payload = z.strictObject({
  sender: trimmed(150),
  subject: text(SUBJECT_LENGTH).optional(),
  text: lines(100_000).optional(),
  format: z.enum(TEXT_FORMATS).optional(),
  image: file.optional(),
  file: file.optional(),
  video: file.optional(),
  audio: file.optional(),
  tts: text(60).nullish(),
  button: nullIfEmpty(
    z.strictObject({ text: trimmedText(LABEL_LENGTH), url: trimmed(LINK_LENGTH) }),
  ).optional(),
  buttons: arrayOf(
    z.strictObject({
      text: trimmedText(LABEL_LENGTH).min(1),
      action: trimmed(LINK_LENGTH).min(1),
    }),
    {
      max: 10,
    },
  ).optional(),
});
export type Payload = z.infer<typeof Payload>;

/** Whether messages of a type have a field. */
const SUPPORTS: Partial<Record<keyof Payload, (type: SendingType) => boolean>> = {
  subject: (type) => type === 'email',
  format: (type) => type === 'email',
  tts: (type) => type === 'voice',
  button: (type) => type === 'viber',
  buttons: (type) => !!BUTTON_LIMITS[type],
  ...Object.fromEntries(
    MEDIA_FIELDS.map((field) => [field, (type: SendingType) => !!mediaRule(type, field)]),
  ),
};
const hasField = (type: SendingType, field: keyof Payload) => SUPPORTS[field]?.(type) ?? true;

/** The non-empty fields of a payload that a type does not support. */
export function unsupportedFields(type: SendingType, payload: Partial<Payload>): string[] {
  return (Object.keys(SUPPORTS) as (keyof Payload)[]).filter((field) => {
    const value = payload[field];
    return !hasField(type, field) && (Array.isArray(value) ? value.length : value);
  });
}

/** The payload of a type as `checkPayload` requires it, without the fields that the type does not have: for generated programs. */
export function payloadOf(type: SendingType): z.ZodObject {
  const { sender, text: _, ...others } = Payload.shape;
  const content = lines(textLimit(type, {}));
  const supported = Object.entries(others).filter(([field]) =>
    hasField(type, field as keyof Payload),
  );
  return z.strictObject({
    sender: type === 'wapi' ? sender : trimmed(150).min(1),
    // Some types do without a text if they have a file.
    text: needsText(type, { audio: 'any', image: 'any' }) ? content.min(1) : content.optional(),
    ...Object.fromEntries(supported),
  });
}
/** What limits the text beside its type. */
type Beside = Pick<Payload, 'image' | 'file' | 'format'>;
const textLimit = (type: SendingType, beside: Beside) =>
  Math.min(
    TEXT_LIMITS[type] ?? DEFAULT_TEXT_LIMIT,
    captionLimit(type, beside) ?? Infinity,
    beside.format === 'markdown' ? MAX_MARKDOWN_LENGTH : Infinity,
  );

/** Whether a field is longer than a type allows, once its variables are replaced. */
export const isTooLong = (
  type: SendingType,
  { text, subject, button, buttons }: MessageTexts,
  beside: Beside,
): boolean =>
  (text?.length ?? 0) > textLimit(type, beside) ||
  (subject?.length ?? 0) > SUBJECT_LENGTH ||
  [...(button ? [{ text: button.text, link: button.url }] : []), ...(buttons ?? [])].some(
    (one) =>
      one.text.length > LABEL_LENGTH ||
      ('link' in one ? one.link : one.action).length > LINK_LENGTH,
  );

/** Reports the variables of a text that do not exist. */
export function checkVariables(
  given: string | null | undefined,
  issue: (rule: FieldRule, message: string) => void,
  allowed: AllowedVariables = 'contact',
): void {
  if (!given) return;
  try {
    compileText(given, allowed);
  } catch (e) {
    if (!(e instanceof VariableError)) throw e;
    issue(e.reason === 'unknown' ? 'variable' : e.reason, e.message);
  }
}

const TEXT_REQUIRED: Partial<Record<SendingType, string>> = {
  voice: 'A call requires an audio file, or a text and a voice.',
  whatsapp: 'A text, an image or a file is required.',
};

/** The text of a payload: its length, its variables, and whether it may be missing. */
export function checkText(
  type: SendingType,
  p: Payload,
  issue: (rule: FieldRule, message: string) => void,
  allowed: AllowedVariables = 'contact',
): void {
  const limit = textLimit(type, p);
  if ((p.text?.length ?? 0) > limit)
    issue('too_long', `The text must have at most ${limit} characters.`);
  checkVariables(p.text, issue, allowed);
  const hasText = !!p.text && !isBlank(p.text);
  if (needsText(type, p) && !(hasText && (type !== 'voice' || p.tts)))
    issue('required', TEXT_REQUIRED[type] ?? 'A text is required.');
  if ((type === 'flashcall' || type === 'telegramcode') && hasText && !/^\d{4,8}$/.test(p.text!))
    issue('code', 'The text must be a code of 4 to 8 digits.');
}

type Context = z.core.$RefinementCtx<unknown>;

/**
 * Validates a payload by type, for messages, fallbacks, templates and forms. The sender must only be present: the account's
 * settings decide which types require a registered name.
 */
export function checkPayload(
  type: SendingType,
  p: Payload,
  ctx: Context,
  path: (string | number)[],
  allowed: AllowedVariables = 'contact',
): void {
  const issue = (field: string, rule: FieldRule, message: string) =>
    ctx.addIssue({ code: 'custom', path: [...path, field], message, params: { rule } });

  // That of an instance is its phone; without one, an authorized instance of the account sends.
  if (!p.sender && type !== 'wapi') issue('sender', 'required', 'A sender is required.');
  checkText(type, p, (rule, message) => issue('text', rule, message), allowed);
  const checkField = (field: string, given: string | undefined) =>
    checkVariables(given, (rule, message) => issue(field, rule, message), allowed);
  checkField('subject', p.subject);
  for (const field of unsupportedFields(type, p))
    issue(field, 'unsupported', `The type ${type} does not support ${field}.`);
  if (hasSingleAttachment(type) && p.image && p.file)
    issue('file', 'one_file', 'A message can have an image or a file, not both.');
  if (p.button && type === 'viber') {
    if (!p.button.text) issue('button.text', 'required', 'A button requires a text.');
    else if (!isValidButtonLink(p.button.url))
      issue(
        'button.url',
        'url',
        'The URL of a button must begin with http, https, viber, tel or callto.',
      );
  }
  if (p.button) {
    checkField('button.text', p.button.text);
    checkField('button.url', p.button.url);
  }
  for (const [i, { text, action }] of (p.buttons ?? []).entries()) {
    checkField(`buttons.${i}.text`, text);
    checkField(`buttons.${i}.action`, action);
  }
  const max = BUTTON_LIMITS[type];
  if (max && p.buttons && p.buttons.length > max)
    issue('buttons', 'too_many', `The type ${type} supports at most ${max} buttons.`);
}
