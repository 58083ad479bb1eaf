import {
  isBlank,
  isVariableName,
  MAX_EMAIL_LENGTH,
  MAX_VARIABLE_LENGTH,
  MAX_VARIABLES,
} from '@heliograph/domain';
import * as z from 'zod';
import type { FieldRule } from './descriptions/errors.ts';
import { MAX_MONEY, text } from './fields.ts';

/** Recipients of one call with values of their own. */
export const MAX_EACH = 10_000;
/** Fields of the body of one call: `to`, `values` and two values for each of `MAX_EACH` recipients. Different names take time to read. */
export const MAX_EACH_FIELDS = 40_000;
export const MAX_VALUE_LENGTH = 1000;
export const MAX_CALLBACK_DATA = 4000;
/** Texts of one call together: the number of recipients times the length of the message with its fallbacks, in characters. */
export const MAX_EACH_CHARACTERS = 16_000_000;

const MAX_LOCALE = 35;
const LOCALE = /^[A-Za-z0-9_-]+$/;
/** A language as programs know it, such as `de`, `pt-BR` or `pt_BR`. */
export const Locale = text(MAX_LOCALE).regex(LOCALE);

/** Issues that are reported for one call. */
const MAX_ISSUES = 10;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** Values of variables by name. */
export type Values = Record<string, string>;

/** A recipient with its own values and data. */
export interface EachRecipient {
  /** A phone number in any format, or an e-mail address. */
  to: string;
  values: Values;
  callbackData?: string;
  /** Chooses among the translations of a template. */
  locale?: string;
}

type Path = (string | number)[];

/** Reports the first issues of a call. */
class Issues {
  private readonly ctx: z.core.$RefinementCtx<unknown>;
  private count = 0;

  constructor(ctx: z.core.$RefinementCtx<unknown>) {
    this.ctx = ctx;
  }

  get isFull(): boolean {
    return this.count >= MAX_ISSUES;
  }

  get isEmpty(): boolean {
    return !this.count;
  }

  add(path: Path, rule: FieldRule, message: string): void {
    this.count++;
    this.ctx.addIssue({ code: 'custom', path, message, params: { rule } });
  }
}

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** A number is read as it is written in JSON. */
function readValues(given: unknown, path: Path, issues: Issues): Values {
  if (given === undefined) return {};
  if (!isObject(given)) {
    issues.add(path, 'type', 'An object of values by name is required.');
    return {};
  }
  const names = Object.keys(given);
  if (names.length > MAX_VARIABLES) {
    issues.add(path, 'too_many', `At most ${MAX_VARIABLES} values are allowed.`);
    return {};
  }
  const values: [string, string][] = [];
  for (const name of names) {
    if (issues.isFull) break;
    const value = given[name];
    const add = (rule: FieldRule, message: string) =>
      issues.add([...path, name.slice(0, MAX_VARIABLE_LENGTH)], rule, message);
    if (!isVariableName(name))
      add('name', 'A name begins with a letter and has letters, digits and underscores.');
    else if (typeof value === 'number' && Math.abs(value) <= MAX_MONEY)
      values.push([name, String(value)]);
    else if (typeof value !== 'string')
      add('type', `A text, or a number up to ${MAX_MONEY}, is required.`);
    else if (value.length > MAX_VALUE_LENGTH)
      add('too_long', `A value must have at most ${MAX_VALUE_LENGTH} characters.`);
    else values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function readRecipient(given: unknown, path: Path, issues: Issues): EachRecipient {
  if (!isObject(given)) {
    issues.add(path, 'type', 'An object with the field `to` is required.');
    return { to: '', values: {} };
  }
  const { to, values, callbackData, locale, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    issues.add([...path, unknown.slice(0, MAX_VARIABLE_LENGTH)], 'unknown_field', 'Unknown field');
  const address = typeof to === 'string' ? to.trim() : '';
  if (!address || address.length > MAX_EMAIL_LENGTH || isBlank(address) || CONTROL.test(address))
    issues.add([...path, 'to'], 'required', 'A phone number or an e-mail address is required.');
  const read: EachRecipient = {
    to: address,
    values: readValues(values, [...path, 'values'], issues),
  };
  if (locale !== undefined) {
    const language = Locale.safeParse(locale);
    if (language.success) read.locale = language.data;
    else issues.add([...path, 'locale'], 'format', 'A language such as `de` is required.');
  }
  if (callbackData === undefined) return read;
  if (typeof callbackData === 'string' && callbackData.length <= MAX_CALLBACK_DATA)
    return { ...read, callbackData };
  issues.add(
    [...path, 'callbackData'],
    'too_long',
    `A text of at most ${MAX_CALLBACK_DATA} characters is required.`,
  );
  return read;
}

function readRecipients(given: unknown, issues: Issues): EachRecipient[] {
  if (!Array.isArray(given) || !given.length || given.length > MAX_EACH) {
    issues.add([], 'too_many', `An array of 1 to ${MAX_EACH} recipients is required.`);
    return [];
  }
  const recipients: EachRecipient[] = [];
  for (const [i, one] of given.entries()) {
    if (issues.isFull) break;
    recipients.push(readRecipient(one, [i], issues));
  }
  return recipients;
}

/** Reads a value in one loop, up to its tenth issue: a zod schema for each item takes ten times as long. */
const readBy = <T, In>(
  read: (given: unknown, issues: Issues) => T,
  wire: Record<string, unknown>,
) =>
  z.preprocess((given, ctx) => {
    const issues = new Issues(ctx);
    const value = read(given, issues);
    return issues.isEmpty ? value : z.NEVER;
  }, z.any().meta(wire)) as unknown as z.ZodType<T, In>;

const wireValues = {
  type: 'object',
  propertyNames: { type: 'string', maxLength: MAX_VARIABLE_LENGTH },
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: MAX_VALUE_LENGTH },
      { type: 'number', minimum: -MAX_MONEY, maximum: MAX_MONEY },
    ],
  },
  maxProperties: MAX_VARIABLES,
};

type GivenValues = Record<string, string | number>;

/** Values of variables; `null` and other types than texts and numbers are refused. */
export const Values = readBy<Values, GivenValues>(
  (given, issues) => readValues(given, [], issues),
  wireValues,
);

export const eachRecipients = readBy<
  EachRecipient[],
  { to: string; values?: GivenValues; callbackData?: string; locale?: string }[]
>(readRecipients, {
  type: 'array',
  minItems: 1,
  maxItems: MAX_EACH,
  items: {
    type: 'object',
    properties: {
      to: { type: 'string', minLength: 1, maxLength: MAX_EMAIL_LENGTH },
      values: wireValues,
      callbackData: { type: 'string', maxLength: MAX_CALLBACK_DATA },
      locale: { type: 'string', maxLength: MAX_LOCALE, pattern: LOCALE.source },
    },
    required: ['to'],
    additionalProperties: false,
  },
});
