import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { colorSchemeManager } from './color-scheme.ts';
import { cssVariablesResolver, theme } from './theme.ts';

/** A server with a strict policy puts its nonce on `<meta property="csp-nonce" nonce="...">`. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

export function ThemeProvider({ children }: { children: ReactNode }) {
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
