import { normalizeEmail, PERSON_NAME } from '@heliograph/domain';
import { DEFAULT_COUNTRY } from './countries.ts';
import { passwordProblem, USERNAME } from './credentials.ts';

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
export type Problem = 'required' | 'invalid' | 'mismatch' | 'unique';
export type Problems = Partial<Record<RegistrationField, Problem>>;

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

/** Usernames are short, e-mails may be long. */
export const usernameLength = (typed: string): number => (typed.includes('@') ? 150 : 16);

type Check = (text: string, form: RegistrationForm) => Problem | null;
const name: Check = (text) =>
  PERSON_NAME.test(text.normalize()) && text.length <= 60 ? null : 'invalid';

const CHECKS: Record<RegistrationField, Check> = {
  username: (text) => (text && USERNAME.test(text) ? null : text ? 'invalid' : 'required'),
  password: (_, form) => passwordProblem('password', form),
  confirm: (_, form) => passwordProblem('confirm', form),
  firstName: name,
  lastName: name,
  email: (text) => (normalizeEmail(text) && text.length <= 254 ? null : 'invalid'),
  phone: (text) => (text.replace(/\D/g, '').length >= 5 && text.length <= 40 ? null : 'invalid'),
};

/** What is wrong with a field; whether a phone is one the number plans say, when they are there. */
export function problemOf(field: RegistrationField, form: RegistrationForm): Problem | null {
  const text = field === 'password' || field === 'confirm' ? form[field] : form[field].trim();
  if (!text) return field === 'lastName' ? null : 'required';
  return CHECKS[field](text, form);
}

export function problemsOf(form: RegistrationForm): Problems {
  const found = FIELDS.map((field) => [field, problemOf(field, form)] as const);
  return Object.fromEntries(found.filter(([, problem]) => problem !== null)) as Problems;
}

/** The fields of the server's refusal, by its names. */
export function fieldOf(path: string): RegistrationField | null {
  const name = path.replace(/^data\./, '') as RegistrationField;
  return FIELDS.includes(name) ? name : null;
}
