import { localPath } from '../../core/local-path.ts';
import { tabStorage } from '../../core/browser-storage.ts';

/** The page that a payer of this tab has come from: the page of the payment leads back to the payments. */
const KEY = 'heliograph.paidFrom';

export const rememberReturn = (path: string | undefined): void =>
  void tabStorage.set(KEY, path ?? null);

export const returnPath = (): string | null => {
  const path = tabStorage.get(KEY);
  return path && localPath(path);
};
