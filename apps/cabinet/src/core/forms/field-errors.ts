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
    const isMissing = isEmpty(valueAt(body, issue.path)) || isBlank(valueOf(path));
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
    schema ? schemaErrors(schema, body, (path) => valueOf(names[path] ?? path)) : []
  ).filter(({ path }) => !marked.has(path) && !marked.has(names[path] ?? path));
  return [...rules, ...others];
}

/**
 * Errors by the field that shows them. A path of the body goes to the field of its name, else to the field of its
 * nearest parent: `types.2` to `types`. The rest has no field in the form as it is drawn.
 */
export function assignErrors(
  refused: readonly FieldError[],
  names: Record<string, string>,
  isDrawn: (field: string) => boolean,
) {
  return groupByField(refused, (path) => {
    const parts = path.split('.');
    for (let length = parts.length; length > 0; length--) {
      const parent = parts.slice(0, length).join('.');
      const field = names[parent] ?? parent;
      if (isDrawn(field)) return field;
    }
    return null;
  });
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || isBlank(value);
const isBlank = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : typeof value === 'string' && !value.trim();

const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null)?.[key], body);
