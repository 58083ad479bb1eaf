import { readFile } from 'node:fs/promises';
import { ApiError, NoAnswer, type ErrorBody } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { LOCALES } from './i18n/locales.ts';
import {
  errorText,
  fieldErrors,
  fieldText,
  isRefusedForGood,
  NAMED_FIELDS,
  retryAt,
} from './errors.ts';

const t = ((key: string, options?: { count?: number; defaultValue?: string }) =>
  options?.count === undefined ? key : `${key} ${options.count}`) as never;
/** A catalogue that knows no rule. */
const bare = ((
  key: string,
  options?: { defaultValue?: string; field?: string; problem?: string },
) =>
  options?.field
    ? `${options.field}: ${options.problem}`
    : (options?.defaultValue ?? key)) as never;
const refusal = (status: number, body: Partial<ErrorBody>, headers = {}) =>
  new ApiError(status, body as ErrorBody, new Headers(headers));

it('a refusal by rate says for how many seconds, when the server does', () => {
  const body = { code: 'rate_limited' as const };
  expect(errorText(t, refusal(429, body, { 'retry-after': '17' }))).toBe('errors:rateLimited 17');
  expect(errorText(t, refusal(429, body))).toBe('errors:code.rate_limited');
  expect(errorText(t, refusal(503, body, { 'retry-after': '17' }))).toBe(
    'errors:code.rate_limited',
  );
});

it('names the characters that documents cannot show', () => {
  const named = ((key: string, options?: { characters?: string }) =>
    `${key} ${options?.characters}`) as never;
  const message = 'Documents cannot show these characters: 茶 ☕. Replace them.';
  expect(fieldText(named, [{ path: 'name', rule: 'unprintable', message }])).toBe(
    'errors:rule.unprintable 茶 ☕',
  );
});

it('what is unfinished and fills a quota is to be waited for, not removed', () => {
  const full = (payload: object) =>
    errorText(t, refusal(409, { code: 'quota_exceeded', payload: { quota: 'links', ...payload } }));
  expect(full({})).toBe('errors:code.quota_exceeded');
  expect(full({ isUnfinished: true })).toBe('errors:unfinished');
});

it("computes the time of the next attempt by the client's own clock", () => {
  expect(retryAt(refusal(429, {}, { 'retry-after': '17', 'x-ratelimit-reset': '9' }), 5000)).toBe(
    22_000,
  );
  expect(retryAt(refusal(429, {}), 5000)).toBe(65_000);
  const payload = { expires_at: '2026-01-01T00:00:09.000Z' };
  expect(retryAt(refusal(429, { payload }), 0)).toBe(Date.parse('2026-01-01T00:00:09Z'));
  expect(retryAt(refusal(429, { payload }, { 'retry-after': '17' }), 5000)).toBe(22_000);
  expect(retryAt(refusal(401, {}, { 'retry-after': '17' }), 5000)).toBe(0);
  expect(retryAt(new Error(), 5000)).toBe(0);
});

it('fields are read from either shape', () => {
  const item = { path: 'data.phone', rule: 'phone', message: 'no phone' };
  const data = [{ field: 'data.phone', type: 'phone', message: 'no phone' }];
  const errors = [{ property: 'data.phone', constraints: { phone: 'no phone' } }];
  expect(fieldErrors(refusal(422, { data }))).toEqual([item]);
  expect(fieldErrors(refusal(422, { errors, data }))).toEqual([item]);
  expect(fieldErrors(refusal(409, {}))).toEqual([]);
});

it('every message of either shape is told once', () => {
  const errors = [
    { property: 'recipient', constraints: { digits: 'Only digits.', country: 'No such country.' } },
  ];
  const data = [
    { field: 'recipient', type: 'digits', message: 'Only digits.' },
    { message: 'The list is empty.' },
  ] as ErrorBody['data'];
  const both = refusal(422, { code: 'validation', errors, data });
  expect(fieldText(bare, fieldErrors(both))).toBe(
    'Only digits. No such country. The list is empty.',
  );
  expect(errorText(bare, both)).toBe(
    'errors:fieldName.recipient: Only digits. errors:fieldName.recipient: No such country. The list is empty.',
  );
  const foreign = { code: 'bad_request' as const, name: 'HttpError', data };
  expect(errorText(bare, refusal(422, foreign))).toContain('The list is empty.');
  expect(fieldErrors(refusal(422, { data: 'no' as never, errors: [null] as never }))).toEqual([]);
});

