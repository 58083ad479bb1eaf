import type { Frontend } from '@heliograph/contract';
import { PASSWORD_LIMITS } from '@heliograph/domain';
import { useSyncExternalStore } from 'react';

/** On the development server, where no API has written the meta tag. */
const DEFAULTS: Frontend = {
  title: 'Heliograph',
  brand: 'main',
  colors: { primary: '#1c6dd0', accent: '#ffd43b' },
  logo: null,
  locale: null,
  home: null,
  documents: { privacy: null, offer: null },
  support: { email: null, phone: null, chat: null },
  recovery: true,
  passkeys: true,
  identityProviders: false,
  registration: true,
  setup: false,
  password: PASSWORD_LIMITS,
};

/** Name and branding of the host that the page is from, from the page itself: they are needed before there is a session. */
export const frontend: Frontend = read();

/** Of the account that is signed in, whose reseller may have another brand than the host. */
let shown = frontend;
const listeners = new Set<() => void>();

/** The brand that is drawn. */
export const shownBrand = {
  get: (): Frontend => shown,
  show(brand: Frontend): void {
    shown = brand;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Draws the component again when the brand changes. */
export const useShownBrand = (): Frontend =>
  useSyncExternalStore(shownBrand.subscribe, shownBrand.get);

/** Modules that read no page import this one, too, and run without a document. */
function read(): Frontend {
  const page = (globalThis as { document?: Document }).document;
  const content = page?.querySelector<HTMLMetaElement>('meta[name=frontend]')?.content;
  return content ? (JSON.parse(content) as Frontend) : DEFAULTS;
}
