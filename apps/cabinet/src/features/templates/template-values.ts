import { Title, type SendingType, type TemplateRow, type TrafficGroup } from '@heliograph/contract';
import {
  canApproveGroup,
  compileText,
  CONTACT_VARIABLES,
  DEFAULT_GROUP,
  replaceCharacterClasses,
  UNSUBSCRIBE_VARIABLE,
  VariableError,
  type CompiledText,
  type TextFormat,
} from '@heliograph/domain';
import { isSame } from '../../core/same-values.ts';
import { decisionsFor as decisions, type Decision, type Moderator } from '../../ui/decisions.ts';
import type { TemplateDraft } from './templates.api.ts';

/** The fields that the drawer edits. Recipients, fallbacks and attachments are edited in the send form and stay unchanged here. */
export interface TemplateValues {
  title: string;
  type: SendingType;
  sender: string;
  subject: string;
  text: string;
  format: TextFormat;
  group: TrafficGroup;
  isActive: boolean;
  translations: TranslationValues[];
}

/** The texts in another language that the drawer edits; an empty one is that of the template. */
export interface TranslationValues {
  locale: string;
  subject: string;
  text: string;
}

export function valuesOf(row: TemplateRow | null, type: SendingType): TemplateValues {
  return {
    title: row?.title ?? '',
    type: row?.type ?? type,
    sender: row?.payload.sender ?? '',
    subject: row?.payload.subject ?? '',
    text: row?.payload.text ?? '',
    format: row?.payload.format ?? 'plain',
    group: row?.group ?? DEFAULT_GROUP,
    isActive: row?.isActive ?? true,
    translations: (row?.translations ?? []).map(({ locale, payload }) => ({
      locale,
      subject: payload.subject ?? '',
      text: payload.text ?? '',
    })),
  };
}

/** Broken rules by field; empty when it can be saved. Only the title is required: a template may be unfinished. */
export function brokenRules(values: TemplateValues): Partial<Record<string, string>> {
  const { title, text, translations } = values;
  const broken: Partial<Record<string, string>> = {};
  if (!title.trim()) broken.title = 'required';
  else if (!Title.safeParse(title).success) broken.title = 'too_big';
  if (!compiled(text)) broken.text = 'variable';
  for (const [i, one] of translations.entries())
    if (!compiled(one.text)) broken[`translations.${i}.text`] = 'variable';
  return broken;
}

/** A text with variables of any names; null if it is wrong. Character classes are for operators' templates: only a sending refuses them. */
function compiled(text: string): CompiledText | null {
  try {
    return compileText(
      replaceCharacterClasses(text, () => ''),
      'any',
    );
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    return null;
  }
}

const CONTACT: ReadonlySet<string> = new Set([...CONTACT_VARIABLES, UNSUBSCRIBE_VARIABLE]);

/** Variables for which contacts have no values, in braces: programs give them with their calls. */
export function ownVariables(text: string): string[] {
  const names = compiled(text)?.names ?? [];
  return names.filter((name) => !CONTACT.has(name)).map((name) => `{${name}}`);
}

/** The parts of its message. */
const SAID = ['type', 'sender', 'subject', 'text', 'format'] as const;

/** Whether the message has changed: it is then moderated again. */
export function isRewritten(values: TemplateValues, before: TemplateValues): boolean {
  return (
    values.group !== before.group ||
    SAID.some((k) => values[k] !== before[k]) ||
    !isSame(values.translations, before.translations)
  );
}

/** What the drawer does not edit stays: texts of fallbacks, and those of buttons as long as the channel is the same. */
function translationsOf(
  { type, translations }: TemplateValues,
  row: TemplateRow | null,
): TemplateRow['translations'] {
  return translations.map(({ locale, subject, text }) => {
    const kept = row?.translations.find((one) => one.locale === locale);
    const { subject: _, text: __, ...others } = (row?.type === type && kept?.payload) || {};
    return {
      locale,
      payload: {
        ...others,
        ...(text && { text }),
        ...(type === 'email' && subject && { subject }),
      },
      fallbacks: kept?.fallbacks ?? [],
    };
  });
}

export function inputOf(values: TemplateValues, row: TemplateRow | null): TemplateDraft {
  const { title, type, group, isActive } = values;
  // Attachments belong to their channel and are dropped with it.
  const attached = row?.type === type ? row.payload : {};
  const { subject: _, format: __, ...kept } = attached;
  const payload = {
    ...kept,
    sender: values.sender.trim(),
    text: values.text,
    ...(type === 'email' && values.subject && { subject: values.subject }),
    ...(type === 'email' && values.format !== 'plain' && { format: values.format }),
  };
  const translations = translationsOf(values, row);
  return { title: title.trim(), type, payload, translations, group, isActive };
}

/**
 * Only the fields that differ from `before`: a new title alone needs no moderation, and what somebody else has changed in `row` since
 * then stays.
 */
export function changesOf(
  values: TemplateValues,
  before: TemplateValues,
  row: TemplateRow,
): Partial<TemplateDraft> {
  const { title, isActive, group, translations, ...says } = inputOf(values, row);
  const isTranslated =
    values.type !== before.type || !isSame(values.translations, before.translations);
  return {
    ...(title !== before.title && { title }),
    ...(isActive !== before.isActive && { isActive }),
    ...(group !== before.group && { group }),
    ...(SAID.some((k) => values[k] !== before[k]) && says),
    ...(isTranslated && { translations }),
  };
}

/** The decisions that a moderator may take about a template. */
export function decisionsFor(
  row: Pick<TemplateRow, 'moderation' | 'OwnerId' | 'group'>,
  by: Moderator | undefined,
): Decision[] {
  return decisions(row, by).filter(
    (decision) => decision !== 'approved' || canApproveGroup(by!.level, row.group),
  );
}

/** Whether it is an operator template, with character classes in place of values. */
export function hasClasses(text: string): boolean {
  return replaceCharacterClasses(text, () => '') !== text;
}

/** The text with variables and classes replaced with their names. */
export function previewOf(text: string): string {
  try {
    const { names, preview } = compileText(
      replaceCharacterClasses(text, (written) => `‹${written.split('{')[0]}›`),
      'any',
    );
    return preview(Object.fromEntries(names.map((n) => [n, `‹${n}›`])));
  } catch {
    return text;
  }
}

const FILE_KINDS = ['image', 'file', 'video', 'audio'] as const;

/** The kinds of files that its message carries. */
export function kindsOf({ payload }: Pick<TemplateRow, 'payload'>): (typeof FILE_KINDS)[number][] {
  return FILE_KINDS.filter((kind) => payload[kind]);
}

/** The texts of its buttons. */
export function buttonsOf({
  payload: { button, buttons = [] },
}: Pick<TemplateRow, 'payload'>): string[] {
  return [button, ...buttons].flatMap((one) => one?.text || []);
}
