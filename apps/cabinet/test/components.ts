import './react-jitter.ts';
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { queryClient } from '../src/core/query.ts';
import { asyncWrapper } from './react-done.ts';
import { server } from './server.ts';

// Not in the simulated document, and asked by Mantine.
window.matchMedia ??= ((query: string) => ({
  matches: false,
  media: query,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
})) as never;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
Element.prototype.scrollIntoView ??= () => {};

// A page drawn for the first time loads its modules, while the machine is busy with the other tests.
configure({ asyncUtilTimeout: 30_000, asyncWrapper });

// Before a module keeps the `fetch` it finds.
server.listen({ onUnhandledFrame: 'error' });
afterEach(() => {
  cleanup();
  // Files share the store of notices, of which a few are shown at once.
  notifications.clean();
  server.resetHandlers();
  // The answer to a call that the test did not wait for changes nothing of the next one.
  for (const call of queryClient.getMutationCache().getAll())
    call.setOptions({ meta: { showsErrors: true } });
  queryClient.clear();
  vi.restoreAllMocks();
});
afterAll(() => {
  server.close();
  // Files share their document.
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
