import { endpoint, Id } from '@heliograph/contract';
import * as z from 'zod';
import { expect, test } from 'vitest';
import { withoutReadOnly } from './returned-row.ts';

const Row = z.object({
  id: Id,
  title: z.string(),
  meta: z.object({ comment: z.string(), private: z.string() }).nullable(),
  OwnerId: Id,
  createdAt: z.string(),
});
const Changes = z
  .strictObject({ title: z.string(), meta: z.strictObject({ comment: z.string() }).nullish() })
  .partial();
const update = endpoint('PUT', '/rows/:id', { body: Changes, response: Row, can: 'session' });
const ID = '01930000-0000-7000-8000-000000000001';
const row = {
  id: ID,
  title: 'x',
  meta: { comment: 'y', private: 'z' },
  OwnerId: ID,
  createdAt: '2026-01-01T00:00:00Z',
};
const strip = (body: unknown) => withoutReadOnly(update, body, ID, ID);

test('a row that is put back loses the fields that cannot be changed, at every depth', () => {
  const changes = { title: 'x', meta: { comment: 'y' } };
  expect(strip(row)).toEqual(changes);
  expect(strip({ ...row, meta: null })).toEqual({ title: 'x', meta: null });
  expect(withoutReadOnly(update, row, undefined, ID)).toEqual(changes);
});

test('what the row has not is kept, to be refused', () => {
  expect(strip({ ...row, level: 'manager' })).toMatchObject({ level: 'manager' });
  const polluted = JSON.parse(`{"id":"${ID}","__proto__":{"title":"x"}}`) as object;
  expect(Object.keys(strip(polluted) as object)).toEqual(['__proto__']);
});

test.each([{ OwnerId: ID }, { ...row, id: 'another' }, [row], null, 'row', 5])(
  'other bodies stay as they are: %j',
  (body) => {
    expect(strip(body)).toBe(body);
  },
);

test('the body of another method stays as it is', () => {
  expect(withoutReadOnly({ ...update, method: 'POST' }, row, ID, ID)).toBe(row);
});