it('of a 400 the server’s words are told, unless it is the client’s', () => {
  const messageOf = (name: string, code: ErrorBody['code'] = 'bad_request') =>
    errorText(t, refusal(400, { name, code, message: 'No such period.' }));
  expect(messageOf('AppError')).toBe('No such period.');
  expect(messageOf('AppError', 'malformed_json')).toBe('No such period.');
  expect(messageOf('ClientError')).toBe('errors:http.400');
  expect(messageOf('HttpError')).toBe('errors:http.400');
  expect(errorText(t, refusal(400, { name: 'AppError', message: '' }))).toBe('errors:http.400');
});

it('what a gateway answers is told by its status, our own by its code', () => {
  const foreign = { name: 'HttpError', code: 'unavailable' as const };
  expect(errorText(t, refusal(507, foreign))).toBe('errors:http.507');
  expect(errorText(t, refusal(503, { ...foreign, name: 'AppError' }))).toBe(
    'errors:code.unavailable',
  );
});

it('where nothing can be marked the fields are named', () => {
  const say = ((key: string, options?: Record<string, string>) =>
    key === 'errors:field' ? `${options!.field}: ${options!.problem}` : key) as never;
  const errors: ErrorBody['errors'] = [
    { property: 'ManagerId', constraints: { invalid_format: 'no id' } },
    { property: 'data.limit', constraints: { too_big: 'too many' } },
  ];
  expect(errorText(say, refusal(422, { code: 'validation', errors }))).toBe(
    'errors:rule.invalid_format errors:rule.too_big',
  );
  expect(errorText(say, refusal(422, { code: 'date_range', errors }))).toBe(
    'errors:code.date_range',
  );
  expect(errorText(say, refusal(422, { code: 'validation' }))).toBe('errors:code.validation');
});

it.each([
  ['a refusal by its contents', refusal(422, {}), true],
  ['what is not there', refusal(404, {}), true],
  ['too many at a time', refusal(429, {}, { 'retry-after': '1' }), false],
  ['too many in a minute', refusal(429, {}, { 'retry-after': '40' }), true],
  ['too many, without a time', refusal(429, {}), true],
  ['too busy', refusal(503, {}, { 'retry-after': '2' }), false],
  ['no answer', new NoAnswer(), false],
])('%s is asked for again, or not', (_, error, isForGood) => {
  expect(isRefusedForGood(error)).toBe(isForGood);
});

it('no text names a field by its path', () => {
  const say = ((key: string, options: Record<string, string> = {}) =>
    key === 'errors:field' ? `${options.field}: ${options.problem}` : key) as never;
  const paths = [
    'recipient.exclude',
    'data.types.0',
    'ManagerId',
    '$options.onTimeout.except',
    '7',
  ];
  for (const path of [...paths, ...NAMED_FIELDS.map((name) => `payload.${name}`)]) {
    const errors = [{ property: path, constraints: { too_big: 'Too many.' } }];
    const text = errorText(say, refusal(422, { code: 'validation', errors }));
    expect(text).toMatch(/^(?:errors:fieldName\.\w+: )?errors:rule\.too_big$/);
  }
});

// Those that stand there are examples: of a field of somebody's own form, and of a domain.
it.each(LOCALES)('no text of an error has a path in it: %s', async (locale) => {
  const file = new URL(`../locales/${locale}/errors.json`, import.meta.url);
  const texts: unknown = JSON.parse(await readFile(file, 'utf8'));
  const all = JSON.stringify(texts, (key, value) => (key === 'fieldName' ? undefined : value));
  expect(all.match(/\b[a-z][a-zA-Z]*\.[a-z]\w+/g) ?? []).toEqual(['order.phone', 'sms.example']);
});
