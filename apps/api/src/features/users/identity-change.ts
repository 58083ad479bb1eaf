import type { User as Wire, UserUpdate } from '@heliograph/contract';
import { normalizeEmail } from '@heliograph/domain';
import type * as z from 'zod';
import { invalid } from '../../core/errors.ts';

type Changes = Pick<z.output<typeof UserUpdate>, 'username' | 'data'>;
interface Before {
  username: string;
  emailConfirmedAt: Date | null;
  data: Wire['data'];
}

/** What a change makes of how a person signs in, is written to and gets its account back. */
export interface IdentityChange {
  /** It touches any of that, the phone included. */
  isAny: boolean;
  needsPassword: boolean;
  /** The new e-mail. */
  email: string | null;
  /** The new login, where it is an address of which nobody knows yet whose it is. */
  waitingUsername: string | null;
  /** What has to be confirmed first. */
  address: string | null;
}

export function identityChange(before: Before, { username, data }: Changes): IdentityChange {
  const { phone: formerPhone } = before.data;
  const formerEmail = normalizeEmail(before.data.email ?? '');
  if (data?.email === null && formerEmail)
    throw invalid('data.email', 'required', 'an e-mail is replaced by another one, not removed');
  const email = data?.email && data.email !== formerEmail ? data.email : null;
  const isRenamed = username !== undefined && username !== before.username;
  const waitingUsername = isRenamed && isUnproved(before, username) ? username : null;
  const named = waitingUsername && normalizeEmail(waitingUsername);
  if (email && named && email !== named)
    throw invalid('username', 'conflict', 'one address is changed at a time');
  const isPhone = data?.phone !== undefined && (data.phone ?? undefined) !== formerPhone;
  const needsPassword = isRenamed || email !== null;
  return {
    isAny: needsPassword || isPhone,
    needsPassword,
    email,
    waitingUsername,
    address: email ?? named,
  };
}

/** A login that is an address, unless it is the confirmed e-mail or the same login in other letters. */
function isUnproved({ username, data, emailConfirmedAt }: Before, wanted: string): boolean {
  const address = normalizeEmail(wanted);
  if (!address || wanted.toLowerCase() === username.toLowerCase()) return false;
  return emailConfirmedAt === null || data.email !== address;
}
