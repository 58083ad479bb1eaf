import { tabStorage } from './browser-storage.ts';

const KEY = 'provider-visit';

/** What this tab is about with an identity provider. */
interface ProviderVisit {
  /** A user links itself; else a visitor signs in. */
  isLinking: boolean;
  /** The page to go to afterwards. */
  to: string | null;
}

/** Leaves for the page of an identity provider, which returns to `/login/oidc/:id`. */
export function leaveForProvider(url: string, visit: ProviderVisit): void {
  tabStorage.set(KEY, JSON.stringify(visit));
  location.assign(url);
}

/** What this tab has left for. */
export function providerVisit(): ProviderVisit {
  const kept = tabStorage.get(KEY);
  return kept ? (JSON.parse(kept) as ProviderVisit) : { isLinking: false, to: null };
}
