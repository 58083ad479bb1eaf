import type { FieldIssue } from '@heliograph/contract';
import type * as z from 'zod';
import { AppError, invalid } from '../errors.ts';
import { unkeepable } from './plain-text.ts';

/** A refusal names so many problems. */
const MAX_ISSUES = 50;
const MAX_TEXT = 200;

/** What the schema makes of a value, or `validation` with the problems by field. */
export function parse(schema: z.ZodType | undefined, value: unknown, isItemwise = false): unknown {
  if (!schema) return undefined;
  const broken = isItemwise ? null : unkeepable(value);
  if (broken !== null)
    throw invalid(clip(broken), 'text', 'has a character or a name that cannot be kept');
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusal(result.error.issues);
}

/** zod's issues as one refusal, the first of them when they are many; an undeclared field is named. */
function refusal(issues: readonly z.core.$ZodIssue[]): AppError {
  const found: FieldIssue[] = [];
  let total = 0;
  let isUnknown = true;
  for (const issue of issues) {
    for (const one of flatten(issue, '')) {
      if (++total <= MAX_ISSUES) found.push(one);
      isUnknown &&= one.rule === 'unknown_field';
    }
  }
  const omitted = total - found.length;
  const more = omitted ? `, and ${omitted} more` : '';
  const detail = { issues: found, ...(omitted && { payload: { omitted } }) };
  if (!isUnknown)
    return new AppError(
      'validation',
      more ? `Some fields are not valid${more}` : undefined,
      detail,
    );
  return new AppError(
    'unknown_field',
    `Unknown: ${found.map((i) => i.field).join(', ')}${more}`,
    detail,
  );
}

function* flatten(issue: z.core.$ZodIssue, prefix: string): Generator<FieldIssue> {
  const path = [prefix, ...issue.path.map(String)].filter(Boolean).join('.');
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const field = clip(path ? `${path}.${key}` : key);
      yield { field, rule: 'unknown_field', message: 'is not known here' };
    }
    return;
  }
  // Of a union the branch that came closest says best what is wrong.
  if (issue.code === 'invalid_union' && issue.errors?.length) {
    const best = issue.errors.reduce((a, b) => (depth(b) > depth(a) ? b : a));
    if (best.length) {
      for (const inner of best) yield* flatten(inner, path);
      return;
    }
  }
  const rule = ((issue as { params?: { rule?: string } }).params?.rule ??
    issue.code ??
    'invalid') as string;
  yield { field: clip(path), rule, message: clip(issue.message) };
}

/** Names and messages may hold what was sent, which a refusal does not send back at any length. */
const clip = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

const depth = (issues: readonly z.core.$ZodIssue[]) =>
  issues.reduce((most, { path }) => Math.max(most, path.length), 0);
