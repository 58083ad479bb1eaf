import { normalizePhone, requisiteErrors, type RequisiteRule } from '@heliograph/domain';
import * as z from 'zod';
import {
  arrayOf,
  Email,
  Id,
  many,
  OwnerRef,
  Phone,
  PersonName,
  printed,
  QueryBoolean,
  Time,
  cleaned,
} from './fields.ts';
import { crud, listQuery } from './list.ts';

export const MAX_ORGANIZATION_NAME = 300;
export const MAX_REQUISITE_ATTACHMENTS = 20;

/** Digits of a form, which may be grouped by spaces. */
const digits = cleaned(40, (value) => value.replace(/\s/g, ''));
const upper = cleaned(40, (value) => value.replace(/\s/g, '').toUpperCase());
/** Stored in E.164. */
const anyPhone = (value: string) => normalizePhone(value) ?? value;
const isPhone = (value: string) => normalizePhone(value) === value;
const invalidPhone = { message: 'Invalid phone number', params: { rule: 'phone' } };
/** The cabinet checks phones itself, with numbering plans that it loads late; its build removes these calls. */
const phone = Phone.overwrite(anyPhone).refine(isPhone, invalidPhone);
const name = PersonName.min(1);
const word = (max: number) => printed(max).min(1);
const cases = (max: number) => z.strictObject({ nominative: word(max), genitive: word(max) });

export const BusinessType = z.enum(['LEGAL', 'INDIVIDUAL']);
export const TaxSystem = z.enum(['OSN', 'USN', 'AUSN', 'ESHN', 'PSN']);

const contact = z.strictObject({
  lastName: name,
  firstName: name,
  middleName: PersonName.nullish(),
  phone,
  email: Email,
});
const signer = z.strictObject({
  fullName: cases(200),
  /** Family name and initials; derived from the full name when absent. */
  fullNameShort: cases(200).optional(),
  position: cases(200),
  basis: cases(300),
});
const legal = z.strictObject({
  opf: word(100),
  name: word(MAX_ORGANIZATION_NAME),
  inn: digits.min(1),
  ogrn: digits.min(1),
  kpp: upper.nullish(),
  okpo: digits.nullish(),
  /** Follows from the INN; accepted for clients that send the whole entity. */
  businessType: BusinessType.nullish(),
});
const bank = z.strictObject({
  name: word(300),
  bik: digits.min(1),
  rs: digits.min(1),
  ks: digits.min(1),
});
const address = z.strictObject({
  country: word(100),
  city: word(100),
  index: digits.check(z.regex(/^\d{6}$/, { error: 'The index must be 6 digits' })),
  address: word(300),
  phone: z.union([phone, z.literal('').transform(() => null)]).nullish(),
  /** Extension of the phone. */
  phoneAdd: digits.check(z.regex(/^\d{0,10}$/)).nullish(),
});

export const REQUISITE_MESSAGES: Record<RequisiteRule, string> = {
  inn_length: 'The INN must be 10 or 12 digits',
  inn_check: 'The check digits of the INN are wrong',
  inn_kind: 'An entrepreneur has an INN of 12 digits, a company of 10',
  ogrn_length: 'The OGRN must be 13 digits, or 15 for an entrepreneur',
  ogrn_check: 'The check digit of the OGRN is wrong',
  ogrn_kind: 'An entrepreneur has an OGRNIP of 15 digits, a company an OGRN of 13',
  kpp_format: 'The KPP must be 9 characters: digits, and letters only at the fifth and sixth place',
  kpp_kind: 'An entrepreneur has no KPP',
  okpo_length: 'The OKPO must be 8 digits, or 10 for an entrepreneur',
  okpo_check: 'The check digit of the OKPO is wrong',
  okpo_kind: 'An entrepreneur has an OKPO of 10 digits, a company of 8',
  bik_format: 'The BIK must be 9 digits that begin with 04',
  bik_settlement_center:
    'This BIK belongs to a settlement center of the Bank of Russia, not to a bank',
  account_length: 'The account must be 20 digits',
  account_bik: 'The account does not match the BIK',
  account_kind: 'An account of this kind does not belong to such an organization',
  ks_prefix: 'A correspondent account begins with 301',
};

