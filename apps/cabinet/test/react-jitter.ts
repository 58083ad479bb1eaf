// For `npm test -- --jitter`: React draws, and runs the effects of what it has drawn, late at random, as on a busy machine: a test that
// looks for what comes later than what it waited for fails. React's scheduler keeps the `setImmediate` that it finds when it is loaded.
if (process.env.TESTS_JITTER) {
  const { setImmediate, setTimeout: wait } = globalThis;
  const late = (work: () => void) => wait(work, Math.random() * 100);
  globalThis.setImmediate = late as never;
  await import('react-dom/client');
  globalThis.setImmediate = setImmediate;
}

export {};
