import type { WebhookError } from '@heliograph/domain';
import { RE2JS } from 're2js';

export interface SuccessOn {
  status: string | null;
  body: string | null;
}

/** Linear time is that of the answer's length by the size of the program: `.{1000}` eight times would hold a process for seconds. */
const MAX_PROGRAM_SIZE = 500;

/** The patterns run in linear time, whatever they are. Null if one is invalid or takes too long. */
export function compiled(pattern: string): RE2JS | null {
  try {
    const compiledPattern = RE2JS.compile(pattern);
    return compiledPattern.programSize() <= MAX_PROGRAM_SIZE ? compiledPattern : null;
  } catch {
    return null;
  }
}

const patterns = new Map<string, RE2JS>();
const MAX_PATTERNS = 1000;

function matches(pattern: string, text: string): boolean {
  let known = patterns.get(pattern);
  if (!known) {
    if (patterns.size >= MAX_PATTERNS) patterns.clear();
    patterns.set(pattern, (known = RE2JS.compile(pattern)));
  }
  return known.matcher(text).find();
}

/** Why an answer is a failure; null if it is a success. Patterns replace the rule that any 2xx is a success. */
export function failureOf(
  successOn: SuccessOn | null,
  httpStatus: number,
  body: string,
): WebhookError | null {
  const isRedirect = httpStatus >= 300 && httpStatus < 400;
  const isStatus = successOn?.status
    ? matches(successOn.status, String(httpStatus))
    : successOn?.body
      ? !isRedirect
      : httpStatus >= 200 && httpStatus < 300;
  if (!isStatus) return isRedirect ? 'redirect' : 'status';
  return successOn?.body && !matches(successOn.body, body) ? 'body' : null;
}
