import { isValidInn } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { text, trimmed } from './fields.ts';
import { BusinessType } from './requisites.ts';

const Query = z.strictObject({ query: trimmed(200).min(1) });
const InnQuery = z.strictObject({
  query: text(40)
    .overwrite((value) => value.replace(/\s/g, ''))
    .refine((value) => /^(?:\d{10}|\d{12})$/.test(value), {
      message: 'The INN must be 10 or 12 digits',
      params: { rule: 'inn_length' },
    })
    .refine((value) => !/^(?:\d{10}|\d{12})$/.test(value) || isValidInn(value), {
      message: 'The check digits of the INN are wrong',
      params: { rule: 'inn_check' },
    }),
});

/** Fields that the source does not know are empty. */
export const CompanySuggestion = z.object({
  type: BusinessType,
  opf: z.string(),
  /** Without the form of organization. */
  name: z.string(),
  inn: z.string(),
  kpp: z.string(),
  ogrn: z.string(),
  okpo: z.string(),
  isActive: z.boolean(),
  management: z.object({ name: z.string(), position: z.string() }),
  address: z.object({
    country: z.string(),
    city: z.string(),
    index: z.string(),
    address: z.string(),
  }),
});
export type CompanySuggestion = z.infer<typeof CompanySuggestion>;

export const BankSuggestion = z.object({ name: z.string(), bik: z.string(), ks: z.string() });
export type BankSuggestion = z.infer<typeof BankSuggestion>;

export const CleanName = z.object({
  lastName: z.string(),
  firstName: z.string(),
  middleName: z.string(),
  /** Full name in the genitive. */
  genitive: z.string(),
});
export type CleanName = z.infer<typeof CleanName>;

const shared = { can: 'requisites.get', cost: 'read', refusedInRestrictedMode: true } as const;

/** Queries are sent in bodies: names of persons are not to be in addresses. */
export const lookups = {
  companies: endpoint('POST', '/n/lookups/companies', {
    bound: 'nothing',
    body: InnQuery,
    response: z.object({ suggestions: z.array(CompanySuggestion) }),
    summary: 'Look up companies and entrepreneurs by INN',
    ...shared,
  }),
  banks: endpoint('POST', '/n/lookups/banks', {
    bound: 'nothing',
    body: Query,
    response: z.object({ suggestions: z.array(BankSuggestion) }),
    summary: 'Suggest banks by BIK or name',
    ...shared,
  }),
  names: endpoint('POST', '/n/lookups/names', {
    bound: 'nothing',
    body: Query,
    response: CleanName,
    summary: 'Split the name of a person and correct its spelling',
    ...shared,
  }),
};
