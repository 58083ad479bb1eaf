import { expect, test } from 'vitest';
import { entriesOf, withEntries } from './entries.ts';

test('a column is pasted however it is separated', () => {
  expect(entriesOf('+7 916 111-00-01\n\n +79161110002;anna@example.com,\tb@example.com ')).toEqual([
    '+7 916 111-00-01',
    '+79161110002',
    'anna@example.com',
    'b@example.com',
  ]);
});

test.each([
  '+62 21 5551234,5',
  '+62 21 5551234; 57',
  '8 495 123-45-67, доб. 12',
  '+1 202 555 0123, ext 4',
  '+1 202 555 0123,x12',
  '+1 202 555 0123;#4',
  '8 495 123-45-67, доб. № 12345',
  '8 495 123-45-67, (доб. 12)',
  '8 495 123-45-67, внутренний номер 12',
  '+49 30 123456, Nebenstelle: 123456',
  '+34 912 345 678; ext.: 3',
])('an extension stays with its number: %s', (written) => {
  expect(entriesOf(`${written}\n+79161110002`)).toEqual([written, '+79161110002']);
});

test('entries are added below what was written', () => {
  expect(withEntries('', ['1', '2'])).toBe('1\n2');
  expect(withEntries('0\n', ['1'])).toBe('0\n1');
});
