import './core/theme/base-styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { startI18n } from './core/i18n/i18n.ts';
import { fetched } from './core/lost-chunk.ts';
import { ThemeProvider } from './core/theme/theme-provider.tsx';
import { createRouter } from './router.tsx';

// Not needed to show a page.
void fetched(() => import('./core/keys/keep-focus.ts')).then(({ keepFocus }) => keepFocus());
// The first catalogues and the first page's code are loaded in parallel.
const texts = startI18n();
const router = createRouter();
await texts;

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ThemeProvider>
      <RouterProvider router={router} />
    </ThemeProvider>
  </StrictMode>,
);
