import type { User as Wire, UserUpdate } from '@heliograph/contract';
import { normalizeEmail } from '@heliograph/domain';
import type * as z from 'zod';
import { invalid } from '../../core/errors.ts';

type Changes = Pick<z.output<typeof UserUpdate>, 'username' | 'data'>;
interface Before {
  username: string;
  emailConfirmedAt: Date | null;
  phoneConfirmedAt: Date | null;
  pendingPhone: string | null;
  data: Wire['data'];
}

/** What a change makes of how a person signs in, is written to and gets its account back. */
export interface IdentityChange {
  /** It touches any of that: it asks for the password, and is not for a borrowed session. */
  isAny: boolean;
  /** The new e-mail. */
  email: string | null;
  /** The new login, where it is an address of which nobody knows yet whose it is. */
  waitingUsername: string | null;
  /** What has to be confirmed first. */
  address: string | null;
  /** The phone in `data`. A confirmed one stays until another is confirmed in its place. */
  phone: string | undefined;
  /** What waits to take the place of a confirmed phone. */
  pendingPhone: string | null;
}

export function identityChange(before: Before, { username, data }: Changes): IdentityChange {
  const formerEmail = normalizeEmail(before.data.email ?? '');
  if (data?.email === null && formerEmail)
    throw invalid('data.email', 'required', 'An e-mail is replaced by another one, not removed.');
  const email = data?.email && data.email !== formerEmail ? data.email : null;
  const isRenamed = username !== undefined && username !== before.username;
  const waitingUsername = isRenamed && isUnproved(before, username) ? username : null;
  const named = waitingUsername && normalizeEmail(waitingUsername);
  if (email && named && email !== named)
    throw invalid('username', 'conflict', 'One address is changed at a time.');
  const phones = phoneChange(before, data?.phone);
  const isPhone = phones.phone !== (before.data.phone ?? undefined) || !!phones.pendingPhone;
  return {
    isAny: isRenamed || email !== null || (data?.phone !== undefined && isPhone),
    email,
    waitingUsername,
    address: email ?? named,
    ...phones,
  };
}

/** The same phone again gives up the one that waits. */
function phoneChange(
  { data, phoneConfirmedAt, pendingPhone }: Before,
  wanted: string | null | undefined,
): Pick<IdentityChange, 'phone' | 'pendingPhone'> {
  const phone = data.phone ?? undefined;
  if (wanted === undefined) return { phone, pendingPhone };
  if (!phoneConfirmedAt) return { phone: wanted ?? undefined, pendingPhone: null };
  if (wanted === null && phone)
    throw invalid(
      'data.phone',
      'required',
      'A confirmed phone is replaced by another one, not removed.',
    );
  return { phone, pendingPhone: wanted === phone ? null : wanted };
}

/** A login that is an address, unless it is the confirmed e-mail or the same login in other letters. */
function isUnproved({ username, data, emailConfirmedAt }: Before, wanted: string): boolean {
  const address = normalizeEmail(wanted);
  if (!address || wanted.toLowerCase() === username.toLowerCase()) return false;
  return emailConfirmedAt === null || data.email !== address;
}