/** The strings of a value that may be anything. */
function strings<K extends string>(value: unknown, ...names: K[]): Record<K, string> {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const entries = names.map((key) => {
    const one = Object.hasOwn(given, key) ? given[key] : '';
    return [key, typeof one === 'string' && one.length <= 100 ? one : ''];
  });
  return Object.fromEntries(entries) as Record<K, string>;
}

/** Runs although other fields have errors, so that all errors of a form are reported at once. */
function checkNumbers() {
  const check = new z.core.$ZodCheck({ check: 'custom', when: () => true });
  check._zod.check = ({ value, issues }) => {
    const { legal: given, bank: account } = (value ?? {}) as { legal?: unknown; bank?: unknown };
    const errors = requisiteErrors(
      strings(given, 'opf', 'inn', 'ogrn', 'kpp', 'okpo'),
      strings(account, 'bik', 'rs', 'ks'),
    );
    for (const { field, rule } of errors)
      issues.push({
        code: 'custom',
        input: undefined,
        path: field.split('.'),
        message: REQUISITE_MESSAGES[rule],
        params: { rule },
      });
  };
  return check;
}

const details = z
  .strictObject({
    legal,
    bank,
    tax: z.strictObject({ system: TaxSystem.nullish(), vat: z.boolean() }),
    legalAddress: address,
    postalAddress: address,
  })
  .check(checkNumbers());

const fields = {
  /** Defaults to the form of organization and the name. */
  title: word(400).optional(),
  type: z.enum(['business']).optional(),
  contact,
  signer,
  data: details,
  /** Ids of stored files, such as a scan of the charter. */
  attachments: arrayOf(Id, { max: MAX_REQUISITE_ATTACHMENTS }).optional(),
  isActive: z.boolean().optional(),
};
/** `OwnerId` creates them in another account that the caller has access to. */
export const RequisiteInput = z.strictObject({ ...fields, OwnerId: Id.optional() });
/** The parts that are sent are replaced as a whole. */
export const RequisiteUpdate = z.strictObject(fields).partial();

const Cases = z.object({ nominative: z.string(), genitive: z.string() });
const Address = z.object({
  country: z.string(),
  city: z.string(),
  index: z.string(),
  address: z.string(),
  phone: z.string().nullable(),
  phoneAdd: z.string().nullable(),
});
export const Requisite = z.object({
  id: Id,
  title: z.string(),
  type: z.literal('business'),
  contact: z.object({
    lastName: z.string(),
    firstName: z.string(),
    middleName: z.string().nullable(),
    phone: z.string(),
    email: z.string(),
  }),
  signer: z.object({ fullName: Cases, fullNameShort: Cases, position: Cases, basis: Cases }),
  data: z.object({
    legal: z.object({
      opf: z.string(),
      name: z.string(),
      inn: z.string(),
      ogrn: z.string(),
      kpp: z.string().nullable(),
      okpo: z.string().nullable(),
      businessType: BusinessType,
    }),
    bank: z.object({ name: z.string(), bik: z.string(), rs: z.string(), ks: z.string() }),
    tax: z.object({ system: TaxSystem.nullable(), vat: z.boolean() }),
    legalAddress: Address,
    postalAddress: Address,
  }),
  attachments: z.array(Id),
  isActive: z.boolean(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Requisite = z.infer<typeof Requisite>;

export const requisites = crud('requisites', {
  item: Requisite,
  input: RequisiteInput,
  update: RequisiteUpdate,
  owner: 'write',
  audit: true,
  refusedInRestrictedMode: true,
  query: listQuery({
    order: ['createdAt', 'title', 'updatedAt'],
    filter: { id: many(Id), isActive: QueryBoolean, OwnerId: Id },
    range: ['createdAt'],
    search: true,
    limit: 20,
  }),
});
