import { ApiError, NoAnswer } from '@heliograph/contract';
import type { TFunction } from 'i18next';
import type { core } from 'zod';

export interface FieldError {
  /** Dotted path as the server names it: `payload.text`, `fallbacks.0.type`. */
  path: string;
  rule: string;
  message: string;
}

/** What a refusal says about single fields; empty when it is about the whole. */
export function fieldErrors(error: unknown): FieldError[] {
  if (!(error instanceof ApiError)) return [];
  const { errors, data } = error.body;
  if (errors?.length) {
    return errors.flatMap(({ property, constraints }) =>
      Object.entries(constraints).map(([rule, message]) => ({ path: property, rule, message })),
    );
  }
  return (data ?? []).map((d) => ({ path: d.field, rule: d.type, message: d.message }));
}

/** The rule of the contract that an issue of its schemas is about. */
export function ruleOf(issue: core.$ZodIssue): string {
  const rule: unknown = issue.code === 'custom' ? issue.params?.rule : issue.code;
  return typeof rule === 'string' ? rule : 'other';
}

/** A rule of the contract in the visitor's language. Rules without a text of their own share one. */
export function ruleText(t: TFunction, rule: string): string {
  return t(`errors:rule.${rule}`, { defaultValue: t('errors:rule.other') });
}

/** Nobody answered, or only a gateway: the same may go well in a moment. */
export function isAway(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ApiError && AWAY.includes(error.status));
}
const AWAY = [502, 503, 504];

/** Seconds for which a read may be put off unseen; who has to wait longer is told. */
const SHORT_WAIT = 5;

/** The same question would get the same answer. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status >= 500) return false;
  const wait = waitOf(error);
  return !wait || wait > SHORT_WAIT;
}

/** One sentence for a refusal: by its code, else by its status, else by what went wrong on the way. */
export function errorText(t: TFunction, error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 400 && error.code === 'bad_request' && error.body.message) {
      return error.body.message;
    }
    const wait = waitOf(error);
    if (wait > 0) return t('errors:rateLimited', { count: wait });
    const byStatus = t(`errors:http.${error.status}`, { defaultValue: t('errors:unknown') });
    // Whoever is in between knows nothing of our codes.
    if (error.body.name === 'HttpError') return byStatus;
    return t(`errors:code.${error.code}`, { defaultValue: byStatus });
  }
  return error instanceof NoAnswer ? t('errors:offline') : t('errors:unknown');
}

/** Where fields are not marked: which were refused and why, else the sentence for the whole. */
export function wholeText(t: TFunction, error: unknown, unmarked = fieldErrors(error)): string {
  if (!(error instanceof ApiError && error.code === 'validation')) return errorText(t, error);
  const said = unmarked.map(({ path, rule }) =>
    t('errors:field', { field: path, problem: ruleText(t, rule) }),
  );
  return [...new Set(said)].join(' ') || errorText(t, error);
}

/** Seconds that a refusal asks to wait; 0 when it does not say. */
export function waitOf({ status, headers }: ApiError): number {
  return status === 429 ? Math.max(0, Math.ceil(Number(headers.get('retry-after')) || 0)) : 0;
}

/** Where a refusal by rate does not say when to come again. Specification, section 9. */
export const LOCK_MS = 60_000;

/** When a call that was refused by rate may be made again, in milliseconds of this clock; 0 after any other refusal. */
export function retryAt(error: unknown, now: number): number {
  if (!(error instanceof ApiError) || error.status !== 429) return 0;
  const told = Date.parse(String(error.body.payload?.expires_at));
  return told || now + (waitOf(error) * 1000 || LOCK_MS);
}

/** The id to quote to support; absent when no server answered. */
export function requestId(error: unknown): string | undefined {
  return error instanceof ApiError ? error.body.requestId || undefined : undefined;
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

export interface RateLimit {
  limit: number;
  remaining: number;
}

export function rateLimitOf(headers: Headers): RateLimit | null {
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? NaN);
  const [limit, remaining] = [number('limit'), number('remaining')];
  return Number.isFinite(limit) && Number.isFinite(remaining) ? { limit, remaining } : null;
}
