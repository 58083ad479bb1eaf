import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const file = new URL('process-errors.ts', import.meta.url).href;

/** What a process counts in which `then` runs, and with which code it ends; it is alive after a time, unless it ends before. */
function processThat(
  then: string,
  { closing = 'undefined', aliveMs = 100 } = {},
): { counted: string[]; code: number | null } {
  const script = `
    const { handleProcessErrors } = await import(${JSON.stringify(file)});
    const metrics = { uncaught: (kind) => console.log(kind) };
    const close = async () => {
      console.log('closed');
      await ${closing};
    };
    handleProcessErrors({ log: { error: () => {} }, close, limitSeconds: 0.5 }, metrics);
    setTimeout(() => console.log('alive'), ${aliveMs});
    ${then}`;
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', script],
    { encoding: 'utf8', timeout: 15_000 },
  );
  return { counted: stdout.trim().split('\n'), code: status };
}

test.each([
  ['a rejected promise', `void Promise.reject(new Error('x'))`, 'unhandledRejection'],
  ['a promise that was rejected with nothing', `void Promise.reject()`, 'unhandledRejection'],
  [
    'a lost connection without an error listener',
    `setTimeout(() => { throw Object.assign(new Error('x'), { code: 'ECONNRESET', syscall: 'read' }) })`,
    'uncaughtException',
  ],
])('%s is counted, and the process goes on', (_, then, kind) => {
  expect(processThat(then)).toEqual({ counted: [kind, 'alive'], code: 0 });
});

test.each([
  ['an error', `new Error('x')`],
  ['nothing at all', 'undefined'],
  ['a refused connection of ours', `Object.assign(new Error('x'), { code: 'ECONNREFUSED' })`],
])('%s that is thrown is counted; the process closes and ends with 1', (_, thrown) => {
  const then = `setTimeout(() => { throw ${thrown} })`;
  // Longer than it is waited for.
  const { counted, code } = processThat(then, { aliveMs: 60_000 });
  expect({ counted, code }).toEqual({ counted: ['uncaughtException', 'closed'], code: 1 });
});

test('work that does not end is aborted after the grace period', () => {
  const closing = 'new Promise((resolve) => setTimeout(resolve, 60_000))';
  const then = `setTimeout(() => { throw new Error('x') })`;
  const { counted, code } = processThat(then, { closing });
  expect({ counted, code }).toEqual({ counted: ['uncaughtException', 'closed', 'alive'], code: 1 });
});
