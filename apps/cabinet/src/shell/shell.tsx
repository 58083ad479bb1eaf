import '../core/theme/shell-styles.ts';
import { useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { QueryClientProvider } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useNavigate } from 'react-router';
import { frontend, shownBrand } from '../core/frontend.ts';
import { useKeyListener, useKeys } from '../core/keys/keys.ts';
import { withTexts } from '../core/i18n/i18n.ts';
import { toggleBlur } from '../core/privacy.ts';
import { queryClient } from '../core/query.ts';
import { scrollKey } from '../core/scroll-key.ts';
import { useRealtime } from '../core/realtime/use-realtime.ts';
import { ActingFrame } from './acting-frame.tsx';
import { useCan, useMayOpen, useSettings } from '../core/settings.ts';
import { useTimeZone } from '../core/time-zone.ts';
import { useParam } from '../core/use-param.ts';
import { later } from '../ui/later.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { goKeys, placesOf } from './keymap.ts';
import { Navbar } from './navbar.tsx';
import { PaletteEntry } from './palette-entry.tsx';
import classes from './shell.module.css';
import { TestAccount } from './test-account.tsx';
import { useNavigation } from './use-navigation.ts';
import { usePageChange } from './use-page-change.ts';

// Not needed to show a page.
const Notices = later(async () => (await import('./notices.tsx')).Notices);
const NoticeRegion = later(async () => (await import('./notice-region.tsx')).NoticeRegion);
// Rarely opened, so each is loaded when it is opened.
const MenuDialog = later(async () => (await import('./menu-dialog.tsx')).MenuDialog);
const KeysDialog = later(async () => (await import('./keys-dialog.tsx')).KeysDialog);
const TopUp = later(
  async () =>
    (await withTexts(['payments'], () => import('../features/payments/top-up-dialog.tsx')))
      .TopUpDialog,
);
const IdentityDialogs = later(
  async () =>
    (await withTexts(['identity'], () => import('../features/identity/identity-dialogs.tsx')))
      .IdentityDialogs,
);

export function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

/** Mounted when it is first opened, and kept mounted so that its closing transition runs. */
function useDialog() {
  const [opened, { open, close }] = useDisclosure(false);
  const [wanted, want] = useDisclosure(false);
  return {
    opened,
    wanted,
    open: () => {
      want.open();
      open();
    },
    close,
  };
}

/** Once it was. */
function useWanted(isWanted: boolean): { wanted: boolean } {
  const [wanted, want] = useState(isWanted);
  if (isWanted && !wanted) want(true);
  return { wanted };
}

/** Behind the sign-in the brand is that of the account, whatever the host. Before the first paint, so that no other is seen. */
function useOwnBrand(): void {
  const { frontend: own } = useSettings();
  useLayoutEffect(() => {
    shownBrand.show(own);
    return () => shownBrand.show(frontend);
  }, [own]);
}

/** The periods of lists and summaries depend on the time zone. */
function useZoneChange(): void {
  const zone = useTimeZone();
  const shown = useRef(zone);
  useEffect(() => {
    if (shown.current === zone) return;
    shown.current = zone;
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
  }, [zone]);
}

function Frame() {
  const { t } = useTranslation();
  const menu = useDialog();
  const keys = useDialog();
  const [isPaletteOpened, palette] = useDisclosure(false);
  const identity = useWanted(useParam('identity')[0] !== null);
  const can = useCan();
  const topUp = useWanted(useParam('topUp')[0] !== null);
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const small = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });
  useRealtime();
  usePageChange(menu.close);
  useKeyListener();
  useOwnBrand();
  useZoneChange();
  const places = placesOf(useNavigation(), useMayOpen());
  useKeys({
    ...goKeys(places, (to) => void navigate(to)),
    'mod+k': palette.open,
    '?': keys.open,
    'shift+b': toggleBlur,
    'shift+d': toggleColorScheme,
  });
  return (
    <>
      <a href="#main" className={classes.skip}>
        {t('shell:skip')}
      </a>
      {/* The region exists before the first message, or screen readers miss it. */}
      <section aria-label={t('shell:notices')}>
        <NoticeRegion small={small} />
        <Notices />
      </section>
      <Header small={small} onPalette={palette.open} />
      {small ? <BottomBar opened={menu.opened} onMenu={menu.open} /> : <Navbar />}
      <div className={classes.content}>
        <main id="main" className={classes.main} tabIndex={-1}>
          <ActingFrame />
          <TestAccount />
          <Outlet />
        </main>
        <Footer onKeys={keys.open} />
      </div>
      {menu.wanted && <MenuDialog opened={menu.opened} onClose={menu.close} />}
      {keys.wanted && <KeysDialog places={places} opened={keys.opened} onClose={keys.close} />}
      {identity.wanted && <IdentityDialogs />}
      {topUp.wanted && can('payments.create') && <TopUp />}
      <PaletteEntry opened={isPaletteOpened} onClose={palette.close} onKeys={keys.open} />
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}
