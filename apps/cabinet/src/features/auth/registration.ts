import {
  isUsernameTooLong,
  MAX_NAME_LENGTH,
  normalizeEmail,
  PASSWORD_LIMITS,
  PERSON_NAME,
  type PasswordLimits,
} from '@heliograph/domain';
import { DEFAULT_COUNTRY } from '../../core/countries.ts';
import type { BrokenRules } from '../../core/forms/field-errors.ts';
import { USERNAME } from './credentials.ts';
import { passwordRules } from './new-password.ts';

const TEXTS = ['username', 'firstName', 'lastName', 'email', 'phone'] as const;

/** Paths of the body and the fields that they belong to. */
export const NAMES = {
  'data.firstName': 'firstName',
  'data.lastName': 'lastName',
  'data.email': 'email',
  'data.phone': 'phone',
};

export interface RegistrationValues {
  username: string;
  password: string;
  confirm: string;
  firstName: string;
  lastName: string;
  email: string;
  country: string;
  phone: string;
}
export const EMPTY: RegistrationValues = {
  username: '',
  password: '',
  confirm: '',
  firstName: '',
  lastName: '',
  email: '',
  country: DEFAULT_COUNTRY,
  phone: '',
};

/**
 * The form after a change. A username that is an e-mail address is copied to the e-mail field, until another address is
 * typed there. `copied` is the address that was copied last.
 */
export function withEmail(
  before: RegistrationValues,
  changes: Partial<RegistrationValues>,
  copied: string,
): { values: RegistrationValues; copied: string } {
  const values = { ...before, ...changes };
  const username = values.username.trim();
  const follows = changes.username !== undefined && (!before.email || before.email === copied);
  if (!follows || !normalizeEmail(username)) return { values, copied };
  return { values: { ...values, email: username }, copied: username };
}

const isName = (text: string): boolean =>
  text.length <= MAX_NAME_LENGTH && PERSON_NAME.test(text.normalize());

/** Whether the text of a field is valid. Of a phone number only the length is known before the numbering plans are loaded. */
const VALID: Record<(typeof TEXTS)[number], (text: string) => boolean> = {
  username: (text) => USERNAME.test(text) && !isUsernameTooLong(text),
  firstName: isName,
  lastName: isName,
  email: (text) => normalizeEmail(text) !== null,
  phone: (text) => text.replace(/\D/g, '').length >= 5 && text.length <= 40,
};

/** The rules that the form breaks, as the contract's schema would find them: that is too large for this page. */
export function registrationRules(
  values: RegistrationValues,
  limits: PasswordLimits = PASSWORD_LIMITS,
): BrokenRules {
  const broken: BrokenRules = {};
  for (const field of TEXTS) {
    const text = values[field].trim();
    if (text) broken[field] = !VALID[field](text) && 'invalid_format';
    else broken[field] = field !== 'lastName' && 'required';
  }
  return { ...broken, ...passwordRules(values, limits) };
}
