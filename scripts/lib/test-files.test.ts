import { expect, test } from 'vitest';
import { matchingFiles, unmatchedWords } from './test-files.mjs';

const PROJECTS = ['unit', 'api', 'cabinet', 'components', 'e2e'];

test('a word that matches no test file is named', () => {
  expect(unmatchedWords(PROJECTS, ['test-files', 'sendernames', 'misspelt'], false)).toEqual([
    'misspelt',
  ]);
});

test('a word is compared with the path without case and without a line number', () => {
  expect(unmatchedWords(PROJECTS, ['./scripts/lib/Test-Files.test.ts:5'], false)).toEqual([]);
});

test('a long test and an attack are matched only when all tests run', () => {
  const words = ['chaos.long', 'attacks/money'];
  expect(unmatchedWords(PROJECTS, words, false)).toEqual(words);
  expect(unmatchedWords([...PROJECTS, 'attacks'], words, true)).toEqual([]);
});

test('an attack is not a file of the API tests', () => {
  expect(matchingFiles('api', ['attacks/'], true)).toEqual([]);
  expect(matchingFiles('attacks', ['attacks/money'], true)).toHaveLength(1);
});
