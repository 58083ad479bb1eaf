import { nprogress } from '@mantine/nprogress';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useMatches, useNavigation } from 'react-router';
import type { PageHandle } from '../core/page.ts';
import { useSettings } from '../core/settings.ts';

/** On navigation: a progress bar while the page loads, its name in the title, the focus on its heading, the menu closed. */
export function usePageChange(onChange: () => void): void {
  const { t } = useTranslation();
  const { frontend } = useSettings();
  const { pathname, state } = useLocation();
  // A changed query string is the same page, so the focus stays.
  const keepsFocus = !!(state as { keepsFocus?: boolean } | null)?.keepsFocus;
  const busy = useNavigation().state !== 'idle';
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined;
  const title = handle ? `${t(handle.title)} – ${frontend.title}` : frontend.title;

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(() => {
    if (!busy) return;
    nprogress.start();
    return () => nprogress.complete();
  }, [busy]);

  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (keepsFocus) return;
    onChange();
    // A page of the documentation that is opened at a heading has given it the focus.
    if (document.activeElement?.matches('[data-heading]')) return;
    document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true });
  }, [pathname, keepsFocus, onChange]);
}
