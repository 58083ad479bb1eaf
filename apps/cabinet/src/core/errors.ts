import { ApiError, NoAnswer } from '@heliograph/contract';
import { unprintable } from '@heliograph/domain';
import type { TFunction } from 'i18next';
import type { core } from 'zod';

export interface FieldError {
  /** Dotted path as the server names it: `payload.text`, `fallbacks.0.type`. */
  path: string;
  rule: string;
  message: string;
}

/**
 * What a refusal says about single fields, each thing once; empty when it is about the whole. Both shapes are read: ours
 * says the same in either, others may fill in one, or leave out the field or the rule.
 */
export function fieldErrors(error: unknown): FieldError[] {
  if (!(error instanceof ApiError)) return [];
  const { errors, data } = error.body;
  const all = [
    ...listOf(errors).flatMap(({ property = '', constraints }) =>
      Object.entries(constraints ?? {}).map(([rule, message]) => ({
        path: property,
        rule,
        message,
      })),
    ),
    ...listOf(data).map(({ field = '', type = '', message = '' }) => ({
      path: field,
      rule: type,
      message,
    })),
  ];
  const first = new Map<string, FieldError>();
  for (const one of all) {
    const key = `${one.path} ${one.message || one.rule}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

/** A body that is not ours may hold anything. */
const listOf = <T extends object>(items: T[] | undefined): Partial<T>[] =>
  Array.isArray(items) ? items.filter((item) => item && typeof item === 'object') : [];

/** The rule of the contract that an issue of its schemas is about. */
export function ruleOf(issue: core.$ZodIssue): string {
  const rule: unknown = issue.code === 'custom' ? issue.params?.rule : issue.code;
  return typeof rule === 'string' ? rule : 'other';
}

/** A rule of the contract in the visitor's language; a sentence stands for itself. Rules without a text share one. */
export function ruleText(t: TFunction, rule: string): string {
  return /\s/.test(rule)
    ? rule
    : t(`errors:rule.${rule}`, { defaultValue: t('errors:rule.other') });
}

/** Why fields were refused: their rules in the visitor's language, in the server's words where the cabinet has none. */
export function fieldText(t: TFunction, refused: readonly FieldError[]): string {
  const other = t('errors:rule.other');
  const problems = refused.map(({ rule, message }) => {
    const words = message || other;
    // The message of `unprintable` is the one that has such characters: those that it names.
    const characters = unprintable(words).join(' ');
    return rule && rule !== 'other'
      ? t(`errors:rule.${rule}`, { defaultValue: words, characters })
      : words;
  });
  return [...new Set(problems)].join(' ');
}

/** Errors by the field that `nameOf` names for their path; `unmarked` are those without a field. */
export function groupByField(
  refused: readonly FieldError[],
  nameOf: (path: string) => string | null,
): { marked: Map<string, FieldError[]>; unmarked: FieldError[] } {
  const marked = new Map<string, FieldError[]>();
  const unmarked: FieldError[] = [];
  for (const item of refused) {
    const name = nameOf(item.path);
    if (name === null) unmarked.push(item);
    else marked.set(name, [...(marked.get(name) ?? []), item]);
  }
  return { marked, unmarked };
}

/** Nobody answered, or only a gateway: the same may go well in a moment. */
export function isAway(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ApiError && AWAY.includes(error.status));
}
const AWAY = [502, 503, 504];

/** What is asked for is not there, or not for this user. */
export const isDenied = (error: unknown): boolean =>
  error instanceof ApiError && DENIED.includes(error.status);
const DENIED = [403, 404];

/** A read that is refused for at most this long is retried without a message. */
const MAX_RETRY_WAIT_SECONDS = 5;

/** The same question would get the same answer. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status >= 500) return false;
  const wait = waitOf(error);
  return !wait || wait > MAX_RETRY_WAIT_SECONDS;
}

/**
 * What a refusal says: which fields were refused and why where they are not marked, else a sentence for the whole.
 * `unmarked` are those that the form marks nowhere.
 */
export function errorText(
  t: TFunction,
  error: unknown,
  unmarked: readonly FieldError[] = fieldErrors(error),
): string {
  const isAboutFields =
    error instanceof ApiError &&
    (isForeign(error) || error.code === 'validation' || error.code === 'bad_request');
  if (!isAboutFields || !unmarked.length) return sentenceOf(t, error);
  return fieldsText(t, unmarked);
}

/** Errors of fields that are marked nowhere: each with the name of its field. */
export function fieldsText(t: TFunction, unmarked: readonly FieldError[]): string {
  const texts = unmarked.map((item) => {
    const problem = fieldText(t, [item]);
    const field = nameOfField(t, item.path);
    return field ? t('errors:field', { field, problem }) : problem;
  });
  return [...new Set(texts)].join(' ');
}

/** A proxy in between does not know the error codes, so the client has created the body. */
const isForeign = ({ body }: ApiError): boolean => body.name === 'HttpError';

/** Fields whose names every page knows. */
export const NAMED_FIELDS = [
  'recipient',
  'include',
  'exclude',
  'sender',
  'text',
  'subject',
  'title',
  'name',
  'phone',
  'email',
  'url',
  'amount',
  'buttons',
  'type',
  'fallbacks',
];

/** What the field at the end of a path is called; empty where it has no name but the path, which is nothing to read. */
export function nameOfField(t: TFunction, path: string): string {
  const name = path
    .split('.')
    .findLast((part) => !/^\d+$/.test(part))
    ?.replace(/^\$/, '');
  return name && NAMED_FIELDS.includes(name) ? t(`errors:fieldName.${name}`) : '';
}

/** By its code, else by its status, else by what went wrong on the way. Specification, section 8. */
function sentenceOf(t: TFunction, error: unknown): string {
  if (error instanceof ApiError) {
    const { name, message } = error.body;
    const isOfClient = isForeign(error) || /client/i.test(name);
    if (error.status === 400) return (!isOfClient && message) || t('errors:http.400');
    const wait = waitOf(error);
    if (wait > 0) return t('errors:rateLimited', { count: wait });
    const byStatus = t(`errors:http.${error.status}`, { defaultValue: t('errors:unknown') });
    if (isForeign(error)) return byStatus;
    if (error.body.payload?.isUnfinished) return t('errors:unfinished');
    return t(`errors:code.${error.code}`, { defaultValue: byStatus });
  }
  return error instanceof NoAnswer ? t('errors:offline') : t('errors:unknown');
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
  // The time in the body is that of the server's clock, which this one may differ from.
  const wait = waitOf(error) * 1000;
  return wait ? now + wait : Date.parse(String(error.body.payload?.expires_at)) || now + LOCK_MS;
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
