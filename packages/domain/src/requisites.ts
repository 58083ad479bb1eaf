import { bankErrors, type BankNumbers, type BankRule } from './bank-accounts.ts';
import { isValidInn } from './tax-ids.ts';

/** Forms of organization offered in forms; the first is the default. Other forms can be entered as well. */
export const ORGANIZATION_FORMS = [
  'ООО',
  'АО',
  'ПАО',
  'ИП',
  'НАО',
  'АНО',
  'НКО',
  'Фонд',
  'ТСЖ',
  'ГУП',
  'МУП',
  'ФГУП',
] as const;

/** Whom the numbers belong to: it decides their lengths and the balance account of the settlement account. */
export type OrganizationKind = 'entrepreneur' | 'commercial' | 'nonprofit' | 'state' | 'other';

const KINDS: Record<string, OrganizationKind> = {
  ип: 'entrepreneur',
  'индивидуальный предприниматель': 'entrepreneur',
  'глава кфх': 'entrepreneur',
  ооо: 'commercial',
  'общество с ограниченной ответственностью': 'commercial',
  ао: 'commercial',
  'акционерное общество': 'commercial',
  пао: 'commercial',
  'публичное акционерное общество': 'commercial',
  нао: 'commercial',
  оао: 'commercial',
  зао: 'commercial',
  ано: 'nonprofit',
  нко: 'nonprofit',
  фонд: 'nonprofit',
  тсж: 'nonprofit',
  тсн: 'nonprofit',
  гуп: 'state',
  муп: 'state',
  фгуп: 'state',
};

/** The kind of a form of organization; of a form that is not known, by the length of the INN. */
export function organizationKind(opf: string, inn: string): OrganizationKind {
  const name = opf.trim().toLowerCase();
  if (Object.hasOwn(KINDS, name)) return KINDS[name]!;
  return inn.length === 12 ? 'entrepreneur' : 'other';
}

export interface LegalNumbers {
  opf: string;
  inn: string;
  ogrn: string;
  kpp?: string | null;
  okpo?: string | null;
}

export type RequisiteRule =
  | BankRule
  | 'inn_length'
  | 'inn_check'
  | 'inn_kind'
  | 'ogrn_length'
  | 'ogrn_check'
  | 'ogrn_kind'
  | 'kpp_format'
  | 'kpp_kind'
  | 'okpo_length'
  | 'okpo_check'
  | 'okpo_kind';

export interface RequisiteError {
  field: `legal.${'inn' | 'ogrn' | 'kpp' | 'okpo'}` | `bank.${keyof BankNumbers}`;
  rule: RequisiteRule;
}

/**
 * The rules that the numbers of a Russian organization and of its bank violate, at most one for each field. Empty fields are not
 * checked: whether they are required is a matter of the schema.
 */
export function requisiteErrors(legal: LegalNumbers, bank: BankNumbers): RequisiteError[] {
  const kind = organizationKind(legal.opf, legal.inn);
  const isPerson = kind === 'entrepreneur';
  const errors: RequisiteError[] = [];
  const check = (field: 'inn' | 'ogrn' | 'kpp' | 'okpo', rule: RequisiteRule | null) => {
    if (legal[field] && rule) errors.push({ field: `legal.${field}`, rule });
  };
  check('inn', innRule(legal.inn, isPerson));
  check('ogrn', ogrnRule(legal.ogrn, isPerson));
  check('kpp', kppRule(legal.kpp ?? '', isPerson));
  check('okpo', okpoRule(legal.okpo ?? '', isPerson));
  for (const { field, rule } of bankErrors(bank, kind))
    errors.push({ field: `bank.${field}`, rule });
  return errors;
}

function innRule(inn: string, isPerson: boolean): RequisiteRule | null {
  if (!/^(?:\d{10}|\d{12})$/.test(inn)) return 'inn_length';
  if (!isValidInn(inn)) return 'inn_check';
  return isPerson === (inn.length === 12) ? null : 'inn_kind';
}

/** OGRN of a company: 13 digits; OGRNIP of an entrepreneur: 15. The last one is the rest of the others by 11 or 13. */
function ogrnRule(ogrn: string, isPerson: boolean): RequisiteRule | null {
  if (!/^(?:\d{13}|\d{15})$/.test(ogrn)) return 'ogrn_length';
  if (!isValidOgrn(ogrn)) return 'ogrn_check';
  return isPerson === (ogrn.length === 15) ? null : 'ogrn_kind';
}

/** Whether a text is an OGRN (13 digits) or OGRNIP (15) with a valid check digit. `isValidOgrn('1027700132195')` is true. */
export function isValidOgrn(text: string): boolean {
  if (!/^(?!0)(?:\d{13}|\d{15})$/.test(text)) return false;
  const number = Number(text.slice(0, -1));
  return (number % (text.length - 2)) % 10 === Number(text.at(-1));
}

/** Code of the tax office, reason (two digits or capital letters) and number. It has no check digit; persons have none. */
function kppRule(kpp: string, isPerson: boolean): RequisiteRule | null {
  if (!/^(?!00)\d{4}[\dA-Z]{2}\d{3}$/.test(kpp)) return 'kpp_format';
  return isPerson ? 'kpp_kind' : null;
}

function okpoRule(okpo: string, isPerson: boolean): RequisiteRule | null {
  if (!/^(?:\d{8}|\d{10})$/.test(okpo)) return 'okpo_length';
  if (!isValidOkpo(okpo)) return 'okpo_check';
  return isPerson === (okpo.length === 10) ? null : 'okpo_kind';
}

/** Whether a text is an OKPO code of a company (8 digits) or an entrepreneur (10) with a valid check digit. */
export function isValidOkpo(text: string): boolean {
  if (!/^(?:\d{8}|\d{10})$/.test(text)) return false;
  const digits = [...text].map(Number);
  const last = digits.pop()!;
  const rest = (weight: (i: number) => number) =>
    digits.reduce((sum, digit, i) => sum + digit * weight(i), 0) % 11;
  const first = rest((i) => i + 1);
  if (first !== 10) return first === last;
  // Published descriptions differ in the ninth weight of the second pass: 11, or again 1.
  return [rest((i) => i + 3), rest((i) => ((i + 2) % 10) + 1)].some(
    (second) => second % 10 === last,
  );
}
