import { contactField } from '@heliograph/domain';
import { expect, test } from 'vitest';
import {
  CONTACT_FIELDS,
  doubled,
  freeField,
  lacksKey,
  mappingOf,
  samplesOf,
  toColumns,
  withHeader,
} from './mapping.ts';

const preview = {
  columns: [
    { name: 'Имя', field: 'firstName' as const },
    { name: 'Скидка', field: null },
    { name: 'Телефон', field: 'phone' as const },
  ],
  hasHeader: true,
  dateOrder: null,
  several: 0,
  rows: [
    ['Анна', '10', '+79161234567'],
    ['Пётр', '', '+79161234568'],
    ['Анна', '10', '+79161234569'],
  ],
  sheets: [],
  sheet: null,
};

test('what is recognised is where one begins, and what is left out is not told', () => {
  const mapping = mappingOf(preview);
  expect(mapping).toEqual(['firstName', null, 'phone']);
  expect(toColumns(mapping)).toEqual({ '0': 'firstName', '2': 'phone' });
});

test('two columns for one field are both marked', () => {
  expect([...doubled(['date', null, 'date', 'phone', 'phone'])]).toEqual([0, 2]);
  expect(doubled([null, null, 'phone']).size).toBe(0);
});

test.each([
  [['firstName', null], true],
  [['phone'], false],
  [[null, 'email'], false],
] as const)('%j lacks a way to reach people: %s', (mapping, lacks) => {
  expect(lacksKey([...mapping])).toBe(lacks);
});

test('samples are different and filled', () => {
  expect(samplesOf(preview.rows, 0)).toEqual(['Анна', 'Пётр']);
  expect(samplesOf(preview.rows, 1)).toEqual(['10']);
  expect(samplesOf(preview.rows, 2, 2)).toEqual(['+79161234567', '+79161234568']);
  expect(samplesOf(preview.rows, 9)).toEqual([]);
});

test('the first row may be a contact after all, and back again', () => {
  const bare = withHeader(preview, false);
  expect(bare.rows[0]).toEqual(['Имя', 'Скидка', 'Телефон']);
  expect(bare.columns[0]).toEqual({ name: '', field: 'firstName' });
  expect(withHeader(bare, true)).toEqual(preview);
});

test('every field that is offered is one that the server knows', () => {
  expect(CONTACT_FIELDS).toHaveLength(29);
  for (const field of CONTACT_FIELDS) expect(contactField(field)).toBe(field);
});

test('a further column gets the first field that neither has a name nor a column', () => {
  const named = (field: string) => field === 'custom02';
  expect(freeField(['phone', 'custom01'], named)).toBe('custom03');
  expect(freeField(['phone'], named)).toBe('custom01');
  expect(freeField(['phone'], () => true)).toBeUndefined();
});
