import {
  MAX_NAME_LENGTH,
  normalizeEmail,
  PASSWORD_LIMITS,
  PERSON_NAME,
  type PasswordLimits,
} from '@heliograph/domain';
import { DEFAULT_COUNTRY } from '../../core/countries.ts';
import { passwordProblem, USERNAME, type PasswordProblem } from './credentials.ts';

export interface RegistrationForm {
  username: string;
  password: string;
  confirm: string;
  firstName: string;
  lastName: string;
  email: string;
  country: string;
  phone: string;
}
export type RegistrationField = Exclude<keyof RegistrationForm, 'country'>;
export type Problem = PasswordProblem | 'unique';
/** In the server's words where the cabinet has none. */
export type Problems = Partial<Record<RegistrationField, Problem | { said: string }>>;

/** In the order of the page. */
export const FIELDS: RegistrationField[] = [
  'username',
  'password',
  'confirm',
  'firstName',
  'lastName',
  'email',
  'phone',
];

export const EMPTY: RegistrationForm = {
  username: '',
  password: '',
  confirm: '',
  firstName: '',
  lastName: '',
  email: '',
  country: DEFAULT_COUNTRY,
  phone: '',
};

/** Usernames are short, e-mails may be long. What is typed may yet become one: it is judged, not cut. */
const isTooLong = (username: string): boolean => username.length > 16 && !username.includes('@');

/**
 * The form after a change. A login that is an e-mail is copied to the e-mail, which follows it until another one is
 * typed there. `copied` is the e-mail that came so.
 */
export function withEmail(
  before: RegistrationForm,
  changes: Partial<RegistrationForm>,
  copied: string,
): { form: RegistrationForm; copied: string } {
  const form = { ...before, ...changes };
  const username = form.username.trim();
  const follows = changes.username !== undefined && (!before.email || before.email === copied);
  if (!follows || !normalizeEmail(username)) return { form, copied };
  return { form: { ...form, email: username }, copied: username };
}

type Check = (text: string, form: RegistrationForm, limits: PasswordLimits) => Problem | null;
const name: Check = (text) =>
  text.length <= MAX_NAME_LENGTH && PERSON_NAME.test(text.normalize()) ? null : 'invalid';

const CHECKS: Record<RegistrationField, Check> = {
  username: (text) => (USERNAME.test(text) && !isTooLong(text) ? null : 'invalid'),
  password: (_, form, limits) => passwordProblem('password', form, limits),
  confirm: (_, form) => passwordProblem('confirm', form),
  firstName: name,
  lastName: name,
  email: (text) => (normalizeEmail(text) ? null : 'invalid'),
  phone: (text) => (text.replace(/\D/g, '').length >= 5 && text.length <= 40 ? null : 'invalid'),
};

/** What is wrong with a field; whether a phone is one the number plans say, when they are there. */
export function problemOf(
  field: RegistrationField,
  form: RegistrationForm,
  limits: PasswordLimits = PASSWORD_LIMITS,
): Problem | null {
  const text = field === 'password' || field === 'confirm' ? form[field] : form[field].trim();
  if (!text) return field === 'lastName' ? null : 'required';
  return CHECKS[field](text, form, limits);
}

export function problemsOf(form: RegistrationForm, limits = PASSWORD_LIMITS): Problems {
  const found = FIELDS.map((field) => [field, problemOf(field, form, limits)] as const);
  return Object.fromEntries(found.filter(([, problem]) => problem !== null)) as Problems;
}

/** The fields of the server's refusal, by its names. */
export function fieldOf(path: string): RegistrationField | null {
  const name = path.replace(/^data\./, '') as RegistrationField;
  return FIELDS.includes(name) ? name : null;
}
