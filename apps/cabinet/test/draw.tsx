import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { vi } from 'vitest';
import { loadTexts } from '../src/core/i18n/i18n.ts';
import { queryClient } from '../src/core/query.ts';
import { session } from '../src/core/session/session.ts';
import { settingsQuery } from '../src/core/settings.ts';
import { frontend } from '../src/core/frontend.ts';
import { themeOf } from '../src/core/theme/theme.ts';

/** Settings of a manager who may do everything; a test replaces what it is about. */
const SETTINGS = {
  permissions: [],
  session: { UserId: 'user', OwnerId: 'owner', level: 'manager' },
  sendings: { types: ['sms', 'viber', 'voice'], sendernamesCheck: [], country: 'RU' },
  billings: { currency: 'RUB' },
  tools: {},
  features: { integrations: true, blog: null },
};

interface DrawOptions {
  namespaces?: string[];
  settings?: object;
  /** Of a page that depends on its own path. */
  path?: string;
  /** Where it is drawn, if the path has parameters. */
  at?: string;
}

/** Draws a component at `/here`, inside what the cabinet draws it in; `/there` is another page. */
export async function draw(
  element: ReactNode,
  { namespaces = [], settings, path = '/here', at = path }: DrawOptions = {},
) {
  await loadTexts(namespaces);
  vi.spyOn(session, 'token').mockReturnValue('token');
  // Files share the session: one that another file has ended keeps no drafts.
  if (session.get().reason) session.start('token');
  queryClient.setQueryData(settingsQuery.queryKey, { ...SETTINGS, ...settings } as never);
  const router = createMemoryRouter(
    [
      { path, element },
      { path: '/there', element: <h1>There</h1> },
    ],
    { initialEntries: [at] },
  );
  render(
    <MantineProvider env="test" theme={themeOf(frontend.colors)}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { router, user: userEvent.setup() };
}
