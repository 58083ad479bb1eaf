import type { Member } from '@heliograph/contract';

/** How a member is called: by name, if it is known. */
export const nameOf = ({ firstName, lastName, username }: Member): string =>
  [firstName, lastName].filter(Boolean).join(' ') || username;
