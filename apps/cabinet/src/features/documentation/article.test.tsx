import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { Article } from './article.tsx';

vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe = () => undefined;
    disconnect = () => undefined;
  },
);

test('a page that cannot be read is said at the first failure, and shown when a repetition succeeds', async () => {
  let calls = 0;
  let succeed: () => void = () => undefined;
  const second = new Promise<void>((resolve) => (succeed = resolve));
  server.use(
    http.get('*/docs/:locale/api/page.md', async () => {
      calls += 1;
      if (calls === 1) return new HttpResponse('', { status: 502 });
      await second;
      return new HttpResponse('# Keys\n\nHow they work.');
    }),
  );
  await draw(<Article category="api" file="page" />, { namespaces: ['documentation'] });
  expect(await screen.findByRole('alert')).toBeTruthy();
  succeed();
  expect(await screen.findByText('How they work.', undefined, { timeout: 10_000 })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
