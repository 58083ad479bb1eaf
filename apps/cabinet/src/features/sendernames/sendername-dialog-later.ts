import { later } from '../../ui/later.tsx';

/** For the list and for the drawer of a name, which open the same dialog. */
export const SendernameDialog = later(
  async () => (await import('./sendername-dialog.tsx')).SendernameDialog,
);
