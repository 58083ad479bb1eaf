import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { DocumentationError, pageQuery } from './documentation.api.ts';

afterEach(() => vi.unstubAllGlobals());

test('a page is only what is in the documentation', async () => {
  const fetch = vi.fn<(path: string) => Promise<Response>>();
  vi.stubGlobal(
    'fetch',
    fetch.mockImplementation(() => Promise.resolve(new Response('# Page'))),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const read = (category: string, file: string) =>
    client.fetchQuery(pageQuery('en', category, file));
  expect((await read('platform', 'user/code-examples')).text).toBe('# Page');
  fetch.mockClear();
  for (const file of ['../../../api/storage/upload?ticket=x&y=', 'HTTP#x', ''])
    await expect(read('api', file)).rejects.toBeInstanceOf(DocumentationError);
  await expect(read('..', 'index')).rejects.toBeInstanceOf(DocumentationError);
  expect(fetch).not.toHaveBeenCalled();
});
