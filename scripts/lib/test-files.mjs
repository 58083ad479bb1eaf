import { globSync } from 'node:fs';
import { root } from './project.mjs';

/** Test files of each vitest project; vitest.config.ts reads the same table. */
export const TEST_FILES = {
  unit: ['{packages,scripts}/**/*.test.ts', '{apps/simulator,chaos}/**/*.test.ts'],
  api: ['apps/api/**/*.test.ts'],
  cabinet: ['apps/cabinet/src/**/*.test.ts'],
  /** Components, drawn into a simulated document. */
  components: ['apps/cabinet/src/**/*.test.tsx', 'apps/widget/src/**/*.test.ts'],
  e2e: ['apps/cabinet/e2e/*.test.ts'],
  allJourneys: ['apps/cabinet/e2e/**/*.test.ts'],
  attacks: ['apps/api/test/attacks/**/*.test.ts'],
};
const LONG = '**/*.long.test.ts';
const EXCLUDED = ['**/node_modules/**', '**/dist/**'];

/** What a run leaves out of a project's files. */
export const excludedFiles = (project, isAll) => [
  ...(isAll || !['unit', 'api'].includes(project) ? [] : [LONG]),
  ...(project === 'api' ? TEST_FILES.attacks : []),
];

/** Files of a project that a run with these words takes: those whose path contains any of them. */
export function matchingFiles(project, words, isAll) {
  const exclude = [...EXCLUDED, ...excludedFiles(project, isAll)];
  const files = globSync(TEST_FILES[project], { cwd: root, exclude });
  if (words.length === 0) return files;
  return files.filter((file) => words.some((word) => isMatch(file, word)));
}

/** Words that name no file of any of these projects: a misspelt name must not look like a passed test. */
export const unmatchedWords = (projects, words, isAll) =>
  words.filter((word) => projects.every((name) => !matchingFiles(name, [word], isAll).length));

/** As vitest compares: without case, and a line number behind the name is not part of it. */
const isMatch = (file, word) =>
  file.toLowerCase().includes(word.replace(/:\d+$/, '').replace(/^\.\//, '').toLowerCase());
