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

/** The effect of an update on username, e-mail and phone. */
export interface IdentityChange {
  /** Whether any of them changes. It then requires the password and no impersonated session. */
  isAny: boolean;
  /** The new e-mail. */
  email: string | null;
  /** The new username, if it is an address that must be confirmed first. */
  waitingUsername: string | null;
  /** The address that must be confirmed. */
  address: string | null;
  /** The phone in `data`. A confirmed phone stays until its replacement is confirmed. */
  phone: string | undefined;
  /** The unconfirmed replacement of a confirmed phone. */
  pendingPhone: string | null;
}

export function identityChange(before: Before, { username, data }: Changes): IdentityChange {
  const formerEmail = normalizeEmail(before.data.email ?? '');
  if (data?.email === null && formerEmail)
    throw invalid('data.email', 'required', 'The e-mail cannot be removed, only replaced.');
  const email = data?.email && data.email !== formerEmail ? data.email : null;
  const isRenamed = username !== undefined && username !== before.username;
  const waitingUsername = isRenamed && isUnconfirmed(before, username) ? username : null;
  const loginAddress = waitingUsername && normalizeEmail(waitingUsername);
  if (email && loginAddress && email !== loginAddress)
    throw invalid('username', 'conflict', 'Only one address can be changed at a time.');
  const phones = phoneChange(before, data?.phone);
  const isPhone = phones.phone !== (before.data.phone ?? undefined) || !!phones.pendingPhone;
  return {
    isAny: isRenamed || email !== null || (data?.phone !== undefined && isPhone),
    email,
    waitingUsername,
    address: email ?? loginAddress,
    ...phones,
  };
}

/** Setting the current phone again cancels a pending one. */
function phoneChange(
  { data, phoneConfirmedAt, pendingPhone }: Before,
  wanted: string | null | undefined,
): Pick<IdentityChange, 'phone' | 'pendingPhone'> {
  const phone = data.phone ?? undefined;
  if (wanted === undefined) return { phone, pendingPhone };
  if (!phoneConfirmedAt) return { phone: wanted ?? undefined, pendingPhone: null };
  if (wanted === null && phone)
    throw invalid('data.phone', 'required', 'A confirmed phone cannot be removed, only replaced.');
  return { phone, pendingPhone: wanted === phone ? null : wanted };
}

/** A username that is an unconfirmed address. A change of case needs no confirmation. */
function isUnconfirmed({ username, data, emailConfirmedAt }: Before, wanted: string): boolean {
  const address = normalizeEmail(wanted);
  if (!address || wanted.toLowerCase() === username.toLowerCase()) return false;
  return emailConfirmedAt === null || data.email !== address;
}
