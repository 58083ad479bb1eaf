import { expect, it } from 'vitest';
import { refusalText } from './refusal-text.ts';

const t = ((key: string, options?: Record<string, string>) =>
  [key, options?.field, options?.problem, options?.reason].filter(Boolean).join(' ')) as never;
const error = 'The call has no value in the field client.phone';
const fields = [{ field: 'client.phone', rule: 'no_value', message: error }];

it('a refused call is told in the language of the visitor', () => {
  const refusal = { code: 'validation' as const, fields, reason: null };
  expect(refusalText(t, { error, refusal })).toBe('errors:field client.phone errors:rule.no_value');
  expect(refusalText(t, { error, refusal: { ...refusal, fields: [], code: 'no_price' } })).toBe(
    'errors:code.no_price',
  );
  expect(refusalText(t, { error, refusal: { ...refusal, reason: '401' } })).toBe(
    'integrations:portalRefused 401',
  );
});

it('a refusal of an earlier version stays readable', () => {
  expect(refusalText(t, { error, refusal: null })).toBe(error);
});
