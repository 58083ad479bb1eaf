import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';
import { countTests, failureLines, failuresOf, slowestFiles } from './test-report.mjs';

const suite = (file: string, results: object[] = [], more: object = {}) => ({
  name: join(root, file),
  status: results.some((result) => 'failureMessages' in result) ? 'failed' : 'passed',
  startTime: 1000,
  endTime: 2500,
  assertionResults: results,
  ...more,
});
const passed = { status: 'passed', fullName: 'a sum adds up' };
const failed = {
  status: 'failed',
  fullName: "it's (1+1) of $2",
  failureMessages: ['\u001B[31mAssertionError\u001B[39m: expected 1 to be 2\n    at sum.test.ts:3'],
};
const broken = suite('apps/api/src/core/log.test.ts', [], {
  status: 'failed',
  message: 'Cannot find module\nmore',
});
const report = {
  numPassedTests: 1,
  testResults: [suite('packages/domain/src/sum.test.ts', [passed, failed]), broken],
};

test('a failed test and a file that could not be run count once each', () => {
  expect(countTests(report, 1)).toEqual({ passed: 1, failed: 2 });
});

test('a run that ends with an error outside of its tests, or without a report, has failed', () => {
  expect(countTests({ numPassedTests: 1, testResults: [] }, 1)).toEqual({ passed: 1, failed: 1 });
  expect(countTests(undefined, 1)).toEqual({ passed: 0, failed: 1 });
  expect(countTests(undefined, 0)).toEqual({ passed: 0, failed: 0 });
});

test('each failure is told with the command that runs that test alone', () => {
  expect(failureLines(failuresOf(report))).toEqual([
    "FAILED  packages/domain/src/sum.test.ts: it's (1+1) of $2",
    '        AssertionError: expected 1 to be 2',
    String.raw`        npm test -- packages/domain/src/sum.test.ts -t 'it'\''s \(1\+1\) of \$2'`,
    'FAILED  apps/api/src/core/log.test.ts',
    '        Cannot find module',
    '        npm test -- apps/api/src/core/log.test.ts',
  ]);
});

test('a failure says what a browser was waiting for, and at which line of the test', () => {
  const file = 'apps/cabinet/e2e/main-job.test.ts';
  const message = [
    'locator.waitFor: Timeout 15000ms exceeded.',
    'Call log:',
    "\u001B[2m  - waiting for getByText('Sent') to be visible\u001B[22m",
    '    at Page.helper (/product/node_modules/playwright/lib/page.js:1:2)',
    `    at signIn (${join(root, 'apps/cabinet/e2e/test-browser.ts')}:7:3)`,
    `    at ${join(root, file)}:41:20`,
  ].join('\n');
  const [one] = failuresOf({
    testResults: [suite(file, [{ ...failed, failureMessages: [message] }])],
  });
  expect(one!.message.split('\n')).toEqual([
    'locator.waitFor: Timeout 15000ms exceeded.',
    "- waiting for getByText('Sent') to be visible",
    'at line 41',
  ]);
});

test('the command of a long test, an attack and a long journey has the option that includes them', () => {
  const commands = (file: string) => failureLines([{ file, message: '' }])[1]?.trim();
  expect(commands('apps/api/src/features/a.long.test.ts')).toContain('-- --all apps/');
  expect(commands('apps/api/test/attacks/money.test.ts')).toContain('-- --all apps/');
  expect(commands('apps/cabinet/e2e/full/fits.test.ts')).toContain('-- --journeys apps/');
  expect(commands('apps/cabinet/e2e/main-job.test.ts')).toContain('-- apps/');
});

test('the ten slowest files come first', () => {
  const testResults = Array.from({ length: 12 }, (_, index) =>
    suite(`packages/domain/src/${index}.test.ts`, [passed], { endTime: 1000 + index * 100 }),
  );
  const files = slowestFiles({ testResults });
  expect(files).toHaveLength(10);
  expect(files[0]).toEqual({ file: 'packages/domain/src/11.test.ts', seconds: 1.1 });
});
