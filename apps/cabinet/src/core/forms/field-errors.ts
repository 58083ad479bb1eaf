import type { core } from 'zod';
import { groupByField, ruleOf, type FieldError } from '../errors.ts';

/** The part of a zod schema that a form needs; zod itself is loaded with the schema only. */
export interface FormSchema {
  safeParse: (value: unknown) => {
    success: boolean;
    error?: { issues: core.$ZodIssue[] };
  };
}

/** Rules by field that the schema does not know: the name of a rule, or a sentence. */
export type BrokenRules = Record<string, string | false | null | undefined>;

/** The value of the field that shows the errors of a path. */
type ValueOf = (path: string) => unknown;

/** What is empty in the body, or in the form, which may make a 0 of it, is to be filled in. */
function schemaErrors(schema: FormSchema, body: unknown, valueOf: ValueOf): FieldError[] {
  const { error } = schema.safeParse(body);
  return (error?.issues ?? []).map((issue) => {
    const path = issue.path.join('.');
    const value = valueAt(body, path.split('.'));
    // An empty list may break a rule of its own, and of what may be null only a rule about several fields says more.
    const isOwnRule = issue.code === 'custom' && (Array.isArray(value) || value === null);
    const isMissing = !isOwnRule && (isEmpty(value) || isBlank(valueOf(path)));
    const rule = isMissing ? 'required' : ruleOf(issue);
    return { path, rule, message: rule === 'other' ? '' : issue.message };
  });
}

export const ruleErrors = (broken: BrokenRules): FieldError[] =>
  Object.entries(broken).flatMap(([path, rule]) =>
    rule ? [/\s/.test(rule) ? { path, rule: '', message: rule } : { path, rule, message: '' }] : [],
  );

/** What is wrong with the values of a form: by its own rules, and by the schema of the body. */
export function errorsOf(
  broken: BrokenRules,
  names: Record<string, string>,
  schema: FormSchema | undefined,
  body: unknown,
  valueOf: ValueOf = () => undefined,
): FieldError[] {
  const rules = ruleErrors(broken);
  const marked = new Set(rules.map(({ path }) => path));
  // One reason for a field is enough, and that of the form is the more exact one.
  const others = (
    schema ? schemaErrors(schema, body, (path) => valueOf(nameOf(names, path))) : []
  ).filter(({ path }) => !marked.has(path) && !marked.has(nameOf(names, path)));
  return [...rules, ...others];
}

const isNumber = (part: string) => /^\d+$/.test(part);

/** A path whose rows of lists are any: `fallbacks.*.type`. */
export const patternOf = (path: string): string =>
  path
    .split('.')
    .map((part) => (isNumber(part) ? '*' : part))
    .join('.');

/** What the form calls a path of the body; a row of a list keeps its place. */
function nameOf(names: Record<string, string>, path: string): string {
  const name = names[path] ?? names[patternOf(path)];
  if (!name?.includes('*')) return name ?? path;
  const places = path.split('.').filter(isNumber);
  return name.replaceAll('*', () => places.shift()!);
}

/**
 * The field that shows the errors of a path of the body: that of its name, else that of its nearest parent: `types.2` goes to
 * `types`. Null where the form has none.
 */
export function fieldFor(
  path: string,
  names: Record<string, string>,
  isField: (field: string) => boolean,
): string | null {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length--) {
    const field = nameOf(names, parts.slice(0, length).join('.'));
    if (isField(field)) return field;
  }
  return null;
}

/** Errors by the field that shows them; the rest has none in the form. */
export const assignErrors = (
  refused: readonly FieldError[],
  names: Record<string, string>,
  isField: (field: string) => boolean,
) => groupByField(refused, (path) => fieldFor(path, names, isField));

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || isBlank(value);
const isBlank = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : typeof value === 'string' && !value.trim();

const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], body);
