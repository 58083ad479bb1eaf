import { Title, type SendingType, type TemplateRow, type TrafficGroup } from '@heliograph/contract';
import {
  compileText,
  DEFAULT_GROUP,
  canApproveGroup,
  replaceCharacterClasses,
  VariableError,
} from '@heliograph/domain';
import { decisionsFor as decisions, type Decision, type Moderator } from '../../ui/decisions.ts';
import type { TemplateDraft } from './templates.api.ts';

/** The fields that the drawer edits. Recipients, fallbacks and attachments are edited in the send form and stay unchanged here. */
export interface TemplateValues {
  title: string;
  type: SendingType;
  sender: string;
  subject: string;
  text: string;
  group: TrafficGroup;
  isActive: boolean;
}

export function valuesOf(row: TemplateRow | null, type: SendingType): TemplateValues {
  return {
    title: row?.title ?? '',
    type: row?.type ?? type,
    sender: row?.payload.sender ?? '',
    subject: row?.payload.subject ?? '',
    text: row?.payload.text ?? '',
    group: row?.group ?? DEFAULT_GROUP,
    isActive: row?.isActive ?? true,
  };
}

/** Broken rules by field; empty when it can be saved. Only the title is required: a template may be unfinished. */
export function brokenRules({ title, text }: TemplateValues): Partial<Record<string, string>> {
  const broken: Partial<Record<string, string>> = {};
  if (!title.trim()) broken.title = 'required';
  else if (!Title.safeParse(title).success) broken.title = 'too_big';
  try {
    // Character classes are for operators' templates; only a sending refuses them.
    compileText(replaceCharacterClasses(text, () => ''));
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    broken.text = 'variable';
  }
  return broken;
}

/** The parts of its message. */
const SAID = ['type', 'sender', 'subject', 'text'] as const;

/** Whether the message has changed: it is then moderated again. */
export function isRewritten(values: TemplateValues, before: TemplateValues): boolean {
  return values.group !== before.group || SAID.some((k) => values[k] !== before[k]);
}

export function inputOf(values: TemplateValues, row: TemplateRow | null): TemplateDraft {
  const { title, type, group, isActive } = values;
  // Attachments belong to their channel and are dropped with it.
  const attached = row?.type === type ? row.payload : {};
  const { subject: _, ...kept } = attached;
  const payload = {
    ...kept,
    sender: values.sender.trim(),
    text: values.text,
    ...(type === 'email' && values.subject && { subject: values.subject }),
  };
  return { title: title.trim(), type, payload, group, isActive };
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
  const { title, isActive, group, ...says } = inputOf(values, row);
  return {
    ...(title !== before.title && { title }),
    ...(isActive !== before.isActive && { isActive }),
    ...(group !== before.group && { group }),
    ...(SAID.some((k) => values[k] !== before[k]) && says),
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
    const compiled = compileText(
      replaceCharacterClasses(text, (written) => `‹${written.split('{')[0]}›`),
    );
    return compiled.preview(Object.fromEntries(compiled.names.map((n) => [n, `‹${n}›`])));
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
