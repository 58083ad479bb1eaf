import type { TypedField } from '@heliograph/domain';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { findSuperlinear } from '../../../../../../packages/domain/src/testing/complexity.ts';
import { columnsOf, guessOf } from './columns.ts';
import { contactOf } from './contact-row.ts';
import { attribute, decoded, elements, pieces } from '../../../core/sheets/reader/xml.ts';
import { isDateFormat } from '../../../core/sheets/reader/xlsx.ts';

const reader = {
  country: 'DE',
  drop: () => undefined,
  dateOf: () => undefined,
  assume: () => undefined,
  types: new Map<string, TypedField>([
    ['custom02', { type: 'number', values: [] }],
    ['custom03', { type: 'date', values: [] }],
    ['custom04', { type: 'boolean', values: [] }],
    ['custom05', { type: 'choice', values: ['Gold'] }],
  ]),
};

/** What reads the cells and parts of a file of others. */
const READERS: Record<string, (text: string) => unknown> = {
  'a phone': (text) => contactOf([text], { fields: ['phone'] }, reader),
  'an e-mail': (text) => contactOf([text], { fields: ['email'] }, reader),
  'a date': (text) => contactOf([text], { fields: ['date'] }, reader),
  'a gender': (text) => contactOf([text], { fields: ['gender'] }, reader),
  'a name': (text) => contactOf(['+79161234567', text], { fields: ['phone', 'firstName'] }, reader),
  'a full name': (text) =>
    contactOf(['+79161234567', text], { fields: ['phone', 'fullName'] }, reader),
  'a field': (text) =>
    contactOf(['+79161234567', `="${text}`], { fields: ['phone', 'custom01'] }, reader),
  'a field of each type': (text) =>
    contactOf(
      [text, text, text, text],
      { fields: ['custom02', 'custom03', 'custom04', 'custom05'] },
      reader,
    ),
  'names of columns': (text) => columnsOf([[text], ['phone', text]]),
  'columns by what they hold': (text) => columnsOf([[text]]),
  'many columns': (text) => columnsOf([['phone', ...text.slice(0, 5000).split('')]]),
  'a preview': (text) => guessOf([[text], [text]], 5, 'DE', new Map([['city', 'custom01']])),
  'a number format': isDateFormat,
  'elements of a cell': (text) => [elements(text, 't'), elements(`<t>${text}`, 't')],
  'attributes of a cell': (text) => attribute(` r="${text}`, 's'),
  'entities of a text': (text) => [decoded(text), decoded(`&${text}_x000D_`)],
};

test.each(Object.entries(READERS))('%s: hostile texts are read in a linear time', (_, read) => {
  expect(findSuperlinear(read)).toEqual([]);
});

test('names are without what nobody sees in them', () => {
  const read = (fields: ('phone' | 'firstName' | 'lastName' | 'fullName')[], ...cells: string[]) =>
    contactOf(['+79161234567', ...cells], { fields }, reader);
  expect(
    read(['phone', 'firstName', 'lastName'], '\u202eАнна\u200b', '\u2066\u2069'),
  ).toMatchObject({ firstName: 'Анна', lastName: null });
  expect(read(['phone', 'fullName'], 'Анна\u202e \u200bКузнецова')).toMatchObject({
    firstName: 'Анна',
    lastName: 'Кузнецова',
  });
});

describe('a number format', () => {
  test.each([
    ['yyyy-mm-dd', true],
    ['[$-419]d mmm', true],
    ['h:mm', true],
    ['[h]:0', false],
    ['0.00', false],
    ['"days" 0', false],
    ['\\d0', false],
    ['0" d', true],
    ['0[d', true],
    [undefined, false],
    [`${'0'.repeat(300)}d`, false],
  ])('%s', (format, isDate) => {
    expect(isDateFormat(format)).toBe(isDate);
  });
});

test('text before the first element is searched once', async () => {
  const chunk = Buffer.from('<col/>'.repeat(10_000));
  async function* part() {
    for (let i = 0; i < 60; i++) yield chunk;
    yield Buffer.from('<she');
    yield Buffer.from('etData><row r="1"></row>');
  }
  const found = [];
  for await (const piece of pieces(Readable.from(part()), 'sheetData', 'row')) found.push(piece);
  expect(found).toEqual([{ text: expect.stringContaining('<row r="1">'), prefix: '' }]);
});
