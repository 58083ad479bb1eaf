import { testServices } from './lib/test-services.mjs';

/** Vitest's global setup: the servers that `npm test` has started, or its own when vitest is run by itself. */
export default async function setup(): Promise<() => Promise<void>> {
  const { env, stop } = await testServices();
  Object.assign(process.env, env);
  return stop;
}
