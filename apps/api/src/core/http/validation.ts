import type { FieldIssue } from '@heliograph/contract';
import type * as z from 'zod';
import { AppError, invalid } from '../errors.ts';
import { clip, parseWith } from './sentences.ts';
import { findInvalidText } from './invalid-text.ts';

/** Issues reported in one response. */
const MAX_ISSUES = 50;

/** Parses a value with a schema. Throws `validation` with the issues by field. */
export function parse(schema: z.ZodType | undefined, value: unknown, isItemwise = false): unknown {
  if (!schema) return undefined;
  const invalidPath = isItemwise ? null : findInvalidText(value);
  if (invalidPath !== null)
    throw invalid(clip(invalidPath), 'text', 'The text or the name contains an invalid character.');
  const read = parseWith(schema, value);
  if ('data' in read) return read.data;
  throw refusal(read.issues);
}

/** An error with the first issues; unknown fields are named in the message. */
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
    return new AppError('validation', more ? `Some fields are invalid${more}` : undefined, detail);
  const names = found.map((i) => i.field).join(', ');
  return new AppError('unknown_field', `Unknown fields: ${names}${more}`, detail);
}
