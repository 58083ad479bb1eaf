import { existsSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';

const services = './scripts/test-services.ts';
/** Of projects whose files share a process. */
const shared = { isolate: false, setupFiles: ['./scripts/test-cleanup.ts'] };
const ifPresent = (...files: string[]) =>
  files.filter((file) => existsSync(new URL(file, import.meta.url)));

/** `npm test -- --all` says so; by hand a long file runs when it is named. */
const isAll =
  process.env.TESTS === 'all' || process.argv.some((word) => /\.long|attacks/.test(word));
const long = isAll ? [] : ['**/*.long.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          ...shared,
          environment: 'node',
          include: ['{packages,scripts}/**/*.test.ts', '{apps/simulator,chaos}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...long],
          // Some start processes, and the machine may be busy with the other tests.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'api',
          ...shared,
          environment: 'node',
          include: ['apps/api/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...long, 'apps/api/test/attacks/**'],
          globalSetup: [services, ...ifPresent('./apps/api/test/global-setup.ts')],
          testTimeout: 40_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          // Against the built product; its files start the processes themselves.
          name: 'attacks',
          environment: 'node',
          include: isAll ? ['apps/api/test/attacks/**/*.test.ts'] : [],
          globalSetup: [services, ...ifPresent('./apps/api/test/global-setup.ts')],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'cabinet',
          ...shared,
          environment: 'node',
          include: ['apps/cabinet/src/**/*.test.{ts,tsx}'],
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          // `pnpm e2e` asks for all; without a word the folder of the long ones is left out.
          include: [`apps/cabinet/e2e/${process.env.JOURNEYS === 'all' ? '**/' : ''}*.test.ts`],
          globalSetup: [services, ...ifPresent('./apps/cabinet/e2e/global-setup.ts')],
          fileParallelism: false,
          // As patient as the pages' own waits: the machine may be busy with other tests.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
