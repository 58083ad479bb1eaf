import type { FieldIssue } from '@heliograph/contract';
import type * as z from 'zod';
import { AppError, invalid } from '../errors.ts';
import { clip, parseWith } from './sentences.ts';
import { findInvalidText } from './invalid-text.ts';

/** A refusal names so many problems. */
const MAX_ISSUES = 50;

/** What the schema makes of a value, or `validation` with the problems by field. */
export function parse(schema: z.ZodType | undefined, value: unknown, isItemwise = false): unknown {
  if (!schema) return undefined;
  const broken = isItemwise ? null : findInvalidText(value);
  if (broken !== null) throw invalid(clip(broken), 'text', 'A character or a name cannot be kept');
  const read = parseWith(schema, value);
  if ('data' in read) return read.data;
  throw refusal(read.issues);
}

/** Issues as one refusal, the first of them when they are many; an undeclared field is named. */
function refusal(issues: Iterable<FieldIssue>): AppError {
  const found: FieldIssue[] = [];
  let total = 0;
  let isUnknown = true;
  for (const issue of issues) {
    if (++total <= MAX_ISSUES) found.push(issue);
    isUnknown &&= issue.rule === 'unknown_field';
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
  const names = found.map((i) => i.field).join(', ');
  return new AppError('unknown_field', `Unknown fields: ${names}${more}`, detail);
}
