import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';
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

test('files that share their modules leave none behind that were loaded for themselves', () => {
  const named = (projects: string[], isWrong: (text: string) => boolean) =>
    projects
      .flatMap((project) => matchingFiles(project, [], true))
      .filter((file) => isWrong(readFileSync(join(root, file), 'utf8')));
  // A mock of an own module stays inside of the modules that were loaded with it.
  const shared = PROJECTS.filter((project) => project !== 'e2e');
  expect(named(shared, (text) => /vi\.(do)?mock\((import\()?'\./i.test(text))).toEqual([]);
  const loads = /await import\(|vi\.(do)?mock\(|vi\.resetModules\(/i;
  const resets = 'afterAll(() => vi.resetModules());';
  expect(named(['cabinet'], (text) => loads.test(text) && !text.includes(resets))).toEqual([]);
  expect(named(['cabinet'], (text) => text.includes(resets))).not.toEqual([]);
});
