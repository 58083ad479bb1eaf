import { notifications } from '@mantine/notifications';
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { loadTexts } from '../core/i18n/i18n.ts';
import { queryClient } from '../core/query.ts';
import { useServiceWorker } from './use-service-worker.ts';
import { useUpdatePrompt } from './notices.tsx';

const MINUTE = 60_000;
const worker = { update: vi.fn<() => Promise<void>>(async () => {}) };
const container = Object.assign(new EventTarget(), {
  register: vi.fn<() => Promise<typeof worker>>(async () => worker),
  startMessages: vi.fn<() => void>(),
});
const polled = vi.fn<(...request: unknown[]) => void>();
let version: string;

beforeEach(async () => {
  // Its start waits for a real timer.
  await loadTexts(['shell']);
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'],
  });
  version = '1.0.0';
  vi.stubGlobal('fetch', async (...request: unknown[]) => {
    polled(...request);
    return Response.json({ version });
  });
  vi.stubEnv('PROD', true);
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  vi.spyOn(notifications, 'show');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.clearAllMocks();
  queryClient.clear();
});

function Page() {
  useUpdatePrompt();
  useServiceWorker();
  return null;
}
const open = () => draw(<Page />, { namespaces: ['shell'], settings: { version: '1.0.0' } });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('asks for the version every 60 seconds and offers a newer one for 300 seconds', async () => {
  await open();
  await pass(0);
  const before = polled.mock.calls.length;
  version = '1.1.0';
  await pass(MINUTE - 1);
  expect(polled).toHaveBeenCalledTimes(before);
  expect(notifications.show).not.toHaveBeenCalled();
  await pass(1);
  expect(polled).toHaveBeenCalledTimes(before + 1);
  expect(polled).toHaveBeenLastCalledWith(
    '/version.json',
    expect.objectContaining({ cache: 'no-cache' }),
  );
  await pass(1);
  expect(notifications.show).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ title: 'Version 1.1.0 is available', autoClose: 300_000 }),
  );
});

test('checks the service worker every hour, also when a check fails', async () => {
  await open();
  await pass(0);
  expect(container.register).toHaveBeenCalledExactlyOnceWith('/service-worker.js', {
    updateViaCache: 'none',
  });
  await pass(60 * MINUTE - 1);
  expect(worker.update).not.toHaveBeenCalled();
  worker.update.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await pass(1);
  expect(worker.update).toHaveBeenCalledTimes(1);
  await pass(60 * MINUTE);
  expect(worker.update).toHaveBeenCalledTimes(2);
});

test('offers the version that a newer service worker tells, and ignores other messages', async () => {
  await open();
  await pass(0);
  for (const data of [null, 'text', { version: 7 }, { version: '1.0.0' }])
    container.dispatchEvent(new MessageEvent('message', { data }));
  await pass(1);
  expect(notifications.show).not.toHaveBeenCalled();
  container.dispatchEvent(
    new MessageEvent('message', { data: { type: 'version', version: '1.2.0' } }),
  );
  await pass(1);
  expect(notifications.show).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ title: 'Version 1.2.0 is available' }),
  );
});

test('works without service workers', async () => {
  Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true });
  await open();
  container.register.mockRejectedValueOnce(new Error('The operation is insecure.'));
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  await open();
  await pass(60 * MINUTE);
  expect(worker.update).not.toHaveBeenCalled();
});
