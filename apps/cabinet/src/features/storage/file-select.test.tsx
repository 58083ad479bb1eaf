import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import { FileSelect } from './file-select.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('files are searched for when typing has paused for 500 ms', async () => {
  const searched: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string | URL) => {
    const url = new URL(request instanceof Request ? request.url : request, location.href);
    const search = url.searchParams.get('$search');
    if (search) searched.push(search);
    return Response.json({ data: [], total: 0, limit: 12, offset: 0 });
  });
  await draw(<FileSelect preset="all" onPick={() => {}} />, {
    namespaces: ['storage'],
    settings: { storage: { maxSize: 1000 }, permissions: { 'storage.get': 'me' } },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fireEvent.change(screen.getByPlaceholderText(i18n.t('storage:search')), {
    target: { value: 'tea' },
  });
  await act(() => vi.advanceTimersByTimeAsync(499));
  expect(searched).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(1));
  vi.useRealTimers();
  await expect.poll(() => searched).toEqual(['tea']);
});
