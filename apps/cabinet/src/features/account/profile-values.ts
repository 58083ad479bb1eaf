import { UserUpdate, type User } from '@heliograph/contract';
import { isReferralCode } from '@heliograph/domain';
import type * as z from 'zod';
import { CALLING_CODES, DEFAULT_COUNTRY } from '../../core/countries.ts';

export interface ProfileValues {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  country: string;
  referralCode: string;
  /** Proof for a change of e-mail or phone. */
  password: string;
}

export const profileValues = ({ data, referralCode }: User): ProfileValues => ({
  firstName: data.firstName ?? '',
  lastName: data.lastName ?? '',
  email: data.email ?? '',
  phone: data.phone ?? '',
  country: CALLING_CODES[data.country ?? ''] ? data.country! : DEFAULT_COUNTRY,
  referralCode: referralCode ?? '',
  password: '',
});

const DATA = ['firstName', 'lastName', 'email', 'phone', 'country'] as const;

/** Only what was changed: setting the current phone again would cancel its replacement. */
export function profileBody(values: ProfileValues, me: User): z.input<typeof UserUpdate> {
  const before = profileValues(me);
  const changed = DATA.filter((name) => values[name].trim() !== before[name]);
  const data = Object.fromEntries(changed.map((name) => [name, values[name].trim() || null]));
  const code = values.referralCode.trim();
  return {
    ...(changed.length && { data }),
    ...(code !== before.referralCode && { referralCode: code || null }),
    ...(changesIdentity(values, me) && { password: values.password }),
  };
}

/** A new e-mail or phone is proved by the password and confirmed afterwards. */
export function changesIdentity({ email, phone }: ProfileValues, me: User): boolean {
  const before = profileValues(me);
  return email.trim() !== before.email || phone.trim() !== before.phone;
}

/** The first field that cannot be saved as it is. */
export function invalidField(values: ProfileValues, me: User): keyof ProfileValues | null {
  const before = profileValues(me);
  for (const name of ['email', 'phone'] as const)
    if (before[name] && !values[name].trim()) return name;
  const code = values.referralCode.trim();
  if (code && code !== before.referralCode && !isReferralCode(code)) return 'referralCode';
  const { issues = [] } = UserUpdate.safeParse(profileBody(values, me)).error ?? {};
  const names = issues.map(({ path }) => path.at(-1) as keyof ProfileValues);
  // The password is asked for below what it proves.
  return names.find((name) => name !== 'password') ?? names[0] ?? null;
}
