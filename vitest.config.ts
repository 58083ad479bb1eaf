import { existsSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { excludedFiles, TEST_FILES } from './scripts/lib/test-files.mjs';

const services = './scripts/test-services.ts';
/** Of projects whose files share a process. */
const shared = { isolate: false, setupFiles: ['./scripts/test-cleanup.ts'] };
/** What a test waits for comes within a second on an idle machine, and later where others keep it busy. */
const patient = { poll: { timeout: 30_000 } };
const ifPresent = (...files: string[]) =>
  files.filter((file) => existsSync(new URL(file, import.meta.url)));

/** Set by `npm test -- --all`. With vitest itself a long file runs when its name is given. */
const isAll =
  process.env.TESTS === 'all' || process.argv.some((word) => /\.long|attacks/.test(word));
const exclude = (project: string) => [...configDefaults.exclude, ...excludedFiles(project, isAll)];

export default defineConfig({
  test: {
    // One more than the cores of a small machine: tests of the API wait for the database for a fifth of their time.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          expect: patient,
          ...shared,
          environment: 'node',
          include: TEST_FILES.unit,
          exclude: exclude('unit'),
          // Some start processes, and the machine may be busy with the other tests.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'api',
          expect: patient,
          isolate: false,
          environment: 'node',
          include: TEST_FILES.api,
          exclude: exclude('api'),
          globalSetup: [
            services,
            ...ifPresent('./apps/api/test/global-setup.ts', './apps/api/test/reader-program.ts'),
          ],
          setupFiles: [...shared.setupFiles, ...ifPresent('./apps/api/test/use-reader-program.ts')],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          // Against the built product; its files start the processes themselves.
          name: 'attacks',
          expect: patient,
          environment: 'node',
          include: isAll ? TEST_FILES.attacks : [],
          globalSetup: [services, ...ifPresent('./apps/api/test/global-setup.ts')],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'cabinet',
          expect: patient,
          ...shared,
          environment: 'node',
          include: TEST_FILES.cabinet,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'components',
          expect: patient,
          isolate: false,
          environment: 'jsdom',
          include: TEST_FILES.components,
          setupFiles: [
            ...shared.setupFiles,
            './apps/cabinet/test/components.ts',
            './apps/cabinet/test/jitter.ts',
          ],
          // Typing takes long when the machine is busy with the other tests.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          // Files that run together have the same number of workers.
          sequence: { groupOrder: 1 },
          // Set by `npm run e2e`: the long journeys in subfolders too.
          include: process.env.JOURNEYS === 'all' ? TEST_FILES.allJourneys : TEST_FILES.e2e,
          globalSetup: [services, ...ifPresent('./apps/cabinet/e2e/global-setup.ts')],
          // The journeys of `npm test` use different accounts or sessions, so two run at a time.
          maxWorkers: process.env.JOURNEYS === 'all' ? 1 : 2,
          // As long as the journeys' own waits.
          expect: patient,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
