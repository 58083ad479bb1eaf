import { expect, test } from 'vitest';
import { mappingOf, repeatedFields, toColumns } from './operation-mapping.ts';

const file = (...fields: ('account' | 'amount' | 'comment' | null)[]) => ({
  columns: fields.map((field) => ({ name: 'x', field })),
  hasHeader: true,
  rows: [],
  sheets: [],
  sheet: null,
});

test('takes the recognised columns', () => {
  const mapping = mappingOf(file('comment', null, 'account', 'amount'));
  expect(mapping).toEqual({ account: 2, amount: 3, comment: 0 });
  expect(toColumns(mapping)).toEqual({ account: 2, amount: 3, comment: 0 });
});

test('is incomplete without an account or an amount, and complete without a comment', () => {
  expect(toColumns(mappingOf(file('account', null)))).toBeNull();
  expect(toColumns(mappingOf(file('account', 'amount')))).toEqual({
    account: 0,
    amount: 1,
    comment: null,
  });
});

test('chooses none of several columns of a field', () => {
  expect(mappingOf(file('account', 'amount', 'amount'))).toEqual({ account: 0, comment: null });
  const mapping = mappingOf(file('account', 'amount', 'comment', 'comment'));
  expect(mapping).toEqual({ account: 0, amount: 1 });
  expect(toColumns(mapping)).toBeNull();
  expect(toColumns({ ...mapping, comment: null })).not.toBeNull();
});

test('refuses one column for two fields', () => {
  const mapping = { account: 1, amount: 2, comment: 1 };
  expect([...repeatedFields(mapping)]).toEqual(['comment']);
  expect(toColumns(mapping)).toBeNull();
});
