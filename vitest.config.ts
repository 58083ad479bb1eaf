import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const services = './scripts/test-services.ts';
const ifPresent = (...files: string[]) =>
  files.filter((file) => existsSync(new URL(file, import.meta.url)));

/** Tests with processes, signals and clocks share a machine whose load nobody knows; by hand nothing is repeated. */
const retry = process.env.CI ? 2 : 0;

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{packages,scripts}/**/*.test.ts', '{apps/simulator,torture}/**/*.test.ts'],
          // Some start processes, and the machine may be busy with the other tests.
          testTimeout: 20_000,
          retry,
        },
      },
      {
        test: {
          name: 'api',
          environment: 'node',
          include: ['apps/api/**/*.test.ts'],
          globalSetup: [services, ...ifPresent('./apps/api/test/global-setup.ts')],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          retry,
        },
      },
      {
        test: {
          name: 'cabinet',
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
          retry,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
