import { writeInMarkdown, type TextFormat } from './text-format.ts';
import { isBlank } from './invisible.ts';
import type { SendingType } from './types.ts';
import {
  compileText,
  UNSUBSCRIBE_VARIABLE,
  type AllowedVariables,
  type CompiledText,
  type VariableValues,
  type WriteValue,
} from './variables.ts';

/** The fields of a message in which variables are replaced. */
export interface MessageTexts {
  text?: string | undefined;
  subject?: string | undefined;
  button?: { text: string; url: string } | null | undefined;
  buttons?: { text: string; action: string }[] | undefined;
}
/** Those besides the text. */
export type MessageParts = Omit<MessageTexts, 'text'>;

/** What decides whether a message can do without a text. */
type Media = Partial<Record<'audio' | 'image' | 'file', string | null | undefined>>;
interface Formatted {
  /** Of the text. */
  format?: TextFormat | undefined;
}

/** Types without a required text. */
export const TYPES_WITHOUT_TEXT: readonly SendingType[] = ['hlr', 'smsping', 'sim_push'];

/** Whether a message is nothing without its text: a call plays a file, and WhatsApp shows one, without a text. */
export function needsText(type: SendingType, { audio, image, file }: Media): boolean {
  if (type === 'voice') return !audio;
  if (type === 'whatsapp') return !image && !file;
  return !TYPES_WITHOUT_TEXT.includes(type);
}

export interface RenderedContent {
  text: string;
  /** The other fields, if they have variables. */
  parts: MessageParts | null;
}

/** A message compiled once and rendered for many recipients. */
export interface CompiledContent {
  /** The distinct variables of all fields. */
  names: string[];
  /** Those that stand somewhere without a default. */
  required: string[];
  /** True if all recipients get the same. */
  isStatic: boolean;
  /**
   * The message for one recipient. Null if it is not sent: a variable has neither a value nor a default, or nothing is left to be
   * seen where something must be.
   */
  render(values: VariableValues): RenderedContent | null;
}

/** Renders a field; null if the message cannot be sent with it. */
type Render<T> = (values: VariableValues) => T | null;

/** Compiles all fields of a message that can have variables. Throws VariableError. */
export function compileContent(
  type: SendingType,
  { text, subject, button, buttons, format, ...media }: MessageTexts & Media & Formatted,
  allowed: AllowedVariables = 'contact',
): CompiledContent {
  const names = new Set<string>();
  const required = new Set<string>();
  let isStatic = true;
  let hasBraces = false;
  const compile = (written: string, write?: WriteValue): CompiledText => {
    const compiled = compileText(written, allowed, write);
    for (const name of compiled.names) names.add(name);
    for (const name of compiled.required) required.add(name);
    isStatic &&= compiled.isStatic;
    return compiled;
  };
  const part = (written: string): CompiledText => {
    hasBraces ||= /[{}]/.test(written);
    return compile(written);
  };
  const label = (written: string): Render<string> => {
    const compiled = part(written);
    return (values) => visible(compiled.render(values));
  };
  const link = (written: string): Render<string> => {
    const compiled = part(written);
    return (values) => visible(compiled.render(valuesInLink(written, values)));
  };
  const pair = <K extends string>(key: K, shown: Render<string>, opened: Render<string>) =>
    ((values) => {
      const label = shown(values);
      const target = opened(values);
      return label === null || target === null ? null : { text: label, [key]: target };
    }) as Render<{ text: string } & Record<K, string>>;

  const compiledText = text
    ? compile(text, format === 'markdown' ? writeInMarkdown : undefined)
    : null;
  const renderers: [keyof MessageParts, Render<unknown>][] = [];
  if (subject) {
    const compiled = part(subject);
    renderers.push(['subject', (values) => compiled.render(values)]);
  }
  if (button) renderers.push(['button', pair('url', label(button.text), link(button.url))]);
  if (buttons?.length) {
    const all = buttons.map((one) => pair('action', label(one.text), link(one.action)));
    renderers.push(['buttons', (values) => whole(all.map((render) => render(values)))]);
  }
  const isTextRequired = needsText(type, media);

  const renderParts = (values: VariableValues): MessageParts | null => {
    const rendered = renderers.map(([field, render]) => [field, render(values)] as const);
    return rendered.some(([, value]) => value === null) ? null : Object.fromEntries(rendered);
  };
  return {
    names: [...names],
    required: [...required],
    isStatic,
    render(values) {
      const rendered = compiledText ? compiledText.render(values) : '';
      if (rendered === null || (isTextRequired && isBlank(rendered))) return null;
      const shownText = isBlank(rendered) ? '' : rendered;
      if (!hasBraces) return { text: shownText, parts: null };
      const parts = renderParts(values);
      return parts && { text: shownText, parts };
    },
  };
}

const visible = (text: string | null): string | null =>
  text === null || isBlank(text) ? null : text;

/** All of the values, or null if one is missing. */
const whole = <T>(values: (T | null)[]): T[] | null =>
  values.includes(null) ? null : (values as T[]);

const SCHEME = /^[a-z][a-z0-9+.-]{0,20}:/i;

/** The values as they stand in a link: a space or an ampersand of a name does not end it. An action that is no link has plain values. */
function valuesInLink(link: string, values: VariableValues): VariableValues {
  if (!SCHEME.test(link)) return values;
  const isQuery = link.includes('?');
  const encoded: VariableValues = {};
  for (const name in values) {
    const value = values[name]?.toWellFormed();
    if (!value || name === UNSUBSCRIBE_VARIABLE) encoded[name] = value;
    else if (isQuery) encoded[name] = encodeURIComponent(value);
    // A path, or a phone, keeps its slashes and its plus.
    else encoded[name] = encodeURI(value).replace(/[?#]/g, encodeURIComponent);
  }
  return encoded;
}
