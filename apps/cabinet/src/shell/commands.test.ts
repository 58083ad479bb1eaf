import { expect, it } from 'vitest';
import { matching, objectIn } from './commands.ts';

const labels = (text: string) =>
  matching(
    ['Messages: Outgoing', 'Outgoing', 'Contact lists', 'Sign out'].map((label) => ({ label })),
    text,
  ).map((c) => c.label);

it.each([
  ['+7 (916) 123-45-67', 'phone'],
  ['89161234567', 'phone'],
  [' 01930000-0000-7000-8000-000000000104 ', 'id'],
  ['01930000-0000-7000-8000', 'words'],
  ['12345', 'words'],
  ['1234567890123456', 'words'],
  ['outgoing', 'words'],
])('sees in %j: %s', (text, kind) => {
  expect(objectIn(text)?.kind).toBe(kind);
});

it('wants every word and puts first what begins with the text', () => {
  expect(labels('out')).toEqual(['Outgoing', 'Messages: Outgoing', 'Sign out']);
  expect(labels('LISTS con')).toEqual(['Contact lists']);
  expect(labels('')).toHaveLength(4);
  expect(labels('nothing')).toEqual([]);
});
