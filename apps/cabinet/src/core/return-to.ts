import { tabStorage } from './browser-storage.ts';
import { leaveTo } from './leave-to.ts';
import { localPath } from './local-path.ts';

/** The page that a payer of this tab has come from: the page of the payment leads back to the payments. */
const KEY = 'heliograph.paidFrom';

/** Before the payer leaves for any payment, so that none leads back to where an earlier one began. */
export const rememberReturn = (path: string | undefined): void =>
  void tabStorage.set(KEY, path ?? null);

/** Leads to a page of a payment; pending until this one is left. */
export function leaveToPay(url: string, from?: string): Promise<void> {
  rememberReturn(from);
  return leaveTo(url);
}

export const returnPath = (): string | null => {
  const path = tabStorage.get(KEY);
  return path && localPath(path);
};
