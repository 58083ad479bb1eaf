import type { FieldIssue } from '@heliograph/contract';
import type { FieldRule } from '@heliograph/contract/descriptions';
import { composeText } from '@heliograph/domain';
import type * as z from 'zod';

/** Names and messages may contain input, which is truncated in error responses. */
const MAX_TEXT = 200;
export const clip = (text: string) =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;

/** Capitalises a text and adds a full stop: `sentence('the list is empty')` is `The list is empty.` */
export function sentence(text: string): string {
  const capitalised = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(capitalised) ? capitalised : `${capitalised}.`;
}

type Issue = z.core.$ZodIssue;

/** Parses a value with a schema, its texts in NFC. Issues have the field and a message in plain English. */
export function parseWith<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { data: z.output<S> } | { issues: Iterable<FieldIssue> } {
  // Issues without a message of the contract get one by their kind (`messageOf`).
  const result = schema.safeParse(composedTexts(value), { error: () => '', reportInput: true });
  return result.success ? { data: result.data } : { issues: fieldIssues(result.error.issues) };
}

function* fieldIssues(issues: readonly Issue[], prefix = ''): Generator<FieldIssue> {
  for (const issue of issues) {
    const path = [prefix, ...issue.path.map(String)].filter(Boolean).join('.');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const field = clip(path ? `${path}.${key}` : key);
        yield { field, rule: 'unknown_field', message: `The field ${field} is unknown.` };
      }
    } else if (issue.code === 'invalid_union' && issue.errors.some((branch) => branch.length)) {
      const whole = alternatives(issue.errors);
      const nearest = closest(issue.errors);
      if (whole) {
        const field = clip(path);
        yield { field, rule: nearest[0]!.code as FieldRule, message: messageOn(field, whole) };
      } else yield* fieldIssues(nearest, path);
    } else {
      const field = clip(path);
      const own =
        issue.code === 'custom' ? (issue.params?.rule as FieldRule | undefined) : undefined;
      yield { field, rule: own ?? issue.code, message: messageOf(issue, field) };
    }
  }
}

/** The issues of the union branch that matched furthest. */
function closest(branches: Issue[][]): Issue[] {
  const depth = (issues: Issue[]) => Math.max(0, ...issues.map(({ path }) => path.length));
  return branches.filter((b) => b.length).reduce((a, b) => (depth(b) > depth(a) ? b : a));
}

/** What a value must be that no branch of a union takes as a whole; undefined if one of them looks into it, or says it in a sentence. */
function alternatives(branches: Issue[][]): string | undefined {
  const problems = new Set<string>();
  for (const [issue, ...others] of branches) {
    if (!issue || others.length || issue.path.length || issue.message) return undefined;
    problems.add(problemOf(issue));
  }
  const all = [...problems];
  if (all.length < 2 || all.some((problem) => !problem.startsWith(MUST_BE))) return undefined;
  return all.map((problem, i) => (i ? problem.slice(MUST_BE.length) : problem)).join(' or ');
}

const MUST_BE = 'must be ';

function messageOf(issue: Issue, field: string): string {
  if (issue.message) return clip(sentence(issue.message));
  return messageOn(field, problemOf(issue));
}

function messageOn(field: string, problem: string): string {
  const subject = field ? `The field ${field}` : 'The request';
  return `${subject} ${clip(problem)}.`;
}

/** The predicate of a sentence whose subject is the field. */
function problemOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      if (MEASURED[issue.origin] && Number(issue.minimum) === 1) return 'must not be empty';
      return bound(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than');
    case 'too_big':
      return bound(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than');
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has an invalid format';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : oneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && issue.options ? oneOf(issue.options) : 'is invalid';
    case 'invalid_key':
      return 'has a name that is not allowed';
    default:
      return 'is invalid';
  }
}

function oneOf(values: unknown[]): string {
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
}

function bound(
  { origin, exact }: { origin: string; exact?: boolean },
  limit: number | bigint,
  words: string,
): string {
  const unit = MEASURED[origin];
  const amount = `${exact ? 'exactly' : words} ${limit}`;
  return unit ? `must have ${amount} ${unit}` : `must be ${amount}`;
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Units of the sizes of values. */
const MEASURED: Record<string, string> = {
  string: 'characters',
  array: 'entries',
  object: 'fields',
};

const FORMATS: Record<string, string> = {
  datetime: 'must be a time such as 2026-12-31T09:30:00Z',
  date: 'must be a date such as 1990-12-31',
  guid: 'must be an id',
  uuid: 'must be an id',
  url: 'must be a URL such as https://example.com',
  email: 'must be an e-mail address',
};

/** A value of a request with its texts in NFC (`composeText`). Names of fields stay. */
function composedTexts(value: unknown): unknown {
  if (typeof value === 'string') return composeText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = composedTexts(value[i]);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) fields[name] = composedTexts(fields[name]);
  return fields;
}
