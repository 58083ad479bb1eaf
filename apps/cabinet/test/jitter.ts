// For `npm test -- --jitter`: answers of the simulated API come late at random, so that one may overtake another.
if (process.env.TESTS_JITTER) {
  const { fetch, setTimeout: wait } = globalThis;
  globalThis.fetch = async (...args) => {
    const answer = await fetch(...args);
    if (Math.random() * 3 < 1) await new Promise((resolve) => wait(resolve, Math.random() * 400));
    return answer;
  };
}
