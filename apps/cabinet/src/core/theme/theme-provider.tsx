import {
  MantineProvider,
  isMantineColorScheme,
  type MantineColorSchemeManager,
} from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { browserStorage, subscribe } from '../browser-storage.ts';
import { entryOf, setPersonal } from '../personal/mirror.ts';
import { useShownBrand } from '../frontend.ts';
import { cssVariablesResolver, themeOf } from './theme.ts';

/** A server with a strict policy puts its nonce on `<meta property="csp-nonce" nonce="...">`. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

export function ThemeProvider({ children }: { children: ReactNode }) {
  const { primary, accent } = useShownBrand().colors;
  const theme = useMemo(() => themeOf({ primary, accent }), [primary, accent]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  );
}

const { name } = entryOf('theme');
let leave = (): void => {};

/** The color scheme is a personal setting: it follows other tabs and devices. */
const colorSchemeManager: MantineColorSchemeManager = {
  get(otherwise) {
    const scheme = browserStorage.get(name);
    return isMantineColorScheme(scheme) ? scheme : otherwise;
  },
  set(scheme) {
    // Also called for a scheme that has just been read.
    if (scheme !== browserStorage.get(name))
      setPersonal('theme', scheme === 'auto' ? 'system' : scheme);
  },
  subscribe(onUpdate) {
    let shown = browserStorage.get(name);
    leave = subscribe(() => {
      const scheme = browserStorage.get(name);
      if (scheme === shown) return;
      shown = scheme;
      if (isMantineColorScheme(scheme)) onUpdate(scheme);
    });
  },
  unsubscribe: () => leave(),
  clear: () => setPersonal('theme', null),
};
